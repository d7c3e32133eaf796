import EveryMatrix
import FeedSimulator
import Logging
import NIOCore
import NIOWebSocket
import OddsFeed

/// The ways in which a session ends: with a close frame, with an ABORT, or dropped.
extension SocketSession {
  /// Sends a close frame. The connection ends when the peer closes it, or after `closeTime`.
  func close(code: UInt16, _ reason: String) {
    guard !isClosing, let context else { return }
    isClosing = true
    leaveAll()
    var frame = context.channel.allocator.buffer(capacity: 128)
    frame.writeControlFrame(.connectionClose, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason.utf8.prefix(123))
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    removeQueuedRequests()
    if wantsRead, !isFlooding { context.read() }
    let channel = context.channel
    closeTimer = context.eventLoop.scheduleTask(in: dependencies.limits.closeTime) { channel.close(promise: nil) }
  }

  /// Ends the session with a GOODBYE, because the server shuts down.
  func shutDown() { perform(conversation.shutDown()) }

  /// Ends the session with an ABORT that has the reason.
  func refuse(_ reason: ServerMetrics.Refusal, _ text: String) {
    dependencies.metrics.refused(reason)
    logger.info("session refused", metadata: ["reason": "\(text)"])
    perform(conversation.refuse(text), reason: text)
  }

  func fail(_ fault: SocketError) {
    if isClosing { return }
    dependencies.metrics.refused(fault.refusal)
    logger.info("session failed", metadata: ["reason": "\(fault)"])
    close(code: fault.code, "\(fault)")
  }

  /// Makes this session end with the login session that opened the WebSocket.
  func depend(on context: ChannelHandlerContext) {
    guard let account, let hub = dependencies.accounts?.hub else { return }
    let this = NIOLoopBound(self, eventLoop: context.eventLoop)
    dependence = hub.attach(account) {
      this.eventLoop.execute { this.value.endWithAccounts() }
    } onEnd: { _ in
      this.eventLoop.execute { this.value.endWithAccount() }
    }
    if dependence != nil { return }
    // The login session ended after the token was verified, or the accounts were lost.
    let isKnown = hub.status(of: account, issuedAt: 0) != .unknown
    context.eventLoop.execute { isKnown ? this.value.endWithAccount() : this.value.endWithAccounts() }
  }

  /// Ends the session because it is no longer known whether its login session is open.
  private func endWithAccounts() {
    dependencies.metrics.refused(.book)
    logger.info("session closed because the accounts were lost")
    perform(conversation.shutDown(), reason: "the accounts were lost: connect again")
  }

  private func endWithAccount() {
    logger.info("session closed because its login ended")
    perform(
      conversation.shutDown(reason: WAMPMessage.URI.killed, code: CloseCode.policy),
      reason: "the login session has ended: log in again")
  }

  /// Ends the session because a topic can no longer be had: the client would show old prices as live. It gets the
  /// GOODBYE of a shutdown, so that it goes to another server or asks this one again.
  func endWithTopic() {
    dependencies.metrics.refused(.book)
    logger.info("session closed because a topic was lost")
    perform(conversation.shutDown(), reason: "a topic was lost: connect again")
  }

  /// Ends the session if it reads and a subscriber has been behind for too long: the client would show old prices as
  /// live.
  ///
  /// The time in which the socket accepts no data counts too, because prices grow old meanwhile. When it accepts data
  /// again, the session has `catchUpGrace` to catch up. It gets that once, until no subscriber is behind for
  /// `catchUpLimit` any more.
  func endIfBehind() {
    guard let context, !isClosing else { return }
    let (now, limits) = (context.eventLoop.now, dependencies.limits)
    guard let since = subscriptions.compactMap(\.behindSince).min(), now - since >= limits.catchUpLimit else {
      graceEnd = nil
      return
    }
    // It is checked again when the socket takes data.
    guard context.channel.isWritable else { return }
    let end = graceEnd ?? (output.lastChange + limits.catchUpGrace)
    graceEnd = end
    if end > now {
      behindTimer?.cancel()
      behindTimer = context.eventLoop.assumeIsolated().scheduleTask(deadline: end) { [weak self] in self?.endIfBehind()
      }
      return
    }
    dependencies.metrics.refused(.busy)
    logger.info("session closed because it could not be brought up to date")
    perform(conversation.shutDown(), reason: "the client could not be brought up to date in time: connect again")
  }

  func leaveAll() {
    while !subscriptions.isEmpty { leave(subscriptions.count - 1) }
  }

  func schedulePing() {
    guard let context else { return }
    let due = context.eventLoop.now + dependencies.limits.pingInterval
    pingTimer = context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { [weak self] in
      self?.pingOrDrop(due: due)
    }
  }

  /// Drops the session if the client does not respond or does not read. Otherwise sends a ping, and schedules the next.
  ///
  /// - Parameter due: The time at which this was to be called.
  func pingOrDrop(due: NIODeadline) {
    guard let context, !isClosing else { return }
    let (now, limits) = (context.eventLoop.now, dependencies.limits)
    // The time that the event loop was late, or that a request was in progress, is not the client's silence.
    let late = now - due
    lastInbound = isBusy ? now : min(lastInbound + late, now)
    output.delay(by: late, now: now)
    for index in subscriptions.indices {
      subscriptions[index].behindSince = subscriptions[index].behindSince.map { min($0 + late, now) }
    }
    graceEnd = graceEnd.map { $0 + late }
    var isStuck = false
    if !context.channel.isWritable {
      // A client that reads is alive. It gets no pings meanwhile.
      if output.update(pending: context.channel.pendingBytes, now: now, limits: limits) { lastInbound = now }
      isStuck = output.isStuck(now: now, limits: limits)
    }
    if isStuck || now - lastInbound >= limits.silence {
      dependencies.metrics.refused(.silence)
      logger.info("session dropped: the client \(isStuck ? "does not read" : "does not respond")")
      context.close(promise: nil)
      return
    }
    endIfBehind()
    if isClosing { return }
    if context.channel.isWritable {
      var frame = context.channel.allocator.buffer(capacity: ByteBuffer.longestFrameHead)
      frame.writeControlFrame(.ping)
      allowance.sent(1, now: now)
      context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }
    schedulePing()
  }
}
