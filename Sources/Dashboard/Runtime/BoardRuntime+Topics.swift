import TerminalCore

/// The topics that a board reads: one, and for a while another that is to take its place.
extension BoardRuntime {
  /// How many matches that nobody sees may change in a second of frames: what is seen does not wait for more.
  private static let unseenPerSecond = 30_000

  /// How many of them in one frame.
  var mostUnseen: Int { max(100, Int(frameInterval / .seconds(1) * Double(Self.unseenPerSecond))) }

  func openChannel() async {
    let old = (open, next)
    open = await service.open(state.opened) { [input] in input.wake() }
    (next, hasMore) = (nil, false)
    await old.0?.close()
    await old.1?.close()
  }

  func openTopic() async {
    let old = next
    next = await service.open(state.opened) { [input] in input.wake() }
    await old?.close()
  }

  /// The rows stay until there are others: the old topic is read, and its prices live, until the new one is loaded.
  func exchangeTopics(at now: FrameTime) async {
    guard let next, !state.isFrozen else { return }
    switch next.look() {
    case .waiting: return
    case .refused where !state.isWatching:
      self.next = nil
      _ = state.reduce(.topicRefused, at: now)
      return await next.close()
    case .refused, .loaded: break
    }
    guard let update = next.take() else { return }
    let old = open
    (open, self.next, hasMore) = (next, nil, false)
    performNow(state.reduce(.topicReplaced(update), at: now))
    await old?.close()
  }
}
