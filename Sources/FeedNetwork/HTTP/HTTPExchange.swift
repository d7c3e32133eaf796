import AccountModel
import Localization
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import OddsFeed
import OddsModel

/// A complete HTTP response with its body decompressed.
struct HTTPAnswer: Sendable {
  var head: HTTPResponseHead
  var body: [UInt8]
}

extension FeedDialer {
  /// Returns the headers of a request for JSON on a connection of its own.
  func jsonHeaders(token: Secret?) -> HTTPHeaders {
    var headers = headers(token: token)
    headers.add(contentsOf: [("Accept", "application/json"), ("Accept-Encoding", "gzip"), ("Connection", "close")])
    return headers
  }

  /// Sends a request on a connection of its own. Returns the answer, whatever its status.
  func ask(
    _ request: HTTPRequestHead, body: ByteBuffer? = nil, words: ErrorMessages
  ) async throws(ConnectionError) -> HTTPAnswer {
    try await dial(within: limits.request, to: words.name) { [limits] in
      HTTPExchange.begin(request, body: body, on: $0, $1, words: words, bodyBytes: limits.bodyBytes)
    }
  }
}

/// One HTTP request and its response, on a channel of their own.
final class HTTPExchange: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private let attempt: OneShotResult<HTTPAnswer>
  private let words: ErrorMessages
  private let bodyBytes: Int
  private var head: HTTPResponseHead?
  private var body: [UInt8] = []

  private init(_ attempt: OneShotResult<HTTPAnswer>, words: ErrorMessages, bodyBytes: Int) {
    self.attempt = attempt
    self.words = words
    self.bodyBytes = bodyBytes
  }

  /// Sends the request. The attempt ends with the response, and fails if the body is longer than `bodyBytes`. Call on
  /// the channel's event loop.
  static func begin(
    _ request: HTTPRequestHead, body: ByteBuffer? = nil, on channel: any Channel, _ attempt: OneShotResult<HTTPAnswer>,
    words: ErrorMessages, bodyBytes: Int
  ) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHTTPClientHandlers()
      try pipeline.addHandler(NIOHTTPResponseDecompressor(limit: .size(bodyBytes)))
      try pipeline.addHandler(HTTPExchange(attempt, words: words, bodyBytes: bodyBytes))
    }
    .flatMap {
      channel.write(HTTPClientRequestPart.head(request), promise: nil)
      if let body { channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil) }
      return channel.writeAndFlush(HTTPClientRequestPart.end(nil))
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body(let part):
      guard body.count + part.readableBytes <= bodyBytes else { return fail(.protocolViolation, context) }
      body.append(contentsOf: part.readableBytesView)
    case .end:
      if let head { attempt.end(.success(HTTPAnswer(head: head, body: body))) }
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(.lost, context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is NIOHTTPDecompression.DecompressionError { return fail(.protocolViolation, context) }
    attempt.end(.failure(words.exchangeError(error)))
    context.close(promise: nil)
  }

  private func fail(_ kind: ConnectionError.Kind, _ context: ChannelHandlerContext) {
    let fault =
      kind == .protocolViolation
      ? words.fault(kind, .answerTooMuch, remedy: .remedyCheckIsFeed)
      : words.fault(kind, .answerBrokeOff, remedy: .remedyAskedAgain)
    attempt.end(.failure(fault))
    context.close(promise: nil)
  }
}

extension HTTPHeaders {
  /// The time of `Retry-After` in seconds, at most a day; nil if there is none, or if it is a date.
  var retryAfter: Int? {
    guard let text = first(name: "Retry-After"), !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      return nil
    }
    return Swift.min(Int(text) ?? .max, 86_400)
  }
}
