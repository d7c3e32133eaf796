package import Localization
import TerminalCore

/// An entry of the key table. The footer, the help, the man page and the configuration are generated from the table.
package struct KeyBinding: Sendable {
  package enum Group: CaseIterable, Sendable {
    case moving, finding, prices, panes, session, feed

    package var title: MessageKey {
      switch self {
      case .moving: .helpMoving
      case .finding: .helpFinding
      case .prices: .helpPrices
      case .panes: .helpPanes
      case .session: .helpSession
      case .feed: .helpFeed
      }
    }
  }

  /// A command with its name in the configuration and its default keys.
  struct Named: Sendable {
    let command: Command
    let name: String
    let keys: [Key]

    /// Creates an entry. `keys` are names of keys, separated by spaces.
    init(_ command: Command, _ name: String, _ keys: String = "") {
      self.command = command
      self.name = name
      self.keys = keys.split(separator: " ").map { text in
        guard let key = Key(name: String(text)) else { preconditionFailure("'\(text)' is no key") }
        return key
      }
    }
  }

  /// The text after the key in the footer.
  enum Hint {
    case word(MessageKey)
    /// A word after the keys of all commands.
    case pair(MessageKey)
    /// A word, shown if there are unread alerts.
    case alerts(MessageKey)
    /// Hidden for a recording of a single channel.
    case channel
    case throttle
    /// The rate of a simulated feed. Hidden for other feeds.
    case rate
    /// A word, shown if the feed supports reconnecting.
    case reconnect(MessageKey)
    /// The effect on a recording, or a word for any other feed. Hidden for other feeds if there is no word.
    case pause(else: MessageKey?)
    /// The distance that a recording seeks. Hidden for other feeds.
    case jump
    /// A word, shown if there is an account.
    case account(MessageKey)
    /// The effect on the account: login or logout. Hidden without an account.
    case logInOrOut
    /// A word, shown if the session can be ended.
    case endSession(MessageKey)
  }

  package let group: Group
  /// A description of the keys, as a sentence without its full stop.
  package let help: MessageKey
  let commands: [Named]
  /// Nil if the footer does not show the keys.
  let hint: Hint?

  init(_ group: Group, _ help: MessageKey, hint: Hint? = nil, _ commands: Named...) {
    self.init(group, help, hint: hint, commands)
  }

  init(_ group: Group, _ help: MessageKey, hint: Hint? = nil, _ commands: [Named]) {
    self.group = group
    self.help = help
    self.commands = commands
    self.hint = hint
  }

  /// The names of the commands in the configuration.
  package var names: [String] { commands.map(\.name) }

  /// Returns the display names of the keys: the first key of each command, then the second ones, as in "Up Down k j".
  /// Stops before the result exceeds `cells`, but includes the first keys in any case. Empty if no command has a key.
  package func label(_ map: KeyMap, _ words: Catalog, cells: Int? = nil) -> String {
    let lists = commands.map { map.keys(of: $0.command) }
    var label = ""
    for round in 0..<(lists.map(\.count).max() ?? 0) {
      let keys = lists.filter { round < $0.count }.map { $0[round].label(words) }
      let next = (label.isEmpty ? [] : [label]) + (keys.isRunOfDigits ? ["\(keys[0])-\(keys[keys.count - 1])"] : keys)
      let text = next.joined(separator: " ")
      if let cells, !label.isEmpty, text.cellWidth > cells { break }
      label = text
    }
    return label
  }

  /// Returns the key for the footer: the first key of the first command that has one.
  func firstKey(_ map: KeyMap) -> Key? { commands.lazy.compactMap { map.keys(of: $0.command).first }.first }

  static func command(_ name: String) -> Command? { commands.first { $0.name == name }?.command }

  static let commands: [Named] = all.flatMap(\.commands)
}

extension [String] {
  fileprivate var isRunOfDigits: Bool {
    let digits = compactMap { $0.utf8.count == 1 ? Int($0) : nil }
    return count > 2 && digits.count == count && zip(digits, digits.dropFirst()).allSatisfy { $0 + 1 == $1 }
  }
}
