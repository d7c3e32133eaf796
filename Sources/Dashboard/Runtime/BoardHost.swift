package import TerminalCore

/// The machine as the board sees it, but for the terminal and the feed: what the user has configured, and files.
package protocol BoardHost: Sendable {
  /// Begins to look for another configuration; `onNews` is called from anywhere when there is something to take. Called
  /// once.
  func start(onNews: @escaping @Sendable () -> Void) async
  /// What has happened to the configuration since the last call.
  func take() -> [Action]
  /// Writes a screen to a new file, with its colours where the name ends in `.ansi` or `.ans`. Returns what to say of it.
  func write(_ frame: Frame, to path: String) async -> StatusMessage
  /// Keeps that for the next run, soon: a later one may come first. Does not wait for the disk.
  func keep(_ session: BoardSession)
  /// Ends the looking, and returns when all is on the disk.
  func stop() async
}
