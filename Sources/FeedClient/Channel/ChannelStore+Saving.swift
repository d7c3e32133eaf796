package import OddsFeed

/// What a channel held of its stream, and when it was last heard of, in milliseconds since 1970.
package struct SavedChannel: Sendable {
  package let topic: Topic
  package let state: ChannelState
  package let heardAt: Int64
}

extension ChannelStore {
  /// The channel as it is, to be saved; nil where it holds nothing, or nothing of a stream. A copy that shares its memory
  /// until the channel changes.
  package var saved: SavedChannel? {
    guard source == .stream, state.hasDump, state.matchIDs.contains(where: { _ in true }) else { return nil }
    return SavedChannel(topic: topic, state: state, heardAt: lastNews)
  }
}
