import Localization
package import TerminalCore

extension Key {
  /// The keys other than characters, with their names in the configuration and, if different, their display names.
  private static let named: [(name: String, key: Key, word: MessageKey?)] = [
    ("Space", .character(" "), .keySpace), ("Enter", .enter, .keyEnter), ("Tab", .tab, nil),
    ("Shift-Tab", .backTab, .keyBackTab), ("Esc", .escape, .keyEscape), ("Up", .up, .keyUp), ("Down", .down, .keyDown),
    ("Left", .left, .keyLeft), ("Right", .right, .keyRight), ("PgUp", .pageUp, .keyPageUp),
    ("PgDn", .pageDown, .keyPageDown), ("Home", .home, .keyHome), ("End", .end, .keyEnd),
    ("Backspace", .backspace, nil), ("Delete", .delete, nil), ("Insert", .insert, nil),
  ]

  /// Letters whose Ctrl combination the terminal sends as another key, or handles itself.
  private static let uncontrolled: Set<Character> = ["h", "i", "j", "m", "z"]

  /// Parses the name of a key: a single character, or a name such as "Space", "PgUp", "Ctrl-D" or "F1", in any case.
  /// Returns nil if the name is unknown or no terminal sends the key.
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

  /// The name in the configuration.
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

  /// Returns the display name in the language of the catalog.
  func label(_ words: Catalog) -> String {
    Self.named.first { $0.key == self }?.word.map { words($0) } ?? name
  }
}
