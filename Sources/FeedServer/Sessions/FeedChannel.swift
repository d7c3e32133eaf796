import EveryMatrix
import FeedSimulator
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOWebSocket

/// A client's connection. A WebSocket request makes it a session on its event loop; Hummingbird serves the others.
struct FeedChannel: HTTPChannelHandler {
  typealias HTTP = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  enum Line: Sendable {
    case http(HTTP)
    case socket
  }

  struct Value: ServerChildChannelValue {
    let line: EventLoopFuture<Line>
    let channel: any Channel
  }

  let responder: Responder
  let admission: AccessPolicy
  let sessions: SocketUpgrader

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      let limits = admission.limits
      try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
      try channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: SocketOptionValue(limits.socketBuffer))
      try channel.syncOptions?.setOption(
        .writeBufferWaterMark, value: .init(low: limits.pendingBytes / 4, high: limits.pendingBytes))
      let encoder = HTTPResponseEncoder()
      var bounds = NIOHTTPDecoderLimitConfiguration()
      (bounds.maxHeaderFieldSize, bounds.maxHeaderListSize, bounds.maxHeaderFieldCount) = (1 << 13, 1 << 14, 100)
      let decoder = ByteToMessageHandler(
        HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: bounds))
      let admissionHandler = HTTPAdmissionHandler(admission: admission)
      let upgrade = NIOTypedHTTPServerUpgradeHandler<Line>(
        httpEncoder: encoder, extraHTTPHandlers: [decoder, admissionHandler],
        upgradeConfiguration: .init(upgraders: [sessions]) { speakHTTP($0, logger) })
      try channel.pipeline.syncOperations.addHandlers([encoder, decoder, admissionHandler, upgrade])
      return Value(line: upgrade.upgradeResultFuture, channel: channel)
    }
  }

  private func speakHTTP(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Line> {
    channel.eventLoop.makeCompletedFuture {
      let idle = admission.limits.idleTime
      try channel.pipeline.syncOperations.addHandlers([
        HTTPResponseCompressor { head, _ in
          // NB: Compression makes a short body longer, and could delay the events of a stream, which has no length.
          let isLong = head.headers.first(name: "content-length").flatMap(Int.init).map { $0 > 512 } ?? false
          return isLong ? .compressIfPossible : .doNotCompress
        }, HTTP1ToHTTPServerCodec(secure: false),
        HTTPConnectionStateHandler(idleTimeout: .nanoseconds(idle.nanoseconds), logger: logger),
      ])
      return .http(
        try NIOAsyncChannel(
          wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true)))
    }
  }

  func handle(value: Value, logger: Logger) async {
    do {
      switch try await value.line.get() {
      case .http(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
      case .socket: try await value.channel.closeFuture.get()
      }
    } catch {
      value.channel.close(promise: nil)
      try? await value.channel.closeFuture.get()
    }
  }
}

/// Makes sessions of the WebSocket requests that `HTTPAdmissionHandler` admitted.
struct SocketUpgrader: NIOTypedHTTPServerProtocolUpgrader {
  let supportedProtocol = "websocket"
  let requiredUpgradeHeaders: [String] = []

  let logger: Logger
  let dependencies: @Sendable (any EventLoop) -> SocketSession.Dependencies

  /// Computes the headers of the upgrade response, such as Sec-WebSocket-Accept.
  ///
  /// NB: The handlers that NIO's upgrader would add are not used.
  private let handshake = NIOWebSocketServerUpgrader(
    shouldUpgrade: { channel, _ in
      channel.eventLoop.makeSucceededFuture(["Sec-WebSocket-Protocol": WAMPMessage.subprotocol])
    }, upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })

  func buildUpgradeResponse(
    channel: any Channel, upgradeRequest: HTTPRequestHead, initialResponseHeaders: HTTPHeaders
  ) -> EventLoopFuture<HTTPHeaders> {
    handshake.buildUpgradeResponse(
      channel: channel, upgradeRequest: upgradeRequest, initialResponseHeaders: initialResponseHeaders)
  }

  func upgrade(channel: any Channel, upgradeRequest: HTTPRequestHead) -> EventLoopFuture<FeedChannel.Line> {
    channel.eventLoop.makeCompletedFuture {
      let dependencies = dependencies(channel.eventLoop)
      guard dependencies.metrics.begin(most: dependencies.limits.sessions) else { throw ChannelError.ioOnClosedChannel }
      let id = UInt64.random(in: 1...WAMPMessage.largestID)
      var logger = logger
      logger[metadataKey: "session"] = "\(id)"
      // NB: One read per wake-up: clients seldom send more, and a second read that finds nothing costs as much.
      try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
      let session = SocketSession(
        id: id, address: channel.remoteAddress?.network ?? "", dependencies: dependencies, logger: logger)
      session.account = dependencies.accounts?.session(shownBy: upgradeRequest.headers.first(name: "authorization"))?.id
      let decoder = ByteToMessageHandler(ClientFrameDecoder(limit: dependencies.limits.frameSize))
      try channel.pipeline.syncOperations.addHandlers([decoder, session])
      return .socket
    }
  }
}
