import ArgumentParser
import OddsFeed
import Wording

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@main
struct Toteboard: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toteboard",
    abstract: Speech.words(.aboutToteboard), discussion: Speech.words(.aboutBoard), version: "0.1.0",
    subcommands: [List.self, Changes.self, Record.self, Inspect.self, Config.self, ManPage.self])

  @OptionGroup var feed: FeedOptions
  @OptionGroup var board: BoardOptions

  /// NB: for subcommands, too, whose users have a right to hear that the board's options are not theirs.
  mutating func validate() throws {
    guard board.dependsOnFeed else { return }
    var feed = feed
    try feed.configure()
    try board.validate(with: feed)
  }

  mutating func run() throws {
    try feed.configure()
    try board.validate(with: feed)
    try board.run(feed)
  }

  /// Exit codes: 0, 1 (failed), 2 (usage). A closed pipe is no error.
  static func main() {
    let arguments = ProcessArguments.take(hiding: ["--token", "--password"], passwordsOf: ["--login"])
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch is ClosedPipe {
      return
    } catch {
      let code = exitCode(for: error)
      let message = ParserText(words: Speech.words).message(for: error)
      if !message.isEmpty { try? Output.send("\(message)\n".utf8, to: code.isSuccess ? 1 : 2) }
      leave(code == .validationFailure ? 2 : code.rawValue)
    }
  }
}

/// `exit`, which in a command's own scope is another function.
private func leave(_ code: Int32) -> Never { exit(code) }
