import ArgumentParser
import ProgramArguments
import Testing

@testable import toteboard

@Suite("The effect of options on commands")
struct OptionUseTests {
  /// The commands, each with a letter.
  private static let commands: [(letter: Character, arguments: [String])] = [
    ("b", []), ("p", ["--plain"]), ("l", ["list"]), ("c", ["changes"]), ("r", ["record", "FILE"]),
    ("i", ["inspect", "FILE"]), ("h", ["history"]), ("t", ["chart", "MATCH"]), ("o", ["import", "FILE"]),
    ("f", ["config"]), ("m", ["man-page"]), ("a", ["alerts"]), ("w", ["alerts", "--follow"]),
  ]

  /// Each option, with a value if it takes one, and the letters of the commands that it has an effect on.
  private static let options: [(option: [String], commands: String)] = [
    (["--feed", "x"], "bplcrw"), (["--matches", "5"], "bplcrw"), (["--rate", "5"], "bplcrw"),
    (["--seed", "5"], "bplcrw"),
    (["--channel", "x"], "bplcrw"), (["--config", "x"], "bplcrw"), (["--realm", "x"], "bplcrw"),
    (["--origin", "https://x"], "bplcrw"), (["--operator", "x"], "bplcrw"), (["--feed-language", "x"], "bplcrw"),
    (["--ca-file", "x"], "bplcrw"), (["--token", "x"], "bplcrw"), (["--token-file", "x"], "bplcrw"),
    (["--pipe-timeout", "30s"], "bpcw"), (["--pending-limit", "5"], "bplciow"),
    (["--pending-timeout", "5"], "bplciow"),
    (["--language", "en"], "bplcrihtofmaw"), (["--no-history"], "bp"),
    (["--filter", "live"], "bp"), (["--odds", "decimal"], "bp"), (["--throttle", "1s"], "bp"),
    (["--zone", "UTC"], "bp"), (["--speed", "2"], "bp"), (["--plain"], "p"),
    (["--theme", "dark"], "b"), (["--sort", "name"], "b"), (["--reverse"], "b"), (["--fps", "5"], "b"),
    (["--columns", "name"], "b"),
    (["--group", "sport"], "b"),
    (["--fresh"], "b"), (["--no-mouse"], "b"), (["--low-bandwidth"], "b"), (["--login", "anna"], "bplcrw"),
    (["--password-fd", "0"], "bplcrw"), (["--stay-logged-in"], "b"), (["--demo-account"], "b"),
    (["--password", "x"], "bplcrw"), (["--betfair-app-key-file", "x"], "bplcrw"), (["--client-cert", "x"], "bplcrw"),
    (["--betfair-conflate-ms", "5"], "bplcrw"), (["--betfair-keep-alive", "x"], "bplcrw"),
    (["--betfair-identity", "x"], "bplcrw"), (["--betfair-api", "x"], "bplcrw"), (["--client-key", "x"], "bplcrw"),
  ]

  /// Returns the error for the arguments, without running the command; nil if they are valid.
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

  @Test("An option without effect is refused before and after the command, with the commands that accept it")
  func everyOptionWithEveryCommand() throws {
    for (letter, command) in Self.commands {
      let parsed = try Toteboard.parseAsRoot(command)
      for (option, effective) in Self.options {
        // Alone, `--plain` selects the command of the letter p.
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

  @Test("An option without effect is reported in any position", arguments: ["list", "changes"])
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

  @Test(
    "A second feed is refused in any position, with the first one",
    arguments: [
      ["--feed", "wss://a", "--feed", "wss://b"], ["--feed=wss://a", "list", "--feed", "-"],
      ["list", "--feed", "wss://a", "--odds", "decimal", "--feed=wss://a"],
    ])
  func feeds(arguments: [String]) {
    let refusal = refusal { try OptionUse.checkFeeds(ArgumentList(arguments).values(of: "--feed")) }
    #expect(refusal?.contains("--feed 'wss://a' has no effect") == true, "\(refusal ?? "taken")")
  }

  @Test("One feed, also one with several addresses, is accepted")
  func feed() {
    for arguments in [[], ["list"], ["--feed", "wss://a,wss://b"], ["--feed=-", "--", "--feed", "x"]] {
      let refusal = refusal { try OptionUse.checkFeeds(ArgumentList(arguments).values(of: "--feed")) }
      #expect(refusal == nil, "\(arguments)")
    }
  }

  @Test("Arguments after -- and values of options are not options")
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
