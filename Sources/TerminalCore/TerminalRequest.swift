/// What a terminal is asked to do besides showing frames. One that cannot does nothing.
package enum TerminalRequest: Hashable, Sendable {
  /// Have that stand on its window; empty gives back what stood there before.
  case title(String)
  /// Put that into the clipboard (OSC 52).
  case copy(String)
  /// Tell the user, wherever he looks (OSC 9, 99 or 777).
  case notify(title: String, body: String)
  /// Sound the bell.
  case bell
}
