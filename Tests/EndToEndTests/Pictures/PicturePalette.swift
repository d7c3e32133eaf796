import TerminalCore

/// The colours of a picture: a terminal's default ones, its palette, and the frame of its window.
struct PicturePalette: Sendable, CustomStringConvertible {
  /// The components of a colour, from 0 to 255.
  struct RGB: Hashable, Sendable {
    var red, green, blue: Int

    init(_ hex: Int) { (red, green, blue) = (hex >> 16 & 0xFF, hex >> 8 & 0xFF, hex & 0xFF) }

    /// Returns a mixture with `share` per cent of the other colour.
    func mixed(with other: RGB, _ share: Int) -> RGB {
      func mix(_ own: Int, _ other: Int) -> Int { (own * (100 - share) + other * share + 50) / 100 }
      var result = self
      result.red = mix(red, other.red)
      result.green = mix(green, other.green)
      result.blue = mix(blue, other.blue)
      return result
    }

    /// The colour in SVG.
    var text: String {
      let digits = String(red << 16 | green << 8 | blue, radix: 16)
      return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
  }

  /// The colours of a character and of what is behind it.
  struct Pair: Hashable {
    var foreground: RGB
    var background: RGB
  }

  /// The name of the palette and of the board's theme for it.
  let name: String
  let foreground: RGB
  let background: RGB
  let border: RGB
  /// The first 16 colours; the others are the same in every terminal.
  private let first: [RGB]

  var description: String { name }

  static let all = [dark, light]

  static let dark = PicturePalette(
    name: "dark", foreground: RGB(0xE6EDF3), background: RGB(0x0D1117), border: RGB(0x3D444D),
    first: [
      0x484F58, 0xFF7B72, 0x3FB950, 0xD29922, 0x58A6FF, 0xBC8CFF, 0x39C5CF, 0xB1BAC4,
      0x6E7681, 0xFFA198, 0x56D364, 0xE3B341, 0x79C0FF, 0xD2A8FF, 0x56D4DD, 0xFFFFFF,
    ].map(RGB.init))

  static let light = PicturePalette(
    name: "light", foreground: RGB(0x1F2328), background: RGB(0xFFFFFF), border: RGB(0xD1D9E0),
    first: [
      0x24292F, 0xCF222E, 0x116329, 0x7D4E00, 0x0969DA, 0x8250DF, 0x1B7C83, 0xEAEEF2,
      0x57606A, 0xA40E26, 0x1A7F37, 0x633C01, 0x218BFF, 0xA475F9, 0x3192AA, 0xFFFFFF,
    ].map(RGB.init))

  /// Returns the colours that a terminal shows: faint text is nearer to the background, reverse swaps both.
  func colors(of appearance: Theme.Appearance) -> Pair {
    var pair = Pair(
      foreground: color(appearance.foreground) ?? foreground, background: color(appearance.background) ?? background)
    if appearance.attributes.contains(.dim) { pair.foreground = pair.foreground.mixed(with: pair.background, 40) }
    if appearance.attributes.contains(.reverse) { swap(&pair.foreground, &pair.background) }
    return pair
  }

  private func color(_ color: Color) -> RGB? {
    if case .palette(let index) = color, index < first.count { return first[Int(index)] }
    return color.components.map { RGB($0.red << 16 | $0.green << 8 | $0.blue) }
  }
}
