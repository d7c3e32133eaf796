import CoreMetrics
import EveryMatrix
import FeedSimulator
import Logging
import NIOCore
import NIOWebSocket
import OddsFeed
import OddsModel

/// The session of one WebSocket client, confined to its event loop.
///
/// While the socket is not writable, requests are queued and reading stops; updates stay in the topics' logs.
final class SocketSession: ChannelDuplexHandler {
  typealias InboundIn = ClientFrame
  typealias OutboundIn = Never
  typealias OutboundOut = ByteBuffer

  /// The objects and settings that all sessions share.
  struct Dependencies: Sendable {
    let hub: FeedHub
    let loop: SessionLoop
    let limits: ServerLimits
    let realm: String?
    let metrics: ServerMetrics
    var accounts: Authenticator?
  }

  let dependencies: Dependencies
  /// The network of the client's address, by which its requests are charged.
  let address: String
  let logger: Logger
  var conversation: WAMPConversation
  var subscriptions: [Subscription] = []
  /// The registration whose messages are sent first, because the socket took no more before its turn.
  var nextInTurn: UInt64?
  var allowance: TokenBucket
  private(set) var context: ChannelHandlerContext?
  /// The id of the login session whose token opened the WebSocket; this session ends with it.
  var account: String?
  /// The number of this session's registration with the account hub.
  var dependence: UInt64?

  /// The requests queued until the socket is writable and no request is in progress.
  private(set) var waiting = CircularBuffer<[UInt8]>()
  /// True while a topic is joined or a dump is made for a request.
  var isBusy = false
  var wantsRead = false
  /// The time of the last frame from the client, or later if the server was late.
  var lastInbound = NIODeadline.distantPast
  var output = OutputProgress(now: .distantPast)
  private var helloTimer: Scheduled<Void>?
  /// Waits until the client's address can be served again.
  var workTimer: Scheduled<Void>?
  var pingTimer: Scheduled<Void>?
  /// Waits until the address may have processor time for subscribers that are behind.
  var catchUpTimer: Scheduled<Void>?
  /// Waits until `graceEnd`.
  var behindTimer: Scheduled<Void>?
  /// The time until which a session that has been behind for too long can be brought up to date, because its socket
  /// took no data before. Nil if no subscriber was behind for too long at the last check.
  var graceEnd: NIODeadline?
  var place = CatchUpPlace.none
  var closeTimer: Scheduled<Void>?
  /// The payload of the last ping that is not answered yet. Earlier ones need no answer (RFC 6455, 5.5.3).
  private var pong: [UInt8]?
  private var isAnswering = false
  /// True once the client has sent too many messages: nothing more is read.
  private(set) var isFlooding = false
  /// True while updates are written, so that `subscriptions` must not change.
  private var isFlushing = false
  /// True if the socket became writable in the meantime.
  private var flushesAgain = false
  var isClosing = false
  private var inboundFrames = 0

  init(id: UInt64, address: String, dependencies: Dependencies, logger: Logger) {
    self.dependencies = dependencies
    self.address = address
    self.logger = logger
    conversation = WAMPConversation(session: id, realm: dependencies.realm, maxTopics: dependencies.limits.topics)
    allowance = TokenBucket(limits: dependencies.limits, now: lastInbound)
  }

  // MARK: The channel

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    lastInbound = context.eventLoop.now
    output = OutputProgress(now: lastInbound)
    dependencies.loop.add(self)
    logger.debug("session started")
    helloTimer = context.eventLoop.assumeIsolated().scheduleTask(in: dependencies.limits.helloTime) { [weak self] in
      guard let self, !self.conversation.isOpen else { return }
      self.refuse(.hello, "no HELLO arrived in time: send it right after the handshake")
    }
    schedulePing()
    depend(on: context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    if let dependence { dependencies.accounts?.hub.detach(dependence) }
    dependencies.loop.remove(self)
    isClosing = true
    for timer in [helloTimer, workTimer, pingTimer, closeTimer, catchUpTimer, behindTimer] { timer?.cancel() }
    leaveAll()
    self.context = nil
    dependencies.metrics.end()
    logger.debug("session ended")
  }

