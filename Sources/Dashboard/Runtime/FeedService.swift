package import OddsFeed

/// The feed as the board sees it: channels over a line that comes and goes. How the line does, and what is wrong with it
/// in words, is told with each channel's updates.
package protocol FeedService: Sendable {
  /// Whether there is a line that can be lost and had again: not with a file, or a pipe.
  var canReconnect: Bool { get }
  /// Begins to reach the feed. Called once.
  func connect() async
  /// Leaves the feed, and returns when all is put away.
  func disconnect() async
  /// Tries to reach the feed at once where the line waits to do so, or gave up.
  func reconnect() async
  /// Drops the line, where there is one that shows an account's token, and has another.
  func renewLine() async
  /// Opens a channel; `onPending` is called from anywhere when there is something to take after there was nothing.
  func open(_ channel: BoardChannel, onPending: @escaping @Sendable () -> Void) async -> any OpenChannel
  /// Opens all markets of a match of a channel; nil where the feed has no topic for that. `onPending` is as a channel's.
  func openMatch(
    _ id: MatchID, of channel: BoardChannel, onPending: @escaping @Sendable () -> Void
  ) async -> (any OpenChannel)?
  /// Paces a simulated feed, in odds updates a second; others ignore it.
  func setRate(_ updatesPerSecond: Double) async
  /// How the play of a recording stands; nil where the feed is none.
  func playback() -> Playback?
  /// Pauses a recording, or goes on playing it; other feeds ignore it.
  func togglePause()
  /// Jumps in a recording, by its own time; other feeds ignore it.
  func seek(by step: Duration)
}

/// A channel that the board reads.
package protocol OpenChannel: Sendable {
  /// What changed since the last call, merged; nil where nothing did.
  func take() -> ChannelUpdate?
  /// The same, of no more than so many matches besides those wanted; what is left comes with the next calls.
  func take(first wanted: [MatchID], most: Int) -> ChannelUpdate?
  /// A match as it was last taken; nil where it was not, or is gone.
  func match(_ id: MatchID) -> Match?
  /// Whether there is something to take that can stand for all of the topic; `onPending` is called when that may have
  /// changed.
  func look() -> OpenTopic
  /// How the channel does. Costs the feed's side something: not for every frame.
  func health() async -> ChannelHealth
  /// Gives the channel up.
  func close() async
}

extension OpenChannel {
  package func take(first wanted: [MatchID], most: Int) -> ChannelUpdate? { take() }
  package func look() -> OpenTopic { .loaded }
}

/// How far a channel's topic has come.
package enum OpenTopic: Hashable, Sendable {
  case waiting
  /// Its first dump is in: what is taken then is all of it.
  case loaded
  /// The feed does not serve it.
  case refused
}
