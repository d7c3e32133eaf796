import OddsFeed
import TerminalCore

/// The topics that a board reads: one, and for a time a second one that replaces it.
extension BoardRuntime {
  /// The most matches outside the screen that may be applied per second of frames, so that visible matches do not wait.
  private static let unseenPerSecond = 30_000

  /// The most matches outside the screen that may be applied in one frame.
  var mostUnseen: Int { max(100, Int(frameInterval / .seconds(1) * Double(Self.unseenPerSecond))) }

  func openChannel(_ topic: Topic) async {
    let old = (open, next)
    open = await service.open(topic) { [input] in input.wake() }
    (next, hasMore) = (nil, false)
    await old.0?.close()
    await old.1?.close()
  }

  func openTopic(_ topic: Topic) async {
    let old = next
    next = await service.open(topic) { [input] in input.wake() }
    await old?.close()
  }

  /// Replaces the topic when the next one is loaded. Until then the old topic is read, so its rows and prices stay
  /// live.
  func exchangeTopics(at now: FrameTime) async {
    guard let next, !state.isFrozen else { return }
    switch next.look() {
    case .waiting: return
    case .refused where !state.isWatching:
      self.next = nil
      await send(.topicRefused, at: now)
      return await next.close()
    case .refused, .loaded: break
    }
    guard let update = next.drain() else { return }
    let old = open
    (open, self.next, hasMore) = (next, nil, false)
    await send(.topicReplaced(update), at: now)
    await old?.close()
  }

  func openMatch(_ id: MatchID, of topic: Topic) async {
    let known = open?.match(id)
    await closeMatch()
    detail = await service.openMatch(id, of: topic) { [input] in input.wake() }
    await send(.matchOpened(id, known: known, hasTopic: detail != nil), at: frameTime())
  }

  func closeMatch() async {
    let old = detail
    detail = nil
    await old?.close()
  }
}
