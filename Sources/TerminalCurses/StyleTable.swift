import CNCurses
import TerminalCore

/// The range of colours that a terminal supports.
enum ColorDepth: Hashable, Sendable {
  case none
  /// A palette of 8, 16 or 256 colours.
  case eight, sixteen, palette
  /// 256 colours, and true colours through sequences that ncurses does not know for the usual terminal types.
  case trueColor
  /// True colours by number, as with the type `xterm-direct`.
  case direct

  /// Returns the nearest supported colour.
  func nearest(to color: Color) -> Color {
    switch self {
    case .none: .standard
    case .eight: color.in8
    case .sixteen: color.in16
    case .palette: color.in256
    case .trueColor: color
    // NB: the first 8 numbers mean palette colours, all others red, green and blue.
    case .direct: if case .palette(let index) = color, index >= 8 { color.asRGB } else { color }
    }
  }
}

extension Color {
  fileprivate var asRGB: Color { components.map { .rgb(UInt8($0.red), UInt8($0.green), UInt8($0.blue)) } ?? self }

  fileprivate var isBright: Bool { if case .palette(8...15) = in16 { true } else { false } }
}

/// The ncurses attributes and colour pairs of each style of a theme.
struct StyleTable {
  struct Appearance: Hashable {
    var attributes: attr_t
    var pair: Int16
  }

  /// Two colours by their ncurses numbers; -1 is the terminal's default.
  struct Pair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  private let looks: [Appearance]
  /// The colour pairs; the first has number 1.
  let pairs: [Pair]
  /// The palette indices that stand for true colours.
  let substitutes: [UInt8: Color]

  init(_ theme: Theme, _ depth: ColorDepth) {
    // Without colours, a theme that depends on them would lose its meaning.
    let theme = depth == .none && theme.hasColors ? .monochrome : theme
    var pairs: [Pair] = []
    var numbers = ColorNumbers(theme, depth)
    looks = Style.Background.allCases.flatMap { ground in
      Style.Role.allCases.map { role in
        let look = theme[Style(role, on: ground)]
        var attributes = Self.attributes(look.attributes)
        if depth == .eight, look.foreground.isBright { attributes |= curses_bold() }
        let pair = Pair(foreground: numbers[look.foreground], background: numbers[look.background])
        if pair == Pair(foreground: -1, background: -1) { return Appearance(attributes: attributes, pair: 0) }
        if !pairs.contains(pair) { pairs.append(pair) }
        return Appearance(attributes: attributes, pair: Int16(pairs.firstIndex(of: pair)! + 1))
      }
    }
    self.pairs = pairs
    substitutes = numbers.substitutes
  }

  subscript(style: Style) -> Appearance {
    looks[Int(style.ground.rawValue) * Style.Role.allCases.count + Int(style.role.rawValue)]
  }

  private static func attributes(_ attributes: Theme.Attributes) -> attr_t {
    var result: attr_t = 0
    if attributes.contains(.bold) { result |= curses_bold() }
    if attributes.contains(.dim) { result |= curses_dim() }
    if attributes.contains(.underline) { result |= curses_underline() }
    if attributes.contains(.reverse) { result |= curses_reverse() }
    if attributes.contains(.italic) { result |= curses_italic() }
    return result
  }
}

/// The ncurses numbers of a theme's colours.
private struct ColorNumbers {
  private let depth: ColorDepth
  /// The palette indices that the theme itself uses, which cannot stand for true colours.
  private var taken: Set<UInt8> = []
  private(set) var substitutes: [UInt8: Color] = [:]

  init(_ theme: Theme, _ depth: ColorDepth) {
    self.depth = depth
    for ground in Style.Background.allCases {
      for role in Style.Role.allCases {
        let look = theme[Style(role, on: ground)]
        for case .palette(let index) in [look.foreground, look.background] { taken.insert(index) }
      }
    }
  }

  subscript(color: Color) -> Int32 {
    mutating get {
      switch depth.nearest(to: color) {
      case .standard: return -1
      case .palette(let index): return Int32(index)
      case .rgb(let red, let green, let blue) where depth == .direct:
        // NB: smaller numbers mean palette colours.
        return max(8, Int32(red) << 16 | Int32(green) << 8 | Int32(blue))
      case .rgb: return Int32(substitute(for: color))
      }
    }
  }

  private mutating func substitute(for color: Color) -> UInt8 {
    if let known = substitutes.first(where: { $0.value == color }) { return known.key }
    // NB: 10 roles on 3 backgrounds have at most 60 colours, fewer than the 240 indices from 16 on.
    let free = (UInt8(16)...255).first { !taken.contains($0) && substitutes[$0] == nil }!
    substitutes[free] = color
    return free
  }
}
