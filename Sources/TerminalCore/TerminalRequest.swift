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
  /// Tell what it is like: some `TerminalAnswer`s, of which the last is `end`. Many terminals know but that one.
  case answers
}

/// What a terminal answers when it is asked what it is like.
package enum TerminalAnswer: Hashable, Sendable {
  /// What lies behind its text.
  case background(Color)
  /// Whether it knows a private mode of that number, and it can be changed.
  case mode(Int, isKnown: Bool)
  /// There are no more answers to come.
  case end
}
