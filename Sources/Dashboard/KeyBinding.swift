import TerminalCore
package import Wording

/// What a key can ask of the board.
enum Command: Hashable, Sendable {
  case channel(Int)
  case nextChannel, previousChannel
  /// Channels, or the time of a recording.
  case left, right
  case pause
  /// Pauses a recording; pins the row of any other feed.
  case space
  case reconnect
  case up, down, pageUp, pageDown, halfPageUp, halfPageDown, top, bottom
  case cycleThrottle, faster, slower
  case freeze, damage, wholeScreen
  case inspect
  /// What is found: the prompt for it, the next and the previous row, whether other rows are shown too.
  case find, nextFound, previousFound, showAll
  /// The prompt for a command by its name.
  case command
  case sort, reverse
  case open, pin, watch
  case cycleOdds, cycleTheme
  case addAlert, alerts
  case mouse
  case write, copy
  case account, logInOrOut, endSession
  case help, close, quit
}

/// One line of the key table, from which the footer, the help, the man page and the README are made.
package struct KeyBinding: Sendable {
  /// The keys as a reader knows them: "PgUp Ctrl-U".
  package let label: Sentence
  /// What they do, as a sentence without its stop.
  package let help: Phrase
  /// What stands behind the key in the footer; nil where the key is not shown there.
  let hint: Hint?
  let keys: [Key: Command]

  enum Hint {
    case word(Phrase)
    /// Not shown for a recording of one channel.
    case channel
    /// The throttle's interval.
    case throttle
    /// The simulated feed's rate, where there is one.
    case rate
    /// A word for a feed that can be reconnected.
    case reconnect(Phrase)
    /// What a recording would do.
    case pause
    /// How far a recording jumps.
    case jump
    /// A word that stands behind all others, where there is room.
    case spare(Phrase)
    /// A word that stands where there is an account.
    case account(Phrase)
    /// What it would do with the account.
    case logInOrOut
    /// A word for a session that can be ended.
    case endSession(Phrase)
  }

  /// Keys that have a name in each language.
  private init(_ label: Phrase, _ help: Phrase, hint: Hint? = nil, _ keys: [Key: Command]) {
    self.init(Sentence(label), help, hint, keys)
  }

  /// Keys that are called the same in every language.
  private init(_ label: String, _ help: Phrase, hint: Hint? = nil, _ keys: [Key: Command]) {
    self.init(.verbatim(label), help, hint, keys)
  }

  private init(_ label: Sentence, _ help: Phrase, _ hint: Hint?, _ keys: [Key: Command]) {
    self.label = label
    self.help = help
    self.hint = hint
    self.keys = keys
  }

  /// Every key of the board.
  package static let all: [KeyBinding] = [
    KeyBinding(
      "1-9", .helpChannel, hint: .channel,
      Dictionary(uniqueKeysWithValues: (1...9).map { (.character(Character("\($0)")), .channel($0 - 1)) })),
    KeyBinding("Tab", .helpNextChannel, [.tab: .nextChannel, .backTab: .previousChannel]),
    KeyBinding(.keySpace, .helpPause, hint: .pause, [.character(" "): .space]),
    KeyBinding("Enter", .helpOpen, [.enter: .open]),
    KeyBinding("m", .helpPin, [.character("m"): .pin]),
    KeyBinding("0", .helpWatch, [.character("0"): .watch]),
    KeyBinding(.keyLeftRight, .helpJump, hint: .jump, [.left: .left, .right: .right]),
    KeyBinding(
      .keyUpDown, .helpRow, [.up: .up, .character("k"): .up, .down: .down, .character("j"): .down]),
    KeyBinding(
      .keyPages, .helpPage,
      [
        .pageUp: .pageUp, .control("b"): .pageUp, .pageDown: .pageDown, .control("f"): .pageDown,
        .control("u"): .halfPageUp, .control("d"): .halfPageDown,
      ]),
    KeyBinding(
      "g G", .helpFirst, [.character("g"): .top, .home: .top, .character("G"): .bottom, .end: .bottom]),
    KeyBinding("/", .helpFind, [.character("/"): .find]),
    KeyBinding("n N", .helpFound, [.character("n"): .nextFound, .character("N"): .previousFound]),
    KeyBinding("f", .helpShowAll, [.character("f"): .showAll]),
    KeyBinding(":", .helpCommand, [.character(":"): .command]),
    KeyBinding("s S", .helpSort, [.character("s"): .sort, .character("S"): .reverse]),
    KeyBinding("o", .helpOdds, [.character("o"): .cycleOdds]),
    KeyBinding("a", .helpAlert, [.character("a"): .addAlert]),
    KeyBinding("A", .helpAlerts, [.character("A"): .alerts]),
    KeyBinding("w", .helpWrite, [.character("w"): .write]),
    KeyBinding("y", .helpCopy, [.character("y"): .copy]),
    KeyBinding("T", .helpTheme, [.character("T"): .cycleTheme]),
    KeyBinding("M", .helpMouse, [.character("M"): .mouse]),
    KeyBinding("t", .helpThrottle, hint: .throttle, [.character("t"): .cycleThrottle]),
    KeyBinding(
      "+ -", .helpRate, hint: .rate,
      [.character("+"): .faster, .character("="): .faster, .character("-"): .slower]),
    KeyBinding("r", .helpReconnect, hint: .reconnect(.hintReconnect), [.character("r"): .reconnect]),
    KeyBinding("p", .helpFreeze, hint: .word(.hintFreeze), [.character("p"): .freeze]),
    KeyBinding("D", .helpDamage, hint: .word(.hintDamage), [.character("D"): .damage]),
    KeyBinding("F", .helpWhole, hint: .word(.hintWhole), [.character("F"): .wholeScreen]),
    KeyBinding("i", .helpInspect, hint: .spare(.hintInspect), [.character("i"): .inspect]),
    KeyBinding("$", .accountKeyPane, hint: .account(.accountHintPane), [.character("$"): .account]),
    KeyBinding("L", .accountKeyLogin, hint: .logInOrOut, [.character("L"): .logInOrOut]),
    KeyBinding("X", .accountKeyEnd, hint: .endSession(.accountHintEnd), [.character("X"): .endSession]),
    KeyBinding("?", .helpHelp, hint: .word(.hintHelp), [.character("?"): .help, .function(1): .help]),
    KeyBinding(.keyEscape, .helpClose, [.escape: .close]),
    KeyBinding("q Ctrl-C", .helpQuit, hint: .word(.hintQuit), [.character("q"): .quit, .control("c"): .quit]),
  ]

  /// The keys that ask for that.
  static func label(of command: Command) -> Sentence {
    all.first { $0.keys.values.contains(command) }?.label ?? .verbatim("")
  }

  /// How many cells the labels take with the gap behind them.
  static func labelWidth(_ words: Catalog) -> Int {
    max(12, 1 + (all.map { words.text($0.label).cellWidth }.max() ?? 0))
  }

  /// The footer's order.
  static let hints = ordered { binding in
    switch binding.hint {
    case .spare, .logInOrOut, .endSession: 1
    default: 0
    }
  }

  /// The footer's order where there is an account: what is for comparison gives way to it, and it to help and quitting.
  static let accountHints = ordered { binding in
    switch binding.hint {
    case .account, .logInOrOut, .endSession: 1
    case .spare: 2
    default: Set(binding.keys.values).isDisjoint(with: [.damage, .wholeScreen]) ? 0 : 3
    }
  }

  private static func ordered(_ rank: (KeyBinding) -> Int) -> [KeyBinding] {
    (0...3).flatMap { place in all.filter { rank($0) == place } }
  }

  static let commands: [Key: Command] = all.reduce(into: [:]) { table, binding in
    table.merge(binding.keys) { first, _ in preconditionFailure("a key is bound twice: \(first)") }
  }
}
