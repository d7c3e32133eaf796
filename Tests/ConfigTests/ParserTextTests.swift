import ArgumentParser
import Localization
import ProgramArguments
import Testing

@testable import toteboard

@Suite("Error messages for unknown arguments")
struct ParserTextTests {
  private func message(_ option: String, _ language: Language = .english) -> String {
    do {
      _ = try Toteboard.parseAsRoot([option])
      return ""
    } catch {
      let text = ParserText(words: Catalog(language), columns: 80).message(for: error)
      return String(text.prefix { $0 != "\n" })
    }
  }

  @Test(
    "An option is suggested for a typing error",
    arguments: [
      ("--thme", "--theme"), ("--langauge", "--language"), ("--chanel", "--channel"), ("--Theme", "--theme"),
      ("--low-bandwith", "--low-bandwidth"), ("--sede", "--seed"),
    ])
  func near(typed: String, option: String) {
    #expect(message(typed) == "Error: Unknown option '\(typed)'. Did you mean '\(option)'?")
  }

  @Test(
    "A dissimilar option is not suggested", arguments: ["--bogus", "--foo", "--xyz", "--abc", "--nope"])
  func far(typed: String) {
    #expect(message(typed) == "Error: Unknown option '\(typed)'")
    for language in [Language.french, .traditionalChinese] {
      let words = Catalog(language)
      #expect(message(typed, language) == words(.usageError, words(.parserUnknownOption, typed)))
    }
  }

  @Test("Other messages and the text after a suggestion stay unchanged")
  func others() {
    for text in ["Error: Unknown option '--x'\nUsage: a", "", "Missing value for '--rate'", "Did you mean '--a'?"] {
      #expect(text.withoutFarSuggestion == text)
    }
    let text = "Error: Unknown option '--bogus'. Did you mean '--odds'?\nUsage: toteboard"
    #expect(text.withoutFarSuggestion == "Error: Unknown option '--bogus'\nUsage: toteboard")
  }
}
