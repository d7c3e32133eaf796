/// A request to the terminal other than showing a frame. A terminal without support does nothing.
package enum TerminalRequest: Hashable, Sendable {
  /// Sets the title of the window. An empty text restores the title from before.
  case title(String)
  /// Copies a text to the clipboard (OSC 52).
  case copy(String)
  /// Shows a desktop notification (OSC 9, 99 or 777).
  case notify(title: String, body: String)
  case bell
  /// Queries the terminal's capabilities. Some `TerminalAnswer`s follow; the last, and often the only one, is `end`.
  case answers
}

/// An answer of the terminal about its capabilities.
package enum TerminalAnswer: Hashable, Sendable {
  case background(Color)
  /// The state of a private mode. `isKnown` is true if the terminal supports the mode and can change it.
  case mode(Int, isKnown: Bool)
  case end
}
