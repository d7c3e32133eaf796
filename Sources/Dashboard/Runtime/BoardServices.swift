package import AccountModel
import Algorithms
package import OddsHistory
package import OddsModel
package import TerminalCore

/// The feed, as the board uses it: channels over a connection that can be lost. The connection's state and problems are
/// reported in each channel's updates.
package protocol FeedService: Sendable {
  /// Starts to connect to the feed. Called once.
  func connect() async
  /// Disconnects from the feed, and returns when all is closed.
  func disconnect() async
  /// Reconnects at once if the connection waits for its next attempt or gave up.
  func reconnect() async
  /// Replaces the connection if it presents an account's token.
  func reauthenticate() async
  /// Opens a topic. `onPending` is called from any thread when an update becomes available.
  func open(_ topic: Topic, onPending: @escaping @Sendable () -> Void) async -> any OpenChannel
  /// Opens all markets of a match of a channel, with `onPending` as in `open`; nil if the feed has no topic for them.
  func openMatch(_ id: MatchID, of topic: Topic, onPending: @escaping @Sendable () -> Void) async -> (any OpenChannel)?
  /// Sets the pace of a simulated feed, in odds updates per second. Other feeds ignore it.
  func setRate(_ updatesPerSecond: Double) async
  /// Returns the address in use; nil if the feed does not have several. It changes only with the connection's state.
  func address() -> CurrentAddress?
  /// Returns the playback of a recording; nil for any other feed.
  func playback() -> Playback?
  /// Pauses or resumes a recording. Other feeds ignore it.
  func togglePause()
  /// Jumps in a recording by a step of its own time. Other feeds ignore it.
  func seek(by step: Duration)
  /// Jumps to a position in a recording, in its own time. Other feeds ignore it.
  func seek(to position: Duration)
}

/// An open channel that the board reads.
package protocol OpenChannel: Sendable {
  /// Returns the merged changes of the wanted matches and at most `limit` others since the last call; nil if there are
  /// none. The rest is returned by later calls.
  func drain(prioritizing wanted: @autoclosure () -> [MatchID], limit: Int) -> ChannelUpdate?
  /// Returns a match as the last `drain` returned it; nil if none did, or if the match was removed.
  func match(_ id: MatchID) -> Match?
  /// Returns the loading state of the channel's topic. `onPending` is called when it may have changed.
  func status() -> OpenTopic
  /// Returns the channel's health. It costs more than an update, so do not call it for every frame.
  func health() async -> ChannelHealth
  func close() async
}

extension OpenChannel {
  /// Returns all merged changes since the last call; nil if there are none.
  package func drain() -> ChannelUpdate? { drain(prioritizing: [], limit: .max) }
}

/// The loading state of a channel's topic.
package enum OpenTopic: Hashable, Sendable {
  case waiting
  /// The first dump is available: the next update is the whole topic.
  case loaded
  /// The feed does not serve the topic.
  case refused
}

/// The user's account, as the board uses it. Requests take effect in the order of the calls; none waits for the server.
package protocol AccountService: Sendable {
  /// True if the session can be ended from the board, to show the effect.
  var canEndSession: Bool { get }
  /// Starts the service, and logs in if it has credentials. `onChange` is called from any thread when a status becomes
  /// available.
  func start(onChange: @escaping @Sendable () -> Void)
  /// Returns the account's status; nil if it has not changed since the last call.
  func drain() -> AccountStatus?
  /// Logs in. Progress is reported as status.
  func logIn(user: String, password: Secret)
  /// Ends the session at the user's request.
  func logOut()
  /// Retries at once an attempt that is pending or was given up.
  func retry()
  /// Continues without an account after the user has seen that the session has ended.
  func goHome()
  /// Makes the server end the session, if it supports that.
  func endSession()
  /// Closes the connections to the server before the program is suspended. `onClosed` is called from any thread when
  /// they are closed.
  func suspend(onClosed: @escaping @Sendable () -> Void)
  /// Opens the connections that `suspend` closed.
  func resume()
  /// Stops the service and returns when all is closed. A stored session stays valid.
  func stop() async
}

/// The recorded prices, as the board uses them.
package protocol PriceHistorySource: Sendable {
  /// The time of second zero of `FeedClock` in the history, in milliseconds since 1970. Nil if the history has the
  /// times of the system's clock.
  var epoch: Int64? { get }

  /// Returns what is recorded of an outcome since a time in milliseconds since 1970; nil if nothing is, or the history
  /// cannot be read. Does not block the caller's thread.
  func record(of outcome: OutcomeID, in market: MarketID, of match: MatchID, since begin: Int64) async -> OutcomeRecord?

  /// Returns the matches that have begun and that a query finds, without their markets: the newest ones, at most
  /// `HistorySearch.limit`, the newest first. Does not block the caller's thread.
  func pastMatches(_ query: MatchQuery) async -> Result<[Match], HistoryError>

  /// Returns a match as it was last known; nil if the history does not have it. Does not block the caller's thread.
  func lastKnown(_ match: MatchID) async -> Result<LastKnownMatch?, HistoryError>

  /// Returns the recorded prices for each request. Does not block the caller's thread.
  func pastPrices(_ requests: [AlertHistoryRequest]) async -> [AlertHistoryAnswer]
}

extension PriceHistorySource {
  package var epoch: Int64? { nil }

  /// Returns no matches, as for a recording: those that are over can be seen at an earlier position.
  package func pastMatches(_ query: MatchQuery) async -> Result<[Match], HistoryError> { .success([]) }

  package func lastKnown(_ match: MatchID) async -> Result<LastKnownMatch?, HistoryError> { .success(nil) }

  /// Reads recorded prices, and calls `body` with the answers in parts of at most 200 requests.
  package func readPastPrices(
    _ requests: [AlertHistoryRequest], _ body: @Sendable ([AlertHistoryAnswer]) async -> Void
  ) async {
    for part in requests.chunks(ofCount: 200) { await body(await pastPrices(Array(part))) }
  }
}

/// The machine besides terminal and feed, as the board uses it: configuration and files.
package protocol BoardHost: Sendable {
  /// Starts to watch the configuration. `onChange` is called from any thread when there are changes. Called once.
  func start(onChange: @escaping @Sendable () -> Void) async
  /// Returns the changes of the configuration since the last call.
  func drain() -> [Action]
  /// Writes a screen to a new file, with colours if the name ends in `.ansi` or `.ans`. Returns the message to show.
  func write(_ frame: Frame, to path: String) async -> StatusMessage
  /// Stores a session for the next run, after a delay in which a later session replaces it. Does not wait for the disk.
  func save(_ session: BoardSession)
  /// Hands alerts to the log and to other programs. Waits for neither the disk nor a program.
  func deliver(_ alerts: [AlertReport])
  /// Stops watching, and returns when all is written to disk.
  func stop() async
}
