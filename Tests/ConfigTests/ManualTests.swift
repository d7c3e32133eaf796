import ArgumentParser
import Localization
import Testing

@testable import toteboard

@Suite("The manual page of the program")
struct ManualTests {
  @Test("It describes each option of the board once, and each command, in each language", arguments: Language.allCases)
  func isComplete(language: Language) {
    let lines = ManPage.roff(Catalog(language)).replacing("\\-", with: "-").split(separator: "\n").map(String.init)
    let board = Toteboard.helpMessage(columns: 1 << 20).split(separator: "\n").map(String.init)
    let options = board.filter { $0.hasPrefix("  -") }.map { $0.dropFirst(2).split(separator: " ")[0] }
    #expect(options.count > 40)
    for option in options {
      #expect(lines.count { $0 == ".B \(option)" || $0.hasPrefix(".B \(option) ") } == 1, "\(option)")
    }
    for command in Toteboard.configuration.subcommands where command.configuration.shouldDisplay {
      let heading = ".SS \"toteboard \(command._commandName)"
      #expect(lines.count { $0.hasPrefix("\(heading) ") || $0 == "\(heading)\"" } == 1, "\(heading)")
    }
  }

  @Test("It describes the variable that sets the width of a chart and of help texts")
  func width() {
    let lines = ManPage.roff(.english).split(separator: "\n").map(String.init)
    #expect(lines.count { $0 == ".B COLUMNS" } == 1)
  }

  @Test("A command describes its own options, and only names the options that it shares with the board")
  func command() throws {
    let lines = ManPage.roff(.english).replacing("\\-", with: "-").split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix(".SS \"toteboard list") })
    let part = lines[start...].dropFirst().prefix { !$0.hasPrefix(".SS") }
    #expect(part.contains { $0.hasPrefix(".B --format ") })
    #expect(!part.contains { $0.hasPrefix(".B --feed ") })
    #expect(part.contains { $0.hasPrefix("Options described above: --feed, --matches, ") })
  }
}
