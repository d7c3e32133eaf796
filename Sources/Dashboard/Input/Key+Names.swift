import Localization
package import TerminalCore

extension Key {
  /// Keys that are no characters, by what the configuration calls them, and by what a reader does where that differs.
  private static let named: [(name: String, key: Key, word: MessageKey?)] = [
    ("Space", .character(" "), .keySpace), ("Enter", .enter, .keyEnter), ("Tab", .tab, nil),
    ("Shift-Tab", .backTab, .keyBackTab), ("Esc", .escape, .keyEscape), ("Up", .up, .keyUp), ("Down", .down, .keyDown),
    ("Left", .left, .keyLeft), ("Right", .right, .keyRight), ("PgUp", .pageUp, .keyPageUp),
    ("PgDn", .pageDown, .keyPageDown), ("Home", .home, .keyHome), ("End", .end, .keyEnd),
    ("Backspace", .backspace, nil), ("Delete", .delete, nil), ("Insert", .insert, nil),
  ]

  /// Letters that the terminal sends with Ctrl as another key, or keeps to itself.
  private static let uncontrolled: Set<Character> = ["h", "i", "j", "m", "z"]

  /// The key that a text names: a character for itself, or "Space", "PgUp", "Ctrl-D", "F1", in capitals or not. Nil where
  /// it names none, or one that no terminal sends.
  init?(name: String) {
    let lower = name.lowercased()
    if let key = Self.named.first(where: { $0.name.lowercased() == lower })?.key {
      self = key
    } else if name.count == 1, let character = name.first, name.cellWidth > 0, character != " " {
      guard name.unicodeScalars.count == 1, !character.isWhitespace else { return nil }
      self = .character(character)
    } else if lower.hasPrefix("ctrl-"), lower.utf8.count == 6, let letter = lower.last, "a"..."z" ~= letter {
      if Self.uncontrolled.contains(letter) { return nil }
      self = .control(letter)
    } else if lower.first == "f", let number = Int(lower.dropFirst()), 1...12 ~= number, lower == "f\(number)" {
      self = .function(number)
    } else {
      return nil
    }
  }

  /// What the configuration calls it.
  package var name: String {
    switch self {
    case .control(let letter): "Ctrl-\(letter.uppercased())"
    case .function(let number): "F\(number)"
    default:
      if let named = Self.named.first(where: { $0.key == self }) {
        named.name
      } else if case .character(let character) = self {
        String(character)
      } else {
        "?"
      }
    }
  }

  /// What a reader knows it as.
  func label(_ words: Catalog) -> String {
    Self.named.first { $0.key == self }?.word.map { words($0) } ?? name
  }
}
