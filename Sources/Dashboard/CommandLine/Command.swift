/// What a key can ask of the board.
enum Command: Hashable, Sendable {
  case channel(Int)
  case nextChannel, previousChannel
  /// Channels, or the time of a recording.
  case left, right
  case pause
  /// Pauses a recording; pins the row of any other feed.
  case space
  case reconnect
  case up, down, pageUp, pageDown, halfPageUp, halfPageDown, top, bottom
  case cycleThrottle, faster, slower
  case freeze, damage, wholeScreen
  case inspect
  /// What is found: the prompt for it, the next and the previous row, whether other rows are shown too.
  case find, nextFound, previousFound, showAll
  /// The prompt for a command by its name.
  case command
  case sort, reverse
  case open, pin, watch
  case nextMatch, previousMatch
  case cycleOdds, cycleTheme
  case addAlert, alerts
  case mouse
  case write, copy
  case account, logInOrOut, endSession
  case help, close, quit
}
