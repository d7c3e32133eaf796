import ArgumentParser
import ProgramArguments
import Testing

@testable import toteboard

@Suite("Which option has an effect on which command")
struct OptionUseTests {
  /// The commands by a letter.
  private static let commands: [(letter: Character, arguments: [String])] = [
    ("b", []), ("p", ["--plain"]), ("l", ["list"]), ("c", ["changes"]), ("r", ["record", "FILE"]),
    ("i", ["inspect", "FILE"]), ("h", ["history"]), ("t", ["chart", "MATCH"]), ("o", ["import", "FILE"]),
    ("f", ["config"]), ("m", ["man-page"]),
  ]

  /// Each option with a value, where it takes one, and the letters of the commands that it has an effect on.
  private static let options: [(option: [String], commands: String)] = [
    (["--feed", "x"], "bplcr"), (["--matches", "5"], "bplcr"), (["--rate", "5"], "bplcr"), (["--seed", "5"], "bplcr"),
    (["--channel", "x"], "bplcr"), (["--config", "x"], "bplcr"), (["--realm", "x"], "bplcr"),
    (["--origin", "https://x"], "bplcr"), (["--operator", "x"], "bplcr"), (["--feed-language", "x"], "bplcr"),
    (["--ca-file", "x"], "bplcr"), (["--token", "x"], "bplcr"), (["--token-file", "x"], "bplcr"),
    (["--pipe-timeout", "30s"], "bpc"), (["--held-limit", "5"], "bplcio"), (["--held-age", "5"], "bplcio"),
    (["--language", "en"], "bplcrihtofm"), (["--no-history"], "bp"),
    (["--filter", "live"], "bp"), (["--odds", "decimal"], "bp"), (["--throttle", "1s"], "bp"),
    (["--zone", "UTC"], "bp"), (["--speed", "2"], "bp"), (["--plain"], "p"),
    (["--theme", "dark"], "b"), (["--sort", "name"], "b"), (["--reverse"], "b"), (["--fps", "5"], "b"),
    (["--fresh"], "b"), (["--no-mouse"], "b"), (["--low-bandwidth"], "b"), (["--login", "anna"], "bplcr"),
    (["--password-fd", "0"], "bplcr"), (["--stay-logged-in"], "b"), (["--demo-account"], "b"),
    (["--password", "x"], "bplcr"), (["--betfair-app-key-file", "x"], "bplcr"), (["--client-cert", "x"], "bplcr"),
    (["--betfair-identity", "x"], "bplcr"), (["--betfair-api", "x"], "bplcr"), (["--client-key", "x"], "bplcr"),
  ]

  /// Returns the error of the arguments before anything is done; nil if they are right.
  private func refusal(_ arguments: [String]) -> String? {
    let list = ArgumentList(arguments)
    return refusal { try OptionUse.check(list.options, of: try Toteboard.parseAsRoot(list.joiningNegativeValues)) }
  }

  private func refusal(_ check: () throws -> Void) -> String? {
    do {
      try check()
      return nil
    } catch let error as ValidationError { return error.message } catch { return Toteboard.message(for: error) }
  }

  @Test("One without effect is refused before and behind the command, with its name and the commands that take it")
  func everyOptionWithEveryCommand() throws {
    for (letter, command) in Self.commands {
      let parsed = try Toteboard.parseAsRoot(command)
      for (option, effective) in Self.options {
        // Alone it is the other command.
        if option == ["--plain"], letter == "b" { continue }
        let joined = option.count > 1 ? ["\(option[0])=\(option[1])"] : option
        for arguments in [option + command, command + option, joined + command, command + joined] {
          let refusal = refusal { try OptionUse.check(ArgumentList(arguments).options, of: parsed) }
          #expect((refusal == nil) == effective.contains(letter), "\(arguments): \(refusal ?? "taken")")
          guard let refusal else { continue }
          #expect(refusal.contains(option[0]), "\(arguments): \(refusal)")
          if !effective.isEmpty { #expect(refusal.contains("'toteboard"), "\(arguments): \(refusal)") }
        }
      }
    }
  }

  @Test("The parser lets each of them through, wherever it stands", arguments: ["list", "changes"])
  func parsed(command: String) {
    for arguments in [["--theme", "dark", command], [command, "--theme=dark"], ["--fps", "5", command]] {
      #expect(refusal(arguments)?.contains("has no effect with 'toteboard \(command)'") == true, "\(arguments)")
    }
  }

  @Test("Every option of the program is in the table")
  func isComplete() {
    let help = Toteboard.helpMessage(includeHidden: true, columns: 1000)
    let names = Set(help.matches(of: #/(?m)^  (--[a-z-]+)/#).map { String($0.output.1) })
    let known = Set(OptionUse.commands.keys)
    #expect(names.subtracting(known).subtracting(["--version"]).isEmpty && names.count > 25)
    #expect(known == Set(Self.options.map { $0.option[0] }))
  }

  @Test("What stands behind -- or is a value is no option")
  func values() {
    #expect(refusal(["inspect", "--", "--theme"]) == nil)
    #expect(ArgumentList(["--filter", "x", "--", "--theme"]).options == ["--filter"])
  }

  @Test("A value that begins with a minus sign belongs to the option before it")
  func negativeValues() {
    func joined(_ arguments: String...) -> [String] { ArgumentList(arguments).joiningNegativeValues }
    #expect(joined("--matches", "-1", "list") == ["--matches=-1", "list"])
    #expect(joined("list", "--rate", "-1e5", "--seed", "-x") == ["list", "--rate=-1e5", "--seed=-x"])
    #expect(joined("--feed", "-", "--plain", "-h") == ["--feed", "-", "--plain", "-h"])
    #expect(joined("--matches", "--rate", "-1") == ["--matches", "--rate=-1"])
    #expect(joined("--matches=1", "-1", "-1") == ["--matches=1", "-1", "-1"])
    #expect(joined("inspect", "--", "--matches", "-1") == ["inspect", "--", "--matches", "-1"])
  }
}
