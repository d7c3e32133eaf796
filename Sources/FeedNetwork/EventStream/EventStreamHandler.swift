import AccountModel
import Localization
import NIOCore
import NIOHTTP1
import OddsFeed
import OddsModel
import Platform

/// Receives the response to an event stream request on the channel's event loop and puts its bytes into an inbox.
final class EventStreamHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  enum Answer: Sendable {
    case stream(EventStream)
    /// A response that is not an event stream.
    case other(status: Int)
  }

  private let attempt: OneShotResult<Answer>
  private let words: ErrorMessages
  private let inbox: Mailbox<[UInt8], ConnectionError>
  /// The time without data after which the stream fails.
  private let silenceLimit: TimeAmount
  private var isOpen = false
  /// The time of the last data from the feed.
  private var lastSign = NIODeadline.distantPast
  private var alarm: Scheduled<Void>?

  private init(_ attempt: OneShotResult<Answer>, words: ErrorMessages, limits: NetworkLimits) {
    self.attempt = attempt
    self.words = words
    silenceLimit = limits.silence
    inbox = Mailbox(limits: MailboxLimits(cost: limits.unreadBytes), cost: \.count)
  }

  /// Sends the request. The attempt ends with the head of the response. Call on the channel's event loop.
  static func begin(
    _ request: HTTPRequestHead, on channel: any Channel, _ attempt: OneShotResult<Answer>, words: ErrorMessages,
    limits: NetworkLimits
  ) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHTTPClientHandlers()
      try pipeline.addHandler(EventStreamHandler(attempt, words: words, limits: limits))
    }
    .flatMap {
      channel.write(HTTPClientRequestPart.head(request), promise: nil)
      return channel.writeAndFlush(HTTPClientRequestPart.end(nil))
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head, context)
    case .body(let part):
      guard isOpen else { return }
      lastSign = context.eventLoop.now
      let hasRoom = inbox.send([UInt8](buffer: part))
      if !hasRoom { try? context.channel.syncOptions?.setOption(.autoRead, value: false) }
    case .end:
      inbox.finish()
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    alarm?.cancel()
    fail(.accountStreamBrokeOff, context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if !isOpen { attempt.end(.failure(words.exchangeError(error))) }
    fail(.accountStreamBrokeOff, context)
  }

  private func begin(_ head: HTTPResponseHead, _ context: ChannelHandlerContext) {
    let type = head.headers[canonicalForm: "Content-Type"].first?.prefix { $0 != ";" } ?? ""
    let coding = head.headers[canonicalForm: "Content-Encoding"]
    guard head.status == .ok, type.lowercased() == "text/event-stream", coding.allSatisfy({ $0 == "identity" }) else {
      attempt.end(.success(.other(status: Int(head.status.code))))
      return context.close(promise: nil)
    }
    isOpen = true
    lastSign = context.eventLoop.now
    listen(context)
    let stream = EventStream(channel: context.channel, inbox: inbox)
    if !attempt.end(.success(.stream(stream))) { context.close(promise: nil) }
  }

  /// Schedules the failure of the stream for when the feed has been silent for too long.
  private func listen(_ context: ChannelHandlerContext) {
    alarm = context.eventLoop.assumeIsolated().scheduleTask(deadline: lastSign + silenceLimit) {
      let now = context.eventLoop.now
      // While the inbox is full, reading is paused: the silence is not the feed's.
      if self.inbox.isFull { self.lastSign = now }
      if now - self.lastSign >= self.silenceLimit {
        self.fail(.accountStreamSilent, context)
      } else {
        self.listen(context)
      }
    }
  }

  /// Fails the attempt and the inbox, whichever has not ended, and closes the channel.
  private func fail(_ message: MessageKey, _ context: ChannelHandlerContext) {
    let fault = ConnectionError(.lost, FeedError(message, remedy: .remedyTriedAgain))
    attempt.end(.failure(fault))
    inbox.finish(throwing: fault)
    context.close(promise: nil)
  }
}

final class EventStream: EventStreamConnection {
  private let channel: any Channel
  /// The bytes that are not read yet. While it is full, reading from the peer is paused.
  private let inbox: Mailbox<[UInt8], ConnectionError>

  init(channel: any Channel, inbox: Mailbox<[UInt8], ConnectionError>) {
    self.channel = channel
    self.inbox = inbox
  }

  deinit { close() }

  func read() async throws(ConnectionError) -> [UInt8]? {
    let parts = try await inbox.nextBatch {
      if inbox.isFinished { return }
      channel.eventLoop.execute { [channel] in
        if channel.isActive { try? channel.syncOptions?.setOption(.autoRead, value: true) }
      }
    }
    return parts.isEmpty ? nil : Array(parts.joined())
  }

  func close() {
    // NB: Do not use the channel after the end: its event loop may have been shut down.
    if inbox.finish() { channel.close(promise: nil) }
  }
}
