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
  struct Surroundings: Sendable {
    let hub: FeedHub
    let loop: SessionLoop
    let limits: ServerLimits
    let realm: String?
    let metrics: ServerMetrics
  }

  struct Subscription {
    let topic: Topic
    let registration: UInt64
    /// Nil where there is no such topic.
    let log: TopicLog?
    /// The number of the last message that the client has.
    var cursor: UInt64
  }

  let around: Surroundings
  let logger: Logger
  var conversation: WAMPConversation
  var subscriptions: [Subscription] = []
  var allowance: Allowance
  private(set) var context: ChannelHandlerContext?

  private var assembly: TextAssembly
  /// Requests that wait until the socket takes more.
  private var waiting = CircularBuffer<[UInt8]>()
  private var wantsRead = false
  private var lastHeard: NIODeadline
  private var helloTimer: Scheduled<Void>?
  private var pingTimer: Scheduled<Void>?
  private var closeTimer: Scheduled<Void>?
  private var isAnswering = false
  private(set) var isClosing = false
  private var inboundFrames = 0

  init(id: UInt64, around: Surroundings, logger: Logger) {
    self.around = around
    self.logger = logger
    conversation = WAMPConversation(session: id, realm: around.realm, mostTopics: around.limits.topics)
    assembly = TextAssembly(limit: around.limits.frameSize)
    lastHeard = .now()
    allowance = Allowance(limits: around.limits, now: lastHeard)
  }

  // MARK: The channel

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    around.loop.add(self)
    logger.debug("session begins")
    helloTimer = context.eventLoop.assumeIsolated().scheduleTask(in: around.limits.helloTime) { [weak self] in
      guard let self, !self.conversation.isOpen else { return }
      self.refuse(.hello, "no HELLO came in time: send it right after the handshake")
    }
    schedulePing()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
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
      guard count(isAnswer: false) else { return }
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
    if context.channel.isWritable {
      // Whoever takes what is sent is alive, though its pongs may be stuck behind its requests.
      lastHeard = context.eventLoop.now
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

  // MARK: The end

  /// Sends a close frame; the connection ends when the other side closes, or soon.
  func close(code: UInt16, _ reason: String) {
    guard !isClosing, let context else { return }
    isClosing = true
    leaveAll()
    var frame = context.channel.allocator.buffer(capacity: 128)
    frame.writeControlFrame(.connectionClose, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason.utf8.prefix(123))
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    waiting.removeAll()
    if wantsRead { context.read() }
    let channel = context.channel
    closeTimer = context.eventLoop.scheduleTask(in: around.limits.closeTime) { channel.close(promise: nil) }
  }

  /// The code to answer a close frame with: its own, unless it may not stand in one.
  private static func answer(to code: UInt16?) -> UInt16 {
    guard let code else { return WAMPConversation.Close.normal }
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: return code
    default: return WAMPConversation.Close.protocolError
    }
  }

  /// Ends the session with an ABORT that says why.
  func refuse(_ reason: ServerMetrics.Refusal, _ text: String) {
    around.metrics.refused(reason)
    logger.info("session refused", metadata: ["reason": "\(text)"])
    perform(conversation.refuse(text), reason: text)
  }

  private func fail(_ fault: SocketFault) {
    if isClosing { return }
    around.metrics.refused(fault.refusal)
    logger.info("session failed", metadata: ["reason": "\(fault)"])
    close(code: fault.code, "\(fault)")
  }

  private func leaveAll() {
    for subscription in subscriptions where subscription.log != nil { around.hub.leave(subscription.topic) }
    subscriptions = []
  }

  // MARK: Time

  private func schedulePing() {
    guard let context else { return }
    pingTimer = context.eventLoop.assumeIsolated().scheduleTask(in: around.limits.pingInterval) { [weak self] in
      self?.pingOrDrop()
    }
  }

  private func pingOrDrop() {
    guard let context, !isClosing else { return }
    if context.eventLoop.now - lastHeard >= around.limits.silence {
      around.metrics.refused(.silence)
      logger.info("session dropped: no sign of life")
      context.close(promise: nil)
      return
    }
    var frame = context.channel.allocator.buffer(capacity: ByteBuffer.longestFrameHead)
    frame.writeControlFrame(.ping)
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    schedulePing()
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
