package import OddsModel

/// A change of a channel: the effect of one message, of a connection change or of elapsed time.
package struct ChannelEvent: Sendable {
  /// The time of the change, in milliseconds since 1970: the time at which the message was received, if the feed states
  /// it.
  package let time: Int64
  /// The ids of the matches that may differ, each once, in no particular order.
  package let matches: [MatchID]
  package let status: ChannelStatus
  /// True if the channel holds the feed's whole state: its dump is applied and no message is missing.
  package let isComplete: Bool
}

extension ChannelStore {
  struct Follower: Sendable {
    let visit: @Sendable (inout ChannelState, ChannelEvent) -> Void
  }

  /// Sets a closure that is called after each message, without merging, and after each change of connection, topic or
  /// freshness. It runs on the store and delays the feed. Replaces an earlier follower.
  package func follow(_ visit: @escaping @Sendable (inout ChannelState, ChannelEvent) -> Void) {
    follower = Follower(visit: visit)
  }

  func event(_ matches: some Collection<MatchID>, at now: Int64) -> ChannelEvent {
    ChannelEvent(
      time: now, matches: Array(matches), status: status,
      isComplete: source == .stream && state.hasDump && !isAwaitingDump)
  }

  /// True if messages were lost and only a further dump can complete the channel.
  var needsDump: Bool { state.lacksMessages }
}
