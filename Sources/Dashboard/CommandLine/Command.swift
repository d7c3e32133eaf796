/// A command that a key or the command line can request.
enum Command: Hashable, Sendable {
  case channel(Int)
  case nextChannel, previousChannel
  /// Changes the channel, seeks in a recording or, in the detail pane of a live feed, changes the match.
  case left, right
  case pause
  /// Pauses a recording. For any other feed, pins the row.
  case space
  case reconnect
  case up, down, pageUp, pageDown, halfPageUp, halfPageDown, top, bottom
  case cycleThrottle, faster, slower
  case freeze, damage, wholeScreen
  case inspect
  /// The prompt for a filter, the next and previous matching row, and the toggle that shows the other rows too.
  case find, nextFound, previousFound, showAll
  /// The prompt for a named command.
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
