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
import NIOSSL
import NIOWebSocket

/// A client's connection. A WebSocket request makes it a session on its event loop; Hummingbird serves the others.
struct FeedChannel: HTTPChannelHandler {
  typealias HTTP = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  enum Line: Sendable {
    case http(HTTP)
    case socket
    /// The connection exceeds the limit of its address.
    case refused
  }

  struct Value: ServerChildChannelValue {
    let line: EventLoopFuture<Line>
    let channel: any Channel
  }

  /// The maximum size of the kernel's send buffer of an HTTP connection, in bytes.
  ///
  /// NB: A blocked socket becomes writable when a third of the buffer is free. A client must read that much within
  /// `writeTime`, so a large buffer would require a fast client.
  private static let sendBuffer: Int32 = 1 << 16
  /// The size of one read from an HTTP connection, in bytes. Bounds the number of requests in it, and so the time for
  /// which one connection occupies its event loop.
  private static let readSize = 1 << 10

  let responder: Responder
  let settings: HTTPAdmissionHandler.Settings
  /// True if the connection uses TLS, so that an answer needs a handshake first.
  var isEncrypted = false
  /// Makes sessions of WebSocket requests; nil if the listener has no WebSocket.
  var sessions: SocketUpgrader?

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      do { return try admit(channel, logger) } catch {
        // NB: NIO does not close a connection that cannot be set up.
        channel.close(promise: nil)
        throw error
      }
    }
  }

  private func admit(_ channel: any Channel, _ logger: Logger) throws -> Value {
    let peer = channel.remoteAddress.flatMap { IPAddress($0) }
    // The clients of a trusted proxy are known by their requests.
    let isProxy = peer.map { settings.proxies.contains($0) } ?? false
    let admission = settings.connections.add(channel, from: isProxy ? nil : peer?.network ?? "")
    if admission != .admitted { settings.metrics.refused(.address) }
    switch admission {
    case .admitted: return Value(line: try addHandlers(to: channel, logger), channel: channel)
    case .refused where !isEncrypted:
      try channel.pipeline.syncOperations.addHandler(RefusedConnectionHandler(limits: settings.limits))
      return Value(line: channel.eventLoop.makeSucceededFuture(.refused), channel: channel)
    case .refused, .dropped: throw ChannelError.ioOnClosedChannel
    }
  }

  private func addHandlers(to channel: any Channel, _ logger: Logger) throws -> EventLoopFuture<Line> {
    let limits = settings.limits
    try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
    try channel.syncOptions?.setOption(
      .socketOption(.so_sndbuf), value: SocketOptionValue(min(limits.socketBuffer, Self.sendBuffer)))
    try channel.syncOptions?.setOption(
      .writeBufferWaterMark, value: .init(low: limits.pendingBytes / 4, high: limits.pendingBytes))
    try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    try channel.syncOptions?.setOption(
      .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readSize))
    let writeTimeout = WriteTimeoutHandler(time: limits.writeTime, metrics: settings.metrics)
    let encoder = HTTPResponseEncoder()
    var bounds = NIOHTTPDecoderLimitConfiguration()
    bounds.maxHeaderFieldSize = 1 << 13
    bounds.maxHeaderListSize = 1 << 14
    bounds.maxHeaderFieldCount = 100
    let decoder = ByteToMessageHandler(
      HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: bounds))
    let admissionHandler = HTTPAdmissionHandler(settings)
    let upgrade = NIOTypedHTTPServerUpgradeHandler<Line>(
      httpEncoder: encoder, extraHTTPHandlers: [decoder, admissionHandler, writeTimeout],
      upgradeConfiguration: .init(upgraders: sessions.map { [$0] } ?? []) { speakHTTP($0, logger) })
    // In front of TLS too, which was added before.
    try channel.pipeline.syncOperations.addHandler(writeTimeout, position: .first)
    try channel.pipeline.syncOperations.addHandlers([encoder, decoder, admissionHandler, upgrade])
    return upgrade.upgradeResultFuture
  }

  private func speakHTTP(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Line> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandlers([
        HTTPResponseCompressor { head, isPossible in
          // NB: Compression makes a short body longer, and could delay the events of a stream, which has no length.
          let isLong = head.headers.first(name: "content-length").flatMap(Int.init).map { $0 > 512 } ?? false
          guard isLong, isPossible else { return .doNotCompress }
          // NB: The compressor corrects the length only if the head is flushed together with the whole body.
          head.headers.remove(name: "content-length")
          return .compressIfPossible
        }, HTTP1ToHTTPServerCodec(secure: false),
        HTTPConnectionStateHandler(logger: logger),
      ])
      return .http(
        try NIOAsyncChannel(
          wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true)))
    }
  }

  func handle(value: Value, logger: Logger) async {
    // The server cancels its connections when the time for a graceful shutdown is over.
    await withTaskCancellationHandler {
      do {
        switch try await value.line.get() {
        case .http(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
        case .socket, .refused: try await value.channel.closeFuture.get()
        }
      } catch {
        value.channel.close(promise: nil)
        try? await value.channel.closeFuture.get()
      }
    } onCancel: {
      value.channel.cut()
    }
  }
}

extension Channel {
  /// Closes the connection at once, without the end of TLS, for which the peer may not answer.
  fileprivate func cut() {
    eventLoop.execute {
      let encryption = try? self.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
      if let encryption { encryption.close(promise: nil) } else { self.close(promise: nil) }
    }
  }
}

/// Makes sessions of the WebSocket requests that `HTTPAdmissionHandler` admitted.
struct SocketUpgrader: NIOTypedHTTPServerProtocolUpgrader {
  let supportedProtocol = "websocket"
  let requiredUpgradeHeaders: [String] = []

  /// TCP_NOTSENT_LOWAT of Linux.
  static let notSentLowWaterMark = NIOBSDSocket.Option(rawValue: 25)

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
      // NB: One read per wake-up remains: clients seldom send more, and a second read that finds nothing costs as much.
      try channel.syncOptions?.setOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator())
      try channel.syncOptions?.setOption(
        .socketOption(.so_sndbuf), value: SocketOptionValue(dependencies.limits.socketBuffer))
      #if os(Linux)
        // A sandbox may lack it: sessions work without it.
        try? channel.syncOptions?.setOption(
          .tcpOption(Self.notSentLowWaterMark), value: SocketOptionValue(dependencies.limits.socketUnsent))
      #endif
      let session = SocketSession(
        id: id, address: upgradeRequest.headers.first(name: ClientNetwork.header) ?? "", dependencies: dependencies,
        logger: logger)
      // NB: Not looked up again: it may have ended since the request was admitted.
      session.account = upgradeRequest.headers.first(name: AccessPolicy.loginSessionHeader)
      let decoder = ByteToMessageHandler(ClientFrameDecoder(limit: dependencies.limits.frameSize))
      try channel.pipeline.syncOperations.addHandlers([decoder, session])
      return .socket
    }
  }
}
