import TerminalCore
import TestSupport
import Testing

extension EndToEndTests {
  @Suite("The language of the program", .serialized)
  struct LanguageTests {
    @Test(
      "--language, or else the locale, sets the language; ASCII output drops accents or falls back to English",
      arguments: [
        ("--language=fr", [:], "● direct", "Fermer"), ("--language=zh-TW", [:], "● 即時", "關閉"),
        ("--language=en", ["LC_ALL": nil, "LC_CTYPE": "C.UTF-8", "LANG": "fr_FR.UTF-8"], "● live", "Close"),
        ("--fps=30", ["LC_ALL": nil, "LC_CTYPE": "C.UTF-8", "LANG": "fr_CA.UTF-8"], "● direct", "Fermer"),
        ("--language=fr", ["LC_ALL": "C"], "  5 A venir  6 Top", "Echap"),
        ("--language=zh-Hant", ["LC_ALL": "C"], " 5 Next  6 Popular", "Esc"),
      ] as [(String, [String: String?], String, String)])
    func board(option: String, environment: [String: String?], status: String, help: String) throws {
      let board = try PtyBoard(
        ["--rate", "0.1", option], size: Size(rows: 56, columns: 120), environment: environment)
      #expect(board.wait { $0.text(0).contains(status) })
      board.type("?")
      #expect(board.wait { screen in (0..<56).contains { screen.text($0).contains(help) } })
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }

    @Test("--channel accepts a name in the selected language and in English", arguments: ["足球", "football", "nope"])
    func channel(name: String) throws {
      let result = try Headless.run(["list", "--language", "zh-Hant", "--channel", name])
      #expect(result.status == .exit(name == "nope" ? 2 : 0), "\(result.error)")
      if name == "nope" { #expect(result.error.contains("「nope」不存在：請選擇 live、football、")) }
    }

    @Test("The manual page has the key table in the selected language")
    func manual() throws {
      let english = try Headless.run(["man-page"]).output
      #expect(english.contains(".B Space\nPin the row or fold the group; in a recording"))
      let french = try Headless.run(["--language", "fr", "man-page"]).output
      #expect(french.contains(".B Espace\nÉpingler la ligne"))
    }
  }
}
