package import Localization
import Platform
package import TerminalCore

/// The assignment of keys to commands.
package struct KeyMap: Hashable, Sendable {
  private static let quit = "quit"

  private var commands: [Key: Command] = [:]
  /// The keys of each command, in display order.
  private var keys: [Command: [Key]] = [:]

  package static let standard: KeyMap = {
    var map = KeyMap()
    for named in KeyBinding.commands {
      for key in named.keys {
        precondition(map.commands.updateValue(named.command, forKey: key) == nil, "a key is bound twice: \(key)")
      }
      map.keys[named.command] = named.keys
    }
    return map
  }()

  subscript(key: Key) -> Command? { commands[key] }

  func keys(of command: Command) -> [Key] { keys[command] ?? [] }

  /// Returns the display names of the keys of a command. Empty if it has none.
  func label(of command: Command, _ words: Catalog) -> String {
    keys(of: command).map { $0.label(words) }.joined(separator: " ")
  }

  /// Returns the display name of the first key of a command. If it has none, returns the command as it is typed.
  func name(of command: Command, _ words: Catalog) -> String {
    if let key = keys(of: command).first { return key.label(words) }
    let name = KeyBinding.commands.first { $0.command == command }?.name ?? ""
    return (try? CommandText(name).command()) == nil ? name : ":\(name)"
  }

  private init() {}

  /// Creates a map from the default keys and custom keys for some commands, given by name. A custom key is removed from
  /// the command that it belongs to by default.
  ///
  /// - Throws: `KeyMapError` if a command or key is unknown, a key belongs to two commands, or no key quits.
  package init(_ bindings: [(name: String, keys: [String])]) throws(KeyMapError) {
    self = .standard
    var bound: [Key: String] = [:]
    for (name, keyNames) in bindings {
      guard let command = KeyBinding.command(name) else {
        throw KeyMapError(
          for: name, .keysUnknownCommand, name,
          LocalizedMessage.list(KeyBinding.commands.map(\.name).closestMatches(to: name)))
      }
      var own: [Key] = []
      for keyName in keyNames {
        guard let key = Key(name: keyName) else { throw KeyMapError(for: name, .keysUnknownKey, keyName) }
        // NB: the terminal can turn Ctrl-C into a signal, so it can only mean quit.
        if key == .control("c"), command != .quit {
          throw KeyMapError(for: name, .keysTwice, key.name, name, Self.quit)
        }
        if let other = bound.updateValue(name, forKey: key), other != name {
          throw KeyMapError(for: name, .keysTwice, key.name, other, name)
        }
        if !own.contains(key) { own.append(key) }
      }
      for key in keys(of: command) where bound[key] == nil { commands[key] = nil }
      keys[command] = own
    }
    for (key, name) in bound {
      let command = KeyBinding.command(name)!
      if let old = commands.updateValue(command, forKey: key), old != command { keys[old]?.removeAll { $0 == key } }
    }
    if keys(of: .quit).isEmpty { throw KeyMapError(for: Self.quit, .keysNoQuit) }
  }

  /// All commands with their keys, by name.
  package var bindings: [(name: String, keys: [String])] {
    KeyBinding.commands.map { named in (named.name, keys(of: named.command).map(\.name)) }
  }
}

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
  func label(_ words: Catalog) -> String { Self.named.first { $0.key == self }?.word.map { words($0) } ?? name }
}

/// An error in a custom key binding.
package struct KeyMapError: LocalizedMessageError, Hashable {
  /// The command with the invalid binding.
  package let name: String
  package let sentence: LocalizedMessage

  fileprivate init(for name: String, _ phrase: MessageKey, _ values: any MessageArgument...) {
    self.name = name
    sentence = LocalizedMessage(phrase, values: values)
  }
}