  func channelInactive(context: ChannelHandlerContext) {
    isClosing = true
    leaveAll()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lastInbound = context.eventLoop.now
    inboundFrames += 1
    let frame = unwrapInboundIn(data)
    if isClosing {
      if case .close = frame { context.close(promise: nil) }
      return
    }
    switch frame {
    case .part: count(isAnswer: false)
    case .pong: count(isAnswer: true)
    case .ping(let data):
      guard count(isAnswer: false) else { return }
      pong = data
      answerPing(context)
    case .text(let text):
      let isAnswer = text.starts(with: Self.yieldHead)
      guard count(isAnswer: isAnswer) else { return }
      if isAnswer || waiting.isEmpty && canAnswer(context) {
        perform(conversation.receive(text))
      } else {
        waiting.append(text)
      }
    case .close(let code):
      close(code: code ?? CloseCode.normal, "")
      context.close(promise: nil)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    let count = inboundFrames
    inboundFrames = 0
    dependencies.metrics.framesReceived.increment(by: count)
    context.flush()
    context.fireChannelReadComplete()
  }

  /// Defers reading while requests are queued.
  func read(context: ChannelHandlerContext) {
    if isFlooding { return }
    if waiting.isEmpty { context.read() } else { wantsRead = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    output.writabilityChanged(pending: context.channel.pendingBytes, now: context.eventLoop.now)
    if context.channel.isWritable {
      // A client that reads is alive, even if its pongs are stuck behind its queued requests.
      lastInbound = output.lastChange
      if isFlushing {
        // NB: This is a call within a write of `flush()`.
        flushesAgain = true
      } else {
        answerWaiting(context)
        flush()
        endIfBehind()
      }
    }
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent: shutDown()
    case NIOCore.ChannelEvent.inputClosed: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case let fault as SocketError: fail(fault)
    // NB: A connection closed before the peer's data is read is reset, and the peer may not get the close frame.
    case ByteToMessageDecoderError.dataReceivedInErrorState: break
    default: context.close(promise: nil)
    }
  }

  // MARK: Requests

  private static let yieldHead = Array("[\(WAMPMessage.Code.yield),".utf8)

  /// Drops the queued requests, because the session ends.
  func removeQueuedRequests() { waiting.removeAll() }

  /// Counts a frame against the client's allowance. Returns false if it ends the session. A pong or YIELD that answers
  /// is free.
  @discardableResult
  private func count(isAnswer: Bool) -> Bool {
    if allowance.consume(isAnswer: isAnswer, now: lastInbound) { return true }
    isFlooding = true
    refuse(.flood, "more than '\(Int(dependencies.limits.requestRate))' messages per second: send fewer")
    return false
  }

  private func canAnswer(_ context: ChannelHandlerContext) -> Bool { !isBusy && context.channel.isWritable }

  /// Answers the last ping, or keeps it while the channel is not writable or a topic is behind: the client takes the
  /// answer as a sign that it has everything from before.
  private func answerPing(_ context: ChannelHandlerContext) {
    guard let data = pong, !isClosing, context.channel.isWritable else { return }
    if subscriptions.contains(where: { $0.behindSince != nil }) { return }
    pong = nil
    var frame = context.channel.allocator.buffer(capacity: data.count + ByteBuffer.longestFrameHead)
    frame.writeControlFrame(.pong, data)
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }

  /// Answers the queued requests while the channel is writable and no request is in progress.
  ///
  /// NB: Sending can make the channel writable and so call this method again.
  func answerWaiting(_ context: ChannelHandlerContext) {
    if isAnswering { return }
    isAnswering = true
    defer { isAnswering = false }
    while canAnswer(context), let text = waiting.popFirst() { perform(conversation.receive(text)) }
    context.flush()
    if waiting.isEmpty, wantsRead {
      wantsRead = false
      context.read()
    }
  }

  /// Sends the new messages of all topics. While the socket is not writable, they wait until it is again.
  func flush() {
    if isFlushing {
      flushesAgain = true
      return
    }
    repeat {
      flushesAgain = false
      isFlushing = true
      flushTopics()
      isFlushing = false
      if flushesAgain, let context { answerWaiting(context) }
    } while flushesAgain
    if let context { answerPing(context) }
  }
}
