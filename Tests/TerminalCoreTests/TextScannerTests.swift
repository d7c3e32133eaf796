import TerminalCore
import Testing

@Suite("Converting feed text into cells")
struct TextScannerTests {
  @Test(
    "Text has the right width in cells, and unsafe characters are replaced",
    arguments: [
      ("Liverpool", 9, "Liverpool"),
      ("", 0, ""),
      ("Málaga", 6, "Málaga"),
      ("Ma\u{301}laga", 6, "Ma\u{301}laga"),
      ("浦和レッズ", 10, "浦和レッズ"),
      ("서울", 4, "서울"),
      ("ＦＣ", 4, "ＦＣ"),
      ("⚽1", 3, "⚽1"),
      ("🐎", 2, "🐎"),
      ("❤\u{FE0F}!", 2, "❤!"),
      ("a\u{202E}b", 3, "a\u{FFFD}b"),
      ("a\u{1B}[31mb", 7, "a\u{FFFD}[31mb"),
      ("a\u{0}b\u{7F}", 4, "a\u{FFFD}b\u{FFFD}"),
      ("a\tb\nc", 5, "a\u{FFFD}b\u{FFFD}c"),
      ("\u{9B}31m", 4, "\u{FFFD}31m"),
      ("\u{AD}\u{200B}\u{FEFF}", 3, "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ("👨\u{200D}👧", 5, "👨\u{FFFD}👧"),
      ("\u{E000}\u{378}\u{2028}", 3, "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ])
  func cleans(text: String, width: Int, clean: String) {
    #expect(text.cellWidth == width)
    var row = Row(width: 20)
    #expect(row.write(text, at: 0) == width)
    #expect(row.description.unicodeScalars.elementsEqual(clean.unicodeScalars))
  }

  @Test("A combining mark becomes a cell of width 0")
  func mark() {
    #expect(Array(TextScanner("e\u{301}")) == [Cell(0x65), Cell(0, mark: 0x301, width: 0)])
  }

  @Test(
    "The width of a scalar follows the East Asian width and emoji tables",
    arguments: [
      (0x41, 1), (0xE9, 1), (0x301, 0), (0x20DD, 0), (0x302A, 0), (0x10FF, 1), (0x1100, 2), (0x1160, 1), (0x2329, 2),
      (0x26BD, 2), (0x2764, 1), (0x303F, 1), (0x3041, 2), (0x4E00, 2), (0xFF61, 1), (0xFFE6, 2), (0x1F1E6, 1),
      (0x1F600, 2), (0x20000, 2), (0x3134A, 2), (0x3134B, 1),
    ] as [(UInt32, Int)])
  func width(value: UInt32, width: Int) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(scalar.cellWidth == width)
  }

  @Test("No scalar gives a control, format, private-use or unassigned character")
  func nothingGetsThrough() {
    for scalar in (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init) {
      for cell in TextScanner(String(scalar)) {
        let shown = cell.width == 0 ? cell.mark : cell.scalar
        let category = Unicode.Scalar(shown)?.properties.generalCategory
        if category == .control || category == .format || category == .privateUse || category == .unassigned {
          Issue.record("U+\(String(scalar.value, radix: 16)) gives U+\(String(shown, radix: 16))")
        }
      }
    }
  }
}
