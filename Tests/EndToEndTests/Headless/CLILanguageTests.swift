import TerminalCore
import TestSupport
import Testing

extension EndToEndTests {
  @Suite("Help and errors in the user's language", .serialized)
  struct CLILanguageTests {
    @Test(
      "The help translates headings, options, defaults and the parser's own texts",
      arguments: [
        (
          "fr",
          ["APERÇU\u{202F}: ", "UTILISATION\u{202F}: toteboard ", "COMMANDES\u{202F}:", "(par défaut\u{202F}: 10.0)"]
        ),
        ("zh-Hant", ["簡介：", "用法：toteboard ", "子指令：", "（預設：60）", "顯示說明。"]),
      ])
    func help(language: String, words: [String]) throws {
      let result = try Headless.run(["--language", language, "--help"], environment: ["COLUMNS": "80"])
      #expect(result.status == .exit(0) && result.error.isEmpty)
      for word in words { #expect(result.output.contains(word), "\(word)") }
      for english in ["OVERVIEW", "USAGE", "SUBCOMMANDS", "default", "Show ", "See "] {
        #expect(!result.output.contains(english), "\(english)")
      }
      for line in result.output.split(separator: "\n") { #expect(String(line).cellWidth <= 80, "\(line)") }
    }

    @Test(
      "Wrong usage ends with status 2 and a translated message, also for errors of the parser",
      arguments: [
        (["--fps", "0"], "--fps «\u{202F}0\u{202F}» est hors limites", "--fps「0」超出範圍"),
        (["--matches", "0"], "--matches «\u{202F}0\u{202F}» est hors limites", "--matches「0」超出範圍"),
        (["--bogus"], "Option inconnue «\u{202F}--bogus\u{202F}»", "未知的選項「--bogus」"),
        (["--fp", "1"], "Vouliez-vous dire «\u{202F}--fps\u{202F}»", "您是指「--fps」嗎"),
        (["--matches", "x"], "--matches «\u{202F}x\u{202F}» n'est pas un nombre entier", "--matches「x」不是整數"),
        (["list", "--format", "y"], "La valeur «\u{202F}y\u{202F}» n'est pas valide", "值「y」對「--format <format>」無效"),
        (["--matches"], "Valeur manquante pour", "缺少「--matches <matches>」的值"),
        (["list", "--format", "xml"], "Choisissez parmi table, json, csv.", "請選擇 table、json、csv。"),
        (["nonsense"], "Argument inattendu «\u{202F}nonsense\u{202F}»", "非預期的引數「nonsense」"),
        (
          ["list", "l'a", "b"], "2 arguments inattendus\u{202F}: «\u{202F}l'a\u{202F}», «\u{202F}b\u{202F}»",
          "2 個非預期的引數：「l'a」、「b」"
        ),
        (
          ["list", "--channel", "nope"], "choisissez parmi live, football, tennis, basketball, next, popular",
          "請選擇 live、football、tennis、basketball、next、popular"
        ),
        (["inspect"], "Argument manquant «\u{202F}<file> ...\u{202F}»", "缺少必要的引數「<file> ...」"),
        (["--feed", "http://x"], "utilisez ws:// au lieu de http://", "請將 http:// 改為 ws://"),
      ])
    func usage(arguments: [String], french: String, chinese: String) throws {
      for (language, error, text) in [("fr", "Erreur\u{202F}: ", french), ("zh-Hant", "錯誤：", chinese)] {
        let result = try Headless.run(arguments + ["--language=\(language)"])
        #expect(result.status == .exit(2) && result.output.isEmpty)
        #expect(result.error.hasPrefix(error) && result.error.contains(text), "\(result.error)")
        #expect(!result.error.contains("Usage:") && !result.error.contains("See '"), "\(result.error)")
      }
    }

    @Test("The locale sets the language of errors, and the system's reason is quoted as it is")
    func environment() throws {
      let french = ["LC_ALL": "fr_FR.UTF-8"]
      let result = try Headless.run(["list", "--feed", "/nonexistent/feed"], environment: french)
      #expect(result.status == .exit(1))
      #expect(
        result.error == "Erreur\u{202F}: impossible d'ouvrir le flux «\u{202F}/nonexistent/feed\u{202F}»\u{202F}: "
          + "«\u{202F}No such file or directory\u{202F}»\n")
      let board = try Headless.run(environment: french)
      #expect(board.error.hasPrefix("Erreur\u{202F}: la sortie standard n'est pas un terminal"), "\(board.error)")
    }

    @Test("An unsupported language is refused in English, with the choices")
    func unknown() throws {
      let result = try Headless.run(["--language", "xx"], environment: ["LC_ALL": "C.UTF-8"])
      #expect(result.status == .exit(2))
      #expect(
        result.error.hasPrefix("Error: --language 'xx' is not supported: choose from en, fr, zh-Hant\n"))
    }

    @Test("Machine-readable output is the same in every language", arguments: ["--format=json", "--format=csv"])
    func machines(format: String) throws {
      let feed = TemporaryFile(FeedText.dump(FeedText.football(100, "Köln - 浦和")))
      let english = try Headless.run(["list", "--feed", feed.path, format])
      let chinese = try Headless.run(["list", "--feed", feed.path, format, "--language", "zh-Hant"])
      #expect(english.status == .exit(0) && english.output == chinese.output && !english.output.isEmpty)
      for shell in ["bash", "zsh", "fish"] {
        let script = try Headless.run(["--generate-completion-script", shell, "--language", "fr"])
        #expect(script.status == .exit(0) && script.output.contains("toteboard"))
      }
    }
  }
}
