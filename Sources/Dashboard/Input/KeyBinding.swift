package import Localization
import TerminalCore

/// One line of the key table, from which the footer, the help, the man page and the configuration are made.
package struct KeyBinding: Sendable {
  /// What stands under one heading.
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

  /// A command, what the configuration calls it, and its keys where that names no others.
  struct Named: Sendable {
    let command: Command
    let name: String
    let keys: [Key]

    /// `keys` are their names with blanks between.
    init(_ command: Command, _ name: String, _ keys: String = "") {
      (self.command, self.name) = (command, name)
      self.keys = keys.split(separator: " ").map { text in
        guard let key = Key(name: String(text)) else { preconditionFailure("'\(text)' is no key") }
        return key
      }
    }
  }

  /// What stands behind the key in the footer.
  enum Hint {
    case word(MessageKey)
    /// Not shown for a recording of one channel.
    case channel
    /// The throttle's interval.
    case throttle
    /// The simulated feed's rate, where there is one.
    case rate
    /// A word for a feed that can be reconnected.
    case reconnect(MessageKey)
    /// What a recording would do; a word for any other feed.
    case pause(else: MessageKey)
    /// How far a recording jumps.
    case jump
    /// A word that stands where there is an account.
    case account(MessageKey)
    /// What it would do with the account.
    case logInOrOut
    /// A word for a session that can be ended.
    case endSession(MessageKey)
  }

  package let group: Group
  /// What the keys do, as a sentence without its stop.
  package let help: MessageKey
  let commands: [Named]
  /// Nil where the keys are not shown in the footer.
  let hint: Hint?

  init(_ group: Group, _ help: MessageKey, hint: Hint? = nil, _ commands: Named...) {
    self.init(group, help, hint: hint, commands)
  }

  init(_ group: Group, _ help: MessageKey, hint: Hint? = nil, _ commands: [Named]) {
    (self.group, self.help, self.commands, self.hint) = (group, help, commands, hint)
  }

  /// What the configuration calls its commands.
  package var names: [String] { commands.map(\.name) }

  /// The keys as a reader knows them, the first of each command before the others: "Up Down k j"; empty where there are
  /// none. Of more than fit into those cells, the first of each.
  package func label(_ map: KeyMap, _ words: Catalog, cells: Int = .max) -> String {
    let lists = commands.map { map.keys(of: $0.command) }
    var label = ""
    for round in 0..<(lists.map(\.count).max() ?? 0) {
      let keys = lists.filter { round < $0.count }.map { $0[round].label(words) }
      let next = (label.isEmpty ? [] : [label]) + (keys.isRunOfDigits ? ["\(keys[0])-\(keys[keys.count - 1])"] : keys)
      let text = next.joined(separator: " ")
      if !label.isEmpty, text.cellWidth > cells { break }
      label = text
    }
    return label
  }

  /// The key that the footer shows: the first of the first command that has one.
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
