package import Localization
import TerminalCore

/// The assignment of keys to commands.
package struct KeyMap: Hashable, Sendable {
  /// An error in a custom key binding.
  package struct Fault: LocalizedMessageError, Hashable {
    /// The command with the invalid binding.
    package let name: String
    package let sentence: LocalizedMessage

    fileprivate init(for name: String, _ phrase: MessageKey, _ values: any MessageArgument...) {
      (self.name, sentence) = (name, LocalizedMessage(phrase, values: values))
    }
  }

  private static let quit = "quit"

  private var commands: [Key: Command] = [:]
  /// The keys of each command, in display order.
  private var keys: [Command: [Key]] = [:]

  /// The default keys.
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

  private init() {}

  /// Creates a map from the default keys and custom keys for some commands, given by name. A custom key is removed from
  /// the command that it belongs to by default.
  ///
  /// - Throws: `Fault` if a command or key is unknown, a key belongs to two commands, or no key quits.
  package init(_ bindings: [(name: String, keys: [String])]) throws(Fault) {
    self = .standard
    var bound: [Key: String] = [:]
    for (name, keyNames) in bindings {
      guard let command = KeyBinding.command(name) else {
        throw Fault(
          for: name, .keysUnknownCommand, name,
          LocalizedMessage.list(KeyBinding.commands.map(\.name).closestMatches(to: name)))
      }
      var own: [Key] = []
      for keyName in keyNames {
        guard let key = Key(name: keyName) else { throw Fault(for: name, .keysUnknownKey, keyName) }
        // NB: the terminal can turn Ctrl-C into a signal, so it can only mean quit.
        if key == .control("c"), command != .quit { throw Fault(for: name, .keysTwice, key.name, name, Self.quit) }
        if let other = bound.updateValue(name, forKey: key), other != name {
          throw Fault(for: name, .keysTwice, key.name, other, name)
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
    if keys(of: .quit).isEmpty { throw Fault(for: Self.quit, .keysNoQuit) }
  }

  /// All commands with their keys, by name.
  package var bindings: [(name: String, keys: [String])] {
    KeyBinding.commands.map { named in (named.name, keys(of: named.command).map(\.name)) }
  }
}
