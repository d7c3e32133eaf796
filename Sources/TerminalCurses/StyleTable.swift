import CNCurses
import TerminalCore

/// Which colours a terminal has, from none to all.
enum ColorDepth: Hashable, Sendable {
  case none
  /// The first eight of a palette, sixteen, 256.
  case eight, sixteen, palette
  /// 256, and any other by a sequence that ncurses does not know with a terminal's usual type.
  case trueColor
  /// Any by its number, as with the type `xterm-direct`.
  case direct

  /// The nearest that there is.
  func nearest(to color: Color) -> Color {
    switch self {
    case .none: .standard
    case .eight: color.in8
    case .sixteen: color.in16
    case .palette: color.in256
    case .trueColor: color
    // NB: there the first eight numbers are the palette's, and the others red, green and blue.
    case .direct: if case .palette(let place) = color, place >= 8 { color.asRGB } else { color }
    }
  }
}

extension Color {
  fileprivate var asRGB: Color {
    components.map { .rgb(UInt8($0.red), UInt8($0.green), UInt8($0.blue)) } ?? self
  }

  fileprivate var isBright: Bool { if case .palette(8...15) = in16 { true } else { false } }
}

/// How ncurses is to draw each style of a theme on a terminal of some colours.
struct StyleTable {
  /// What ncurses draws a cell with.
  struct Appearance: Hashable {
    var attributes: attr_t
    var pair: Int16
  }

  /// Two colours as ncurses numbers them; -1 is the terminal's own.
  struct Pair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  private let looks: [Appearance]
  /// The first is number 1.
  let pairs: [Pair]
  /// Places in the palette that stand for colours which are not in it.
  let substitutes: [UInt8: Color]

  init(_ theme: Theme, _ depth: ColorDepth) {
    // What a theme says by colours alone would be lost.
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

/// Numbers for colours, as ncurses wants them.
private struct ColorNumbers {
  private let depth: ColorDepth
  /// The ones that a theme names, and that cannot stand for others.
  private var taken: Set<UInt8> = []
  private(set) var substitutes: [UInt8: Color] = [:]

  init(_ theme: Theme, _ depth: ColorDepth) {
    self.depth = depth
    for ground in Style.Background.allCases {
      for role in Style.Role.allCases {
        let look = theme[Style(role, on: ground)]
        for case .palette(let place) in [look.foreground, look.background] { taken.insert(place) }
      }
    }
  }

  subscript(color: Color) -> Int32 {
    mutating get {
      switch depth.nearest(to: color) {
      case .standard: return -1
      case .palette(let place): return Int32(place)
      case .rgb(let red, let green, let blue) where depth == .direct:
        // NB: the first eight numbers would be the palette's.
        return max(8, Int32(red) << 16 | Int32(green) << 8 | Int32(blue))
      case .rgb: return Int32(substitute(for: color))
      }
    }
  }

  private mutating func substitute(for color: Color) -> UInt8 {
    if let known = substitutes.first(where: { $0.value == color }) { return known.key }
    // There are some forty styles, and so never more than some eighty colours.
    let free = (UInt8(16)...255).first { !taken.contains($0) && substitutes[$0] == nil }!
    substitutes[free] = color
    return free
  }
}
