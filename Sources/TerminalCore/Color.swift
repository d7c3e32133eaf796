/// A colour as a theme names it; the terminal shows the nearest that it has.
package enum Color: Hashable, Sendable {
  /// What the terminal's user has chosen for text, or for what lies behind it.
  case standard
  /// A place in the terminal's palette. The first sixteen are its user's, the others are the same everywhere.
  case palette(UInt8)
  /// Red, green, blue.
  case rgb(UInt8, UInt8, UInt8)

  /// The first sixteen of the palette, by what they are called.
  private static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black", "bright-red", "bright-green",
    "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
  ]

  /// What `default`, `green`, `bright-green`, `gray`, `0` to `255` and `#00ff88` say; nil for anything else.
  package init?(_ text: some StringProtocol) {
    if text == "default" {
      self = .standard
    } else if let place = Self.names.firstIndex(of: String(text)) {
      self = .palette(UInt8(place))
    } else if text == "gray" || text == "grey" {
      self = .palette(8)
    } else if text.allSatisfy(\.isNumber), let place = UInt8(text) {
      self = .palette(place)
    } else if text.utf8.count == 7, text.first == "#", text.dropFirst().allSatisfy(\.isHexDigit),
      let value = UInt32(text.dropFirst(), radix: 16)
    {
      self = .rgb(UInt8(value >> 16), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
    } else {
      return nil
    }
  }

  /// Whether dark text is what can be read upon it.
  package var isLight: Bool {
    guard let (red, green, blue) = components else { return false }
    return red * 299 + green * 587 + blue * 114 >= 128 * 1000
  }

  /// Its red, green and blue; of the first sixteen what they mostly are. Nil where only the terminal knows.
  package var components: (red: Int, green: Int, blue: Int)? {
    switch self {
    case .standard: return nil
    case .rgb(let red, let green, let blue): return (Int(red), Int(green), Int(blue))
    case .palette(let place) where place < 16:
      if place == 7 { return (192, 192, 192) }
      if place == 8 { return (128, 128, 128) }
      let full = place < 8 ? 128 : 255
      return (Int(place) & 1 * full, Int(place) >> 1 & 1 * full, Int(place) >> 2 & 1 * full)
    case .palette(let place) where place < 232:
      let cube = Int(place) - 16
      return (Self.steps[cube / 36], Self.steps[cube / 6 % 6], Self.steps[cube % 6])
    case .palette(let place):
      let gray = 8 + (Int(place) - 232) * 10
      return (gray, gray, gray)
    }
  }

  /// What each of the three can be in the palette's cube.
  private static let steps = [0, 95, 135, 175, 215, 255]

  /// The nearest in a palette of 256; of those that are the same everywhere.
  package var in256: Color {
    guard case .rgb = self, let color = components else { return self }
    let cube = [color.red, color.green, color.blue].map { Self.nearestStep(to: $0) }
    let inCube = Color.palette(UInt8(16 + cube[0] * 36 + cube[1] * 6 + cube[2]))
    let gray = ((color.red + color.green + color.blue) / 3 - 8 + 5) / 10
    let inGrays = Color.palette(UInt8(232 + min(max(gray, 0), 23)))
    return distance(to: inGrays) < distance(to: inCube) ? inGrays : inCube
  }

  /// The one of the first sixteen that says the same: of a colour its hue, of a gray its lightness.
  package var in16: Color {
    guard let (red, green, blue) = components else { return self }
    if case .palette(let place) = self, place < 16 { return self }
    let (least, most) = (min(red, green, blue), max(red, green, blue))
    if most - least < 48 { return .palette(most < 64 ? 0 : most < 144 ? 8 : most < 216 ? 7 : 15) }
    // Above the middle, so that a green with some blue in it is green.
    let much = (2 * least + 3 * most) / 5
    let hue = UInt8((red > much ? 1 : 0) | (green > much ? 2 : 0) | (blue > much ? 4 : 0))
    return .palette(most >= 224 ? hue + 8 : hue)
  }

  /// The one of the first eight that says the same; gray is white there, as black would not be seen.
  package var in8: Color {
    guard case .palette(let place) = in16 else { return self }
    return .palette(place == 8 ? 7 : place & 7)
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
