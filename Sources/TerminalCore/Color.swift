/// A colour of a theme. The terminal shows the nearest colour that it supports.
package enum Color: Hashable, Sendable {
  /// The default foreground or background colour of the terminal.
  case standard
  /// An index into the terminal's palette. Users configure the first 16 colours; the others are the same everywhere.
  case palette(UInt8)
  /// A colour by its red, green and blue components.
  case rgb(UInt8, UInt8, UInt8)

  /// The names of the first 16 palette colours, in the order of their indices.
  private static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black", "bright-red", "bright-green",
    "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
  ]

  /// Parses `default`, a name such as `green`, `bright-green` or `gray`, an index from `0` to `255`, or `#00ff88`.
  package init?(_ text: some StringProtocol) {
    if text == "default" {
      self = .standard
    } else if let index = Self.names.firstIndex(of: String(text)) {
      self = .palette(UInt8(index))
    } else if text == "gray" || text == "grey" {
      self = .palette(8)
    } else if text.allSatisfy(\.isNumber), let index = UInt8(text) {
      self = .palette(index)
    } else if text.utf8.count == 7, text.first == "#", text.dropFirst().allSatisfy(\.isHexDigit),
      let value = UInt32(text.dropFirst(), radix: 16)
    {
      self = .rgb(UInt8(value >> 16), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
    } else {
      return nil
    }
  }

  /// True if dark text is readable on the colour; false if its components are unknown.
  package var isLight: Bool {
    guard let (red, green, blue) = components else { return false }
    return red * 299 + green * 587 + blue * 114 >= 128 * 1000
  }

  /// The components; for the first 16 palette colours, their usual values. Nil for `standard`, which is unknown.
  package var components: (red: Int, green: Int, blue: Int)? {
    switch self {
    case .standard: return nil
    case .rgb(let red, let green, let blue): return (Int(red), Int(green), Int(blue))
    case .palette(let index) where index < 16:
      if index == 7 { return (192, 192, 192) }
      if index == 8 { return (128, 128, 128) }
      let full = index < 8 ? 128 : 255
      return (Int(index) & 1 * full, Int(index) >> 1 & 1 * full, Int(index) >> 2 & 1 * full)
    case .palette(let index) where index < 232:
      let cube = Int(index) - 16
      return (Self.steps[cube / 36], Self.steps[cube / 6 % 6], Self.steps[cube % 6])
    case .palette(let index):
      let gray = 8 + (Int(index) - 232) * 10
      return (gray, gray, gray)
    }
  }

  /// The levels of each component in the colour cube of the palette.
  private static let steps = [0, 95, 135, 175, 215, 255]

  /// The nearest colour of the 256-colour palette, outside the 16 colours that users configure.
  package var in256: Color {
    guard case .rgb = self, let color = components else { return self }
    let cube = [color.red, color.green, color.blue].map { Self.nearestStep(to: $0) }
    let inCube = Color.palette(UInt8(16 + cube[0] * 36 + cube[1] * 6 + cube[2]))
    let gray = ((color.red + color.green + color.blue) / 3 - 8 + 5) / 10
    let inGrays = Color.palette(UInt8(232 + min(max(gray, 0), 23)))
    return distance(to: inGrays) < distance(to: inCube) ? inGrays : inCube
  }

  /// The corresponding colour of the first 16: the one of the same hue, or for a gray the one of similar lightness.
  package var in16: Color {
    guard let (red, green, blue) = components else { return self }
    if case .palette(let index) = self, index < 16 { return self }
    let (least, most) = (min(red, green, blue), max(red, green, blue))
    if most - least < 48 {
      switch most {
      case ..<64: return .palette(0)
      case ..<144: return .palette(8)
      case ..<216: return .palette(7)
      default: return .palette(15)
      }
    }
    // Closer to the maximum than to the minimum, so that a green with some blue is still green.
    let much = (2 * least + 3 * most) / 5
    let hue = UInt8((red > much ? 1 : 0) | (green > much ? 2 : 0) | (blue > much ? 4 : 0))
    return .palette(most >= 224 ? hue + 8 : hue)
  }

  /// The corresponding colour of the first 8. Gray becomes white, because black would be invisible.
  package var in8: Color {
    guard case .palette(let index) = in16 else { return self }
    return .palette(index == 8 ? 7 : index & 7)
  }

  private static func nearestStep(to value: Int) -> Int {
    steps.indices.min { abs(steps[$0] - value) < abs(steps[$1] - value) } ?? 0
  }

  private func distance(to other: Color) -> Int {
    guard let (a, b) = components.flatMap({ first in other.components.map { (first, $0) } }) else { return .max }
    func square(_ number: Int) -> Int { number * number }
    return square(a.red - b.red) + square(a.green - b.green) + square(a.blue - b.blue)
  }
}
