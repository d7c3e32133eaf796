/// A key of the keyboard, as decoded from the terminal's input.
package enum Key: Hashable, Sendable {
  /// A printable character.
  case character(Character)
  /// Ctrl with a lower-case letter.
  case control(Character)
  case up, down, left, right
  case pageUp, pageDown, home, end
  case enter, tab, backTab, escape, backspace, delete, insert
  /// A function key: F1 is `function(1)`.
  case function(Int)

  var isCharacter: Bool { if case .character = self { true } else { false } }
}
