import CNCurses
import TerminalCore

/// Which attributes and colours a style has on this terminal.
struct StyleTable {
  /// What ncurses draws a cell with.
  struct Look: Hashable {
    var attributes: attr_t
    var pair: Int16
  }

  private enum Pair {
    static let rising: Int16 = 1
    static let falling: Int16 = 2
    static let warning: Int16 = 3
    static let damaged: Int16 = 4
  }

  private let looks: [Look]

  init(hasColors: Bool) {
    looks = Style.Ground.allCases.flatMap { ground in
      Style.Role.allCases.map { Self.look(Style($0, on: ground), hasColors: hasColors) }
    }
  }

  subscript(style: Style) -> Look {
    looks[Int(style.ground.rawValue) * Style.Role.allCases.count + Int(style.role.rawValue)]
  }

  /// Tells ncurses the colour pairs of the table; call after `start_color()`.
  static func defineColors() {
    // The first eight colours are the user's theme, and so are both defaults (-1): readable on light and dark.
    let theme: Int16 = -1
    init_pair(Pair.rising, Int16(COLOR_GREEN), theme)
    init_pair(Pair.falling, Int16(COLOR_RED), theme)
    init_pair(Pair.warning, Int16(COLOR_YELLOW), theme)
    init_pair(Pair.damaged, Int16(COLOR_WHITE), Int16(COLOR_BLUE))
  }

  private static func look(_ style: Style, hasColors: Bool) -> Look {
    switch style.ground {
    case .damaged where hasColors:
      return Look(attributes: attributes(style.role, hasColors: false), pair: Pair.damaged)
    case .selected, .damaged:
      // Reverse keeps the colour of a price in view, as its background, on a light theme and on a dark one.
      return Look(
        attributes: attributes(style.role, hasColors: hasColors) | curses_reverse(),
        pair: hasColors ? pair(style.role) : 0)
    case .normal:
      return Look(attributes: attributes(style.role, hasColors: hasColors), pair: hasColors ? pair(style.role) : 0)
    }
  }

  private static func pair(_ role: Style.Role) -> Int16 {
    switch role {
    case .rising: Pair.rising
    case .falling: Pair.falling
    case .warning: Pair.warning
    case .plain, .muted, .strong, .bar, .tab, .found, .chart: 0
    }
  }

  private static func attributes(_ role: Style.Role, hasColors: Bool) -> attr_t {
    switch role {
    case .plain: 0
    case .muted: curses_dim()
    case .chart: 0
    case .found: curses_bold() | curses_underline()
    case .strong: curses_bold()
    case .bar: curses_reverse()
    // Not reversed: that makes it stand out of the bar it is in.
    case .tab: curses_bold()
    case .rising, .warning: hasColors ? 0 : curses_bold()
    case .falling: hasColors ? 0 : curses_underline()
    }
  }
}
