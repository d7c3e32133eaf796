package import OddsModel

/// The state of a channel received from its stream, and the time of its last news, in milliseconds since 1970.
package struct SavedChannel: Sendable {
  package let topic: Topic
  package let state: ChannelState
  package let heardAt: Int64
}

extension ChannelStore {
  /// A copy of the channel for saving; nil if it has no matches or its data does not come from the stream. The copy
  /// shares memory with the channel until the channel changes.
  package var saved: SavedChannel? {
    guard source == .stream, state.hasDump, state.matchIDs.contains(where: { _ in true }) else { return nil }
    return SavedChannel(topic: topic, state: state, heardAt: lastNews)
  }
}
