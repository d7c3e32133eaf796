import TerminalCore
import Wording

/// What a key can ask of the board.
enum Command: Hashable, Sendable {
  case channel(Int)
  case nextChannel, previousChannel
  /// Channels, or the time of a recording.
  case left, right
  case pause
  case reconnect
  case up, down, pageUp, pageDown, halfPageUp, halfPageDown, top, bottom
  case cycleThrottle, faster, slower
  case freeze, damage, wholeScreen
  case inspect
  case account, logInOrOut, endSession
  case help, close, quit
}

/// One line of the key table, from which the footer, the help, the man page and the README are made.
package struct KeyBinding: Sendable {
  /// The keys as a reader knows them: "PgUp Ctrl-U".
  package let label: String
  /// What they do, as a sentence without its stop.
  package let help: String
  /// What stands behind the key in the footer; nil where the key is not shown there.
  let hint: Hint?
  let keys: [Key: Command]

  enum Hint {
    case word(String)
    /// Not shown for a recording of one channel.
    case channel
    /// The throttle's interval.
    case throttle
    /// The simulated feed's rate, where there is one.
    case rate
    /// A word for a feed that can be reconnected.
    case reconnect(String)
    /// What a recording would do.
    case pause
    /// How far a recording jumps.
    case jump
    /// A word that stands behind all others, where there is room.
    case spare(String)
    /// A word that stands where there is an account.
    case account(Phrase)
    /// What it would do with the account.
    case logInOrOut
    /// A word for a session that can be ended.
    case endSession(Phrase)
  }

  init(_ label: String, _ help: String, hint: Hint? = nil, _ keys: [Key: Command]) {
    self.label = label
    self.help = help
    self.hint = hint
    self.keys = keys
  }

  /// Every key of the board.
  package static let all: [KeyBinding] = [
    KeyBinding(
      "1-9", "Switch to the channel of that number", hint: .channel,
      Dictionary(uniqueKeysWithValues: (1...9).map { (.character(Character("\($0)")), .channel($0 - 1)) })),
    KeyBinding("Tab", "Next channel", [.tab: .nextChannel]),
    KeyBinding("Shift-Tab", "Previous channel", [.backTab: .previousChannel]),
    KeyBinding("Space", "Pause a recording, or go on playing it", hint: .pause, [.character(" "): .pause]),
    KeyBinding(
      "Left Right", "10 s back, forward in a recording; else previous, next channel", hint: .jump,
      [.left: .left, .right: .right]),
    KeyBinding(
      "Up Down k j", "One row up, down",
      [.up: .up, .character("k"): .up, .down: .down, .character("j"): .down]),
    KeyBinding(
      "PgUp PgDn", "One page up, down",
      [.pageUp: .pageUp, .control("b"): .pageUp, .pageDown: .pageDown, .control("f"): .pageDown]),
    KeyBinding("Ctrl-U, -D", "Half a page up, down", [.control("u"): .halfPageUp, .control("d"): .halfPageDown]),
    KeyBinding("g Home", "First row", [.character("g"): .top, .home: .top]),
    KeyBinding("G End", "Last row", [.character("G"): .bottom, .end: .bottom]),
    KeyBinding(
      "t", "Throttle each match: off, 50, 100, 250, 500 ms, 1 s", hint: .throttle,
      [.character("t"): .cycleThrottle]),
    KeyBinding(
      "+ -", "Faster or slower simulated feed: ones up to 10 a second, tens up to 100, and so on", hint: .rate,
      [.character("+"): .faster, .character("="): .faster, .character("-"): .slower]),
    KeyBinding("r", "Reconnect now, without waiting", hint: .reconnect("reconnect"), [.character("r"): .reconnect]),
    KeyBinding("p", "Freeze the screen and count what it misses", hint: .word("freeze"), [.character("p"): .freeze]),
    KeyBinding(
      "D", "Show the damage: rows light up as they are repainted", hint: .word("damage"), [.character("D"): .damage]),
    KeyBinding(
      "F", "Repaint the whole screen in every frame, for comparison", hint: .word("whole"),
      [.character("F"): .wholeScreen]),
    KeyBinding(
      "i", "Inspect the feed: what arrives, what becomes of it, what it costs", hint: .spare("inspect"),
      [.character("i"): .inspect]),
    KeyBinding(
      "$", Catalog.english(.accountKeyPane), hint: .account(.accountHintPane), [.character("$"): .account]),
    KeyBinding("L", Catalog.english(.accountKeyLogin), hint: .logInOrOut, [.character("L"): .logInOrOut]),
    KeyBinding(
      "X", Catalog.english(.accountKeyEnd), hint: .endSession(.accountHintEnd), [.character("X"): .endSession]),
    KeyBinding("?", "This help", hint: .word("help"), [.character("?"): .help, .function(1): .help]),
    KeyBinding("Esc", "Close what is open", [.escape: .close]),
    KeyBinding("q Ctrl-C", "Quit", hint: .word("quit"), [.character("q"): .quit, .control("c"): .quit]),
  ]

  /// The footer's order.
  static let hints: [KeyBinding] = {
    func isSpare(_ binding: KeyBinding) -> Bool {
      switch binding.hint {
      case .spare, .endSession: true
      default: false
      }
    }
    return all.filter { !isSpare($0) } + all.filter(isSpare)
  }()

  /// The footer's order where there is an account: what is for comparison gives way to it.
  static let accountHints: [KeyBinding] = {
    func isForShow(_ binding: KeyBinding) -> Bool {
      !Set(binding.keys.values).isDisjoint(with: [.damage, .wholeScreen])
    }
    return hints.filter { !isForShow($0) } + hints.filter(isForShow)
  }()

  static let commands: [Key: Command] = all.reduce(into: [:]) { table, binding in
    table.merge(binding.keys) { first, _ in preconditionFailure("a key is bound twice: \(first)") }
  }
}
