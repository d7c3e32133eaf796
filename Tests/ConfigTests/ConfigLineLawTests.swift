import TestSupport
import Testing

@testable import toteboard

/// Compares the reported line of an error with the line that the text marks as wrong.
struct ConfigLineLawTests {
  /// Pieces of a configuration, valid or with an error in the line marked WRONG: settings, then tables.
  private static let settings: [(right: [String], wrong: [String])] = [
    (["fps = 5"], ["fps = 'WRONG'"]), (["odds = \"malay\" # odds = 3"], ["odds = \"WRONG\""]),
    (["first_channel = \"\"\"", "[keys] # no comment", "\"\"\""], ["first_channel = [ # WRONG", "", "'a'", "]"]),
    (["realm = '''", "a = \"", "b = [", "'''"], ["", "WRONG = 3"]), (["rate = 2.5"], ["rate = 0.0 # WRONG"]),
    (["\"mouse\" = false"], ["mouse = 0 # WRONG"]),
    (
      ["alert = [", "  { rule = \"kickoff\" }, # ]", "  { rule = 'suspended' }", "]"],
      ["alert = [ # [", "  { rule = \"kickoff\" },", "", "  { rule = 'odds <' } ] # WRONG"]
    ),
    (
      ["themes.a.rising = \"red\"", "themes.a.falling = \"blue\""],
      ["themes.a.rising = 'red'", "themes.a.base = 'WRONG'"]
    ),
  ]

  private static let tables: [(right: [String], wrong: [String])] = [
    (["[keys]", "quit = [", "  \"x\", # ]", "  \"F12\"", "]"], ["[keys]", "quit = \"x\"", "sort = 3 # WRONG"]),
    (["[themes.b]", "# base", "rising = \"bold red\""], ["[themes.b]", "rising = 'red'", "", "falling = \"WRONG\""]),
    (["[themes.c]", "base = 'light'"], ["[themes.c]", "WRONG = \"red\"", "base = 'light'"]),
    (["[[channel]]", "title = \"A\"", "kind = \"next\""], ["[[channel]]", "title = 'A'", "kind = 'WRONG'"]),
    (["[[channel]]", "topic = '/x'", "title = 'B'"], ["[[channel]]", "title = 'B'", "topic = 'WRONG'"]),
    (["[[channel]]", "", "title = 'C'", "kind = 'live'"], ["[[channel]] # WRONG", "kind = 'live'"]),
  ]

  @Test("The only invalid line is reported with its number, in any context", arguments: Laws.seeds(60))
  func lines(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let groups = [Self.settings, Self.tables].map { group in
      group.shuffled(using: &random).filter { _ in Bool.random(using: &random) }
    }
    let count = groups.joined().count
    let wrong = count > 0 ? Int.random(in: 0..<count, using: &random) : -1
    var lines: [String] = []
    for (index, piece) in groups.joined().enumerated() {
      lines += index == wrong ? piece.wrong : piece.right
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        lines.append(["", "  # [a] = {", "#"].randomElement(using: &random)!)
      }
    }
    let ends = Bool.random(using: &random) ? "\n" : "\r\n"
    let mark = Bool.random(using: &random) ? "\u{FEFF}" : ""
    let text = mark + lines.joined(separator: ends)
    let expected = lines.firstIndex { $0.contains("WRONG") }.map { $0 + 1 }
    #expect(ConfigReader(text).faults.map(\.line) == (wrong < 0 ? [] : [expected]), "\(text)")
  }
}
