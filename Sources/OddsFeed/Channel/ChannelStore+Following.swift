package import OddsModel

/// A change of a channel: the effect of one message, of a connection change or of elapsed time.
package struct ChannelEvent: Sendable {
  /// The time of the change, in milliseconds since 1970: that of the message's receipt, if the feed states it.
  package let time: Int64
  /// The ids of the matches that may differ, each once, in no particular order.
  package let matches: [MatchID]
  package let status: ChannelStatus
  /// True if the channel holds the feed's whole state: its dump is applied and no message is missing.
  package let isComplete: Bool
}

/// The state of a channel received from its stream, and the time of its last news, in milliseconds since 1970.
package struct SavedChannel: Sendable {
  package let topic: Topic
  package let state: ChannelState
  package let heardAt: Int64
}

extension ChannelStore {
  package typealias Follower = @Sendable (inout ChannelState, ChannelEvent) -> Void

  struct FollowerEntry: Sendable {
    let number: UInt64
    let receivesEachMessage: Bool
    let visit: Follower
  }

  /// Adds a closure that is called after messages and after each change of connection, topic or freshness. It runs on
  /// the store and delays the feed.
  ///
  /// - Parameter eachMessage: True to call it after each message, without merging; false to call it once for all
  ///   messages that arrive together.
  /// - Returns: The number of the follower, for `unfollow(_:)`.
  @discardableResult
  package func follow(eachMessage: Bool = true, _ visit: @escaping Follower) -> UInt64 {
    lastFollower += 1
    followers.append(FollowerEntry(number: lastFollower, receivesEachMessage: eachMessage, visit: visit))
    return lastFollower
  }

  /// Removes a follower. It is not called afterwards.
  package func unfollow(_ number: UInt64) { followers.removeAll { $0.number == number } }

  /// Calls the followers that `isWanted` selects, in the order in which they were added.
  func notifyFollowers(
    of matches: some Collection<MatchID>, at now: Int64, where isWanted: (FollowerEntry) -> Bool
  ) {
    guard followers.contains(where: isWanted) else { return }
    let event = self.event(matches, at: now)
    for follower in followers where isWanted(follower) { follower.visit(&state, event) }
  }

  private func event(_ matches: some Collection<MatchID>, at now: Int64) -> ChannelEvent {
    ChannelEvent(
      time: now, matches: Array(matches), status: status,
      isComplete: source == .stream && state.hasDump && !isAwaitingDump)
  }

  /// True if messages were lost and only a further dump can complete the channel.
  var needsDump: Bool { state.lacksMessages }

  /// A copy of the channel for saving; nil if it has no matches or its data does not come from the stream. The copy
  /// shares memory with the channel until the channel changes.
  package var saved: SavedChannel? {
    guard source == .stream, state.hasDump, state.matchIDs.contains(where: { _ in true }) else { return nil }
    return SavedChannel(topic: topic, state: state, heardAt: lastNews)
  }
}
