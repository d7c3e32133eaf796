import AccountModel
import EveryMatrix
import Localization
import NIOCore
import NIOHTTP1
import NIOWebSocket
import OddsFeed
import OddsModel
import Platform

/// Turns an open channel into a WebSocket: sends the upgrade request and checks the response (RFC 6455, 4.1).
struct WebSocketHandshake: Sendable {
  let dialer: FeedDialer
  /// The name of the sub-protocol to ask for; nil for none.
  var subprotocol: String? = WAMPMessage.subprotocol

  /// Sends the request. The attempt ends with the response; the future fails if there is none. Call on the channel's
  /// event loop.
  func begin(
    on channel: any Channel, token: Secret?, _ attempt: OneShotResult<any FrameConnection>, words: ErrorMessages
  ) -> EventLoopFuture<Void> {
    let upgrader = NIOTypedWebSocketClientUpgrader<Void>(
      maxFrameSize: dialer.limits.messageBytes, enableAutomaticErrorHandling: false
    ) { channel, head in
      channel.eventLoop.makeCompletedFuture { try self.finish(on: channel, head, attempt, words) }
    }
    var headers = dialer.headers(token: token)
    if let subprotocol { headers.add(name: "Sec-WebSocket-Protocol", value: subprotocol) }
    let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: dialer.endpoint.address.path, headers: headers)
    let upgrade = NIOTypedHTTPClientUpgradeConfiguration(upgradeRequestHead: request, upgraders: [upgrader]) {
      channel in
      channel.eventLoop.makeCompletedFuture {
        let handler = RefusalHandler { attempt.end(.failure(words.refusal($0, $1))) }
        try channel.pipeline.syncOperations.addHandler(handler)
      }
    }
    var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgrade)
    pipeline.leftOverBytesStrategy = .forwardBytes
    return channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: pipeline)
    }.flatMap { $0 }
  }

  /// Checks the server's choices after the switch of protocols, and hands the channel to a `WebSocketConnection`.
  private func finish(
    on channel: any Channel, _ head: HTTPResponseHead, _ attempt: OneShotResult<any FrameConnection>,
    _ words: ErrorMessages
  ) throws {
    let chosen = head.headers[canonicalForm: "Sec-WebSocket-Protocol"]
    guard chosen == [subprotocol].compactMap({ $0?[...] }) else {
      guard let wanted = subprotocol else {
        throw words.fault(.protocolMismatch, .dialUnofferedProtocol, chosen[0].printable(), remedy: .remedyCheckIsFeed)
      }
      guard let other = chosen.first?.printable() else {
        throw words.fault(.protocolMismatch, .dialChoseNoProtocol, wanted, remedy: .remedyCheckIsFeed)
      }
      throw words.fault(.protocolMismatch, .dialChoseProtocol, other, wanted, remedy: .remedyCheckIsFeed)
    }
    guard head.headers["Sec-WebSocket-Extensions"].isEmpty else {
      throw words.fault(.protocolMismatch, .dialUnofferedExtension, remedy: .remedyCheckIsFeed)
    }
    let inbox = Mailbox<FrameEvent, Never>(limits: dialer.limits.inbox, cost: { $0.text.count })
    let handler = WebSocketHandler(name: words.name, inbox: inbox, limits: dialer.limits)
    try channel.pipeline.syncOperations.addHandler(handler)
    let connection = WebSocketConnection(channel: channel, handler: handler, inbox: inbox)
    attempt.end(.success(connection))
  }
}

/// Reads a response that refuses the upgrade: its head and up to 1024 bytes of its body.
private final class RefusalHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private static let longestText = 1024

  private let onRefusal: (HTTPResponseHead, String) -> Void
  private var head: HTTPResponseHead?
  private var text: [UInt8] = []

  init(onRefusal: @escaping (HTTPResponseHead, String) -> Void) { self.onRefusal = onRefusal }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body(let body):
      text += body.readableBytesView.prefix(Self.longestText - text.count)
      if text.count == Self.longestText { finish(context) }
    case .end: finish(context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    finish(context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { finish(context) }

  private func finish(_ context: ChannelHandlerContext) {
    guard let head else { return }
    self.head = nil
    onRefusal(head, String(decoding: text, as: UTF8.self))
    context.close(promise: nil)
  }
}
