import ArgumentParser
import CLibrary
import CProgramVersion
import Localization
import Platform
import ProgramArguments
import TerminalCore

@main
struct Toteboard: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toteboard",
    abstract: CLILanguage.words(.aboutToteboard), discussion: CLILanguage.words(.aboutBoard),
    version: "toteboard \(String(cString: program_version()))",
    // NB: each has a `commandName`, which ArgumentParser otherwise makes by reflection at every start.
    subcommands: [
      List.self, Changes.self, Record.self, Inspect.self, History.self, ChartCommand.self, Import.self,
      AlertsCommand.self, Config.self, ManPage.self,
    ])

  @OptionGroup var feed: FeedOptions
  @OptionGroup var board: BoardOptions

  mutating func run() throws {
    try feed.configure()
    try board.validate(with: feed)
    try board.run(feed)
  }

  /// Runs the program. Exit status: 0 (success or a closed pipe), 1 (failure), 2 (usage error), 128 + n (signal n).
  static func main() {
    let arguments = ArgumentList(ProcessArguments.consume(hiding: ["--token", "--password"], passwordsOf: ["--login"]))
    OpenFiles.openStandardError()
    signal(SIGPIPE, SIG_IGN)
    do {
      try checkHelpAndVersion(arguments)
      var command = try HelpTexts.omit { try parseAsRoot(arguments.joiningNegativeValues) }
      try OptionUse.check(arguments.options, of: command)
      try OptionUse.checkFeeds(arguments.values(of: "--feed"))
      try command.run()
    } catch is ClosedPipe {
      return
    } catch let ending as EndedBySignal {
      ending.end()
    } catch {
      let code = exitCode(for: error)
      let message = ParserText(words: CLILanguage.words).message(for: error)
      if !message.isEmpty { try? Output.send("\(message)\n".utf8, to: code.isSuccess ? 1 : 2) }
      CLibrary.exit(code == .validationFailure ? 2 : code.rawValue)
    }
  }

  private static func checkHelpAndVersion(_ arguments: ArgumentList) throws {
    switch arguments.misuse(of: Self.self, allowing: ["--language"]) {
    case nil: return
    case .unknownCommand(let name, let commands)?:
      throw ValidationError(.usageNoCommand, name.cleaned, LocalizedMessage.list(commands))
    case .notAlone(let option, let other)?: throw ValidationError(.usageStandsAlone, option, other.cleaned)
    }
  }
}
