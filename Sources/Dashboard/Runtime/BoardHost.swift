package import TerminalCore

/// The machine besides terminal and feed, as the board uses it: configuration and files.
package protocol BoardHost: Sendable {
  /// Starts to watch the configuration. `onNews` is called from any thread when changes become available. Called once.
  func start(onNews: @escaping @Sendable () -> Void) async
  /// Returns the changes of the configuration since the last call.
  func drain() -> [Action]
  /// Writes a screen to a new file, with colours if the name ends in `.ansi` or `.ans`. Returns the message to show.
  func write(_ frame: Frame, to path: String) async -> StatusMessage
  /// Stores a session for the next run, after a delay in which a later session replaces it. Does not wait for the disk.
  func keep(_ session: BoardSession)
  /// Stops watching, and returns when all is written to disk.
  func stop() async
}
