import FeedSimulator
import Logging
import NIOCore
import NIOWebSocket
import OddsFeed

/// One client on a WebSocket, on its event loop.
///
/// What a client asks waits while its socket takes nothing, and no more is read then; updates wait in the topics' logs.
final class SocketSession: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = Never
  typealias OutboundOut = ByteBuffer

  /// What a session shares with others.
  struct Dependencies: Sendable {
    let hub: FeedHub
    let loop: SessionLoop
    let limits: ServerLimits
    let realm: String?
    let metrics: ServerMetrics
    /// Nil where the server has no account side.
    var accounts: Authenticator?
  }

  struct Subscription {
    let topic: Topic
    let registration: UInt64
    /// Nil where there is no such topic.
    let log: TopicLog?
    /// The number of the last message that the client has.
    var cursor: UInt64
  }

  let around: Dependencies
  let logger: Logger
  var conversation: WAMPConversation
  var subscriptions: [Subscription] = []
  var allowance: TokenBucket
  private(set) var context: ChannelHandlerContext?
  /// The user's session whose token opened the socket, and with which it ends.
  var account: String?
  /// Its number at the account hub.
  var dependence: UInt64?

  private var assembly: MessageAssembler
  /// Requests that wait until the socket takes more.
  var waiting = CircularBuffer<[UInt8]>()
  var wantsRead = false
  private(set) var lastHeard = NIODeadline.distantPast
  /// When the socket last took what it was given, or began not to.
  private(set) var lastTaken = NIODeadline.distantPast
  private var helloTimer: Scheduled<Void>?
  var pingTimer: Scheduled<Void>?
  var closeTimer: Scheduled<Void>?
  private var isAnswering = false
  var isClosing = false
  private var inboundFrames = 0

  init(id: UInt64, around: Dependencies, logger: Logger) {
    self.around = around
    self.logger = logger
    conversation = WAMPConversation(session: id, realm: around.realm, mostTopics: around.limits.topics)
    assembly = MessageAssembler(limit: around.limits.frameSize)
    allowance = TokenBucket(limits: around.limits, now: lastHeard)
  }

  // MARK: The channel

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    lastHeard = context.eventLoop.now
    lastTaken = lastHeard
    around.loop.add(self)
    logger.debug("session begins")
    helloTimer = context.eventLoop.assumeIsolated().scheduleTask(in: around.limits.helloTime) { [weak self] in
      guard let self, !self.conversation.isOpen else { return }
      self.refuse(.hello, "no HELLO came in time: send it right after the handshake")
    }
    schedulePing()
    depend(on: context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    if let dependence { around.accounts?.hub.detach(dependence) }
    around.loop.remove(self)
    for timer in [helloTimer, pingTimer, closeTimer] { timer?.cancel() }
    leaveAll()
    self.context = nil
    around.metrics.end()
    logger.debug("session has ended")
  }

  func channelInactive(context: ChannelHandlerContext) {
    leaveAll()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lastHeard = context.eventLoop.now
    inboundFrames += 1
    let piece = assembly.take(unwrapInboundIn(data))
    if isClosing {
      if case .close = piece { context.close(promise: nil) }
      return
    }
    switch piece {
    case .part: count(isAnswer: false)
    case .pong: break
    case .ping(let data):
      guard count(isAnswer: false), context.channel.isWritable else { return }
      var frame = context.channel.allocator.buffer(capacity: data.readableBytes + ByteBuffer.longestFrameHead)
      frame.writeControlFrame(.pong, data.readableBytesView)
      context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    case .text(let text):
      let isAnswer = text.starts(with: Self.yieldHead)
      guard count(isAnswer: isAnswer) else { return }
      if isAnswer || waiting.isEmpty && context.channel.isWritable {
        perform(conversation.receive(text))
      } else {
        waiting.append(text)
      }
    case .close(let code):
      close(code: Self.answer(to: code), "")
      context.close(promise: nil)
    case .fault(let fault): fail(fault)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    let count = inboundFrames
    inboundFrames = 0
    around.metrics.count { $0.inboundFrames += count }
    context.flush()
    context.fireChannelReadComplete()
  }

  /// Nothing is read while requests wait.
  func read(context: ChannelHandlerContext) {
    if waiting.isEmpty { context.read() } else { wantsRead = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    lastTaken = context.eventLoop.now
    if context.channel.isWritable {
      // Whoever takes what is sent is alive, though its pongs may be stuck behind its requests.
      lastHeard = lastTaken
      answerWaiting(context)
      sendNews()
    }
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent: perform(conversation.shutDown())
    case ChannelEvent.inputClosed: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case NIOWebSocketError.invalidFrameLength: fail(.tooLarge(around.limits.frameSize))
    case is NIOWebSocketError: fail(.malformed)
    default: context.close(promise: nil)
    }
  }

  // MARK: Requests

  private static let yieldHead = Array("[\(WAMPMessage.Code.yield),".utf8)

  @discardableResult
  private func count(isAnswer: Bool) -> Bool {
    if allowance.take(isAnswer: isAnswer, now: lastHeard) { return true }
    refuse(.flood, "more than '\(Int(around.limits.requestRate))' messages a second came: send fewer")
    return false
  }

  /// NB: what is sent here can make the socket writable, and so come back here.
  private func answerWaiting(_ context: ChannelHandlerContext) {
    if isAnswering { return }
    isAnswering = true
    defer { isAnswering = false }
    while context.channel.isWritable, let text = waiting.popFirst() { perform(conversation.receive(text)) }
    context.flush()
    if waiting.isEmpty, wantsRead {
      wantsRead = false
      context.read()
    }
  }
}
