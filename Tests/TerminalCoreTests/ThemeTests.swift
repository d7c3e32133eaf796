import TerminalCore
import Testing

@Suite("Themes and their colours")
struct ThemeTests {
  @Test(
    "An appearance is parsed from attributes, a foreground and a background",
    arguments: [
      ("", Theme.Appearance()), ("plain", Theme.Appearance()), ("bold", Theme.Appearance(.bold)),
      ("green", Theme.Appearance([], .palette(2))),
      ("Bold Underline green on black", .init([.bold, .underline], .palette(2), on: .palette(0))),
      ("on bright-blue", .init([], .standard, on: .palette(12))), ("gray", .init([], .palette(8))),
      ("255 on 0", .init([], .palette(255), on: .palette(0))), ("#00ff88", .init([], .rgb(0, 255, 136))),
      ("dim italic reverse default", .init([.dim, .italic, .reverse])),
    ] as [(String, Theme.Appearance)])
  func looks(text: String, look: Theme.Appearance) throws {
    #expect(try Theme.Appearance(text) == look)
  }

  @Test(
    "An unknown word is named in the error",
    arguments: ["blink", "256", "-1", "+1", "#fff", "#00ff8", "#gggggg", "#+00ff8", "²", "brightgreen", "on-black"])
  func unknownWords(word: String) {
    #expect(throws: ThemeError.unknownWord(word)) { try Theme.Appearance("bold \(word)") }
  }

  @Test("A custom theme overrides parts of its base, which are roles and backgrounds")
  func own() throws {
    let theme = try Theme(name: "mine", basedOn: .light, ["rising": "#00ff88", "selected": "on 236"])
    #expect(theme[Style(.rising)] == Theme.Appearance([], .rgb(0, 255, 136)))
    #expect(theme[Style(.falling)] == Theme.light[Style(.falling)])
    #expect(theme[Style(.plain, on: .selected)].background == .palette(236))
    #expect(throws: ThemeError.unknownPart("normal")) { try Theme(name: "x", basedOn: .dark, ["normal": "red"]) }
    #expect(throws: ThemeError.unknownPart("Rising")) { try Theme(name: "x", basedOn: .dark, ["Rising": "red"]) }
    #expect(Set(Theme.parts).isSuperset(of: ["plain", "rising", "found", "selected", "damaged"]))
    for part in Theme.parts { _ = try Theme(name: "x", basedOn: .dark, [part: "bold"]) }
  }

  @Test("A missing background is that of plain text")
  func open() throws {
    let theme = try Theme(name: "mine", basedOn: .dark, ["plain": "white on #101010"])
    for role in Style.Role.allCases { #expect(theme[Style(role)].background == .rgb(16, 16, 16)) }
    #expect(theme[Style(.muted)].foreground == .palette(7) && theme[Style(.rising)].foreground == .palette(2))
  }

  @Test("Rising and falling differ in the other themes, without red and green in the colour-blind one")
  func carriers() {
    for theme in Theme.all where !["auto", "dark", "light"].contains(theme.name) {
      let (up, down) = (theme[Style(.rising)], theme[Style(.falling)])
      guard theme.hasColors else {
        #expect(up.attributes != down.attributes)
        continue
      }
      #expect(up.foreground != down.foreground)
      if theme.name == "colour-blind" {
        for color in [up.foreground, down.foreground].flatMap({ [$0.in256, $0.in16, $0.in8] }) {
          #expect(![.palette(1), .palette(2), .palette(9), .palette(10)].contains(color))
        }
      }
    }
  }

  @Test(
    "A colour maps to the nearest one of a smaller palette",
    arguments: [
      (Color.rgb(0, 0, 0), 16, 0, 0), (.rgb(255, 255, 255), 231, 15, 7), (.rgb(255, 0, 0), 196, 9, 1),
      (.rgb(0, 128, 0), 28, 2, 2), (.rgb(128, 128, 128), 244, 8, 7), (.rgb(255, 135, 0), 208, 9, 1),
      (.rgb(0, 255, 136), 48, 10, 2),
      (.palette(22), 22, 2, 2), (.palette(8), 8, 8, 7), (.palette(12), 12, 12, 4),
    ] as [(Color, UInt8, UInt8, UInt8)])
  func fewer(color: Color, of256: UInt8, of16: UInt8, of8: UInt8) {
    #expect(color.in256 == .palette(of256) && color.in16 == .palette(of16) && color.in8 == .palette(of8))
  }

  @Test("Every colour of the palette maps to itself, by its number and by its components")
  func palette() {
    for index in UInt8.min...UInt8.max {
      let color = Color.palette(index)
      #expect(color.in256 == color)
      guard index >= 16, let (red, green, blue) = color.components else { continue }
      let same = Color.rgb(UInt8(red), UInt8(green), UInt8(blue)).in256
      #expect(same.components.map { $0 == (red, green, blue) } == true)
    }
    #expect(Color.standard.in16 == .standard && Color.standard.components == nil)
  }

  @Test("Light backgrounds are recognized", arguments: [(0x000000, false), (0x002B36, false), (0xFDF6E3, true)])
  func lightness(value: UInt32, isLight: Bool) {
    #expect(Color.rgb(UInt8(value >> 16), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)).isLight == isLight)
  }
}
