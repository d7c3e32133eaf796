import TerminalCore
import Testing

@testable import TerminalCurses

@Suite("Styles and their appearance")
struct StyleTableTests {
  private static let depths: [ColorDepth] = [.none, .eight, .sixteen, .palette, .trueColor, .direct]
  private static let names = Theme.all.map(\.name)
  private static let cases = depths.flatMap { depth in names.map { (depth, $0) } }

  @Test("On each background, a meaningful role looks different from plain text", arguments: cases)
  func rolesDiffer(depth: ColorDepth, name: String) throws {
    let theme = try #require(Theme.named(name))
    let table = StyleTable(theme, depth)
    for ground in Style.Background.allCases {
      for role in [Style.Role.strong, .rising, .falling, .warning, .found, .tab] {
        #expect(table[Style(role, on: ground)] != table[Style(.plain, on: ground)], "\(role) on \(ground)")
      }
      #expect(table[Style(.rising, on: ground)] != table[Style(.falling, on: ground)], "\(ground)")
    }
    #expect(table[Style(.bar)] != table[.plain])
    #expect(table[Style(.tab)] != table[Style(.bar)])
  }

  @Test("Each background looks different from none for every role except the bar", arguments: cases)
  func groundsDiffer(depth: ColorDepth, name: String) throws {
    let theme = try #require(Theme.named(name))
    let table = StyleTable(theme, depth)
    for role in Style.Role.allCases where role != .bar {
      #expect(table[Style(role, on: .selected)] != table[Style(role)], "\(role)")
      #expect(table[Style(role, on: .damaged)] != table[Style(role)], "\(role)")
    }
  }

  @Test("With colours, rising, falling and warning differ, and a damaged row differs from the selected one")
  func colors() throws {
    for (depth, name) in Self.cases {
      let theme = try #require(Theme.named(name))
      guard depth != .none, theme.hasColors else { continue }
      let table = StyleTable(theme, depth)
      #expect(Set([.rising, .falling, .warning].map { table[Style($0)] }).count == 3, "\(theme.name), \(depth)")
      for role in Style.Role.allCases {
        #expect(table[Style(role, on: .selected)] != table[Style(role, on: .damaged)], "\(theme.name), \(depth)")
      }
    }
  }

  @Test("Without colours no appearance has a colour pair, in any theme", arguments: names)
  func monochrome(name: String) throws {
    let table = StyleTable(try #require(Theme.named(name)), .none)
    #expect(table.pairs.isEmpty)
    for ground in Style.Background.allCases {
      #expect(Style.Role.allCases.allSatisfy { table[Style($0, on: ground)].pair == 0 })
    }
  }

  @Test("A colour maps to the nearest available one, or to a substitute if ncurses cannot name it")
  func nearest() throws {
    let theme = try Theme(name: "mine", basedOn: .dark, ["rising": "#00ff88", "falling": "bold 208 on #101010"])
    func pair(_ role: Style.Role, _ depth: ColorDepth) -> StyleTable.Pair {
      let table = StyleTable(theme, depth)
      return table.pairs[Int(table[Style(role)].pair) - 1]
    }
    #expect(pair(.rising, .palette) == .init(foreground: 48, background: -1))
    #expect(pair(.rising, .sixteen) == .init(foreground: 10, background: -1))
    #expect(pair(.rising, .eight) == .init(foreground: 2, background: -1))
    #expect(pair(.rising, .direct) == .init(foreground: 0x00FF88, background: -1))
    #expect(pair(.falling, .palette) == .init(foreground: 208, background: 233))
    #expect(pair(.falling, .sixteen) == .init(foreground: 9, background: 0))
    #expect(pair(.falling, .direct) == .init(foreground: 0xFF8700, background: 0x101010))
    let table = StyleTable(theme, .trueColor)
    let index = try #require(UInt8(exactly: pair(.rising, .trueColor).foreground))
    #expect(table.substitutes[index] == .rgb(0x00, 0xFF, 0x88) && index >= 16 && index != 208)
    #expect(Set(table.substitutes.values) == [.rgb(0x00, 0xFF, 0x88), .rgb(0x10, 0x10, 0x10)])
  }

  @Test("A complete substitute sequence is replaced by its true colour, and nothing else is")
  func substitution() {
    let colors = ColorSubstitution([16: .rgb(1, 2, 3), 17: .rgb(255, 255, 255)])
    for (sent, replaced) in [
      ("\u{1B}[38;5;16mx\u{1B}[48;5;17my", "\u{1B}[38;2;1;2;3mx\u{1B}[48;2;255;255;255my"),
      ("\u{1B}[38;5;18mx", "\u{1B}[38;5;18mx"), ("38;5;16m", "38;5;16m"), ("\u{1B}[38;5;16", "\u{1B}[38;5;16"),
      ("\u{1B}[38;5;16;1mx", "\u{1B}[38;5;16;1mx"), ("\u{1B}[38;5;9999999999999999999999m", nil), ("", ""),
    ] as [(String, String?)] {
      let bytes = Array(sent.utf8).withUnsafeBytes { colors.replaced(in: $0) }
      #expect(String(decoding: bytes, as: UTF8.self) == replaced ?? sent)
    }
  }
}
