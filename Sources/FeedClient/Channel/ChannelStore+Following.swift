package import OddsFeed

/// A change of a channel: the effect of one message, or of the connection or of time.
package struct ChannelEvent: Sendable {
  /// When it happened, in milliseconds since 1970: when the message was received, as far as the feed tells.
  package let time: Int64
  /// The matches that may differ, each once, in no order.
  package let matches: [MatchID]
  package let status: ChannelStatus
  /// True where the channel holds all that the feed has told: its dump is in, and no message is missing.
  package let isComplete: Bool
}

extension ChannelStore {
  struct Follower: Sendable {
    let visit: @Sendable (inout ChannelState, ChannelEvent) -> Void
  }

  /// Calls `visit` after each message, none merged, and after each change of connection, topic or freshness. The channel
  /// waits for it, and the feed for the channel. Takes the place of an earlier follower.
  package func follow(_ visit: @escaping @Sendable (inout ChannelState, ChannelEvent) -> Void) {
    follower = Follower(visit: visit)
  }

  func event(_ matches: some Collection<MatchID>, at now: Int64) -> ChannelEvent {
    ChannelEvent(
      time: now, matches: Array(matches), status: status,
      isComplete: source == .stream && state.hasDump && !isAwaitingDump)
  }

  /// True where messages were lost and only a further dump can make the channel whole.
  var needsDump: Bool { state.lacksMessages }
}
