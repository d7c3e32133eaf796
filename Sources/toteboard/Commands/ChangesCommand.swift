import ArgumentParser
import Localization
import OddsFeed
import Platform

/// The command `toteboard changes`: prints a line for each change until the feed ends.
struct Changes: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case json, text, csv }

  static let configuration = CommandConfiguration(
    commandName: "changes", abstract: CLILanguage.words(.aboutChanges),
    discussion: CLILanguage.words(.aboutChangesMore))

  @OptionGroup var options: FeedOptions

  @Option(help: .phrase(.optionChangesFormat))
  var format = Format.json

  mutating func run() throws {
    try options.configure()
    try options.checkLogin(of: .changes)
    let feed = try options.openFeed()
    let follower = ChannelFollower(feed: feed, options: options.bounds.options)
    let format = format
    if format == .csv { try Output.send(MatchChange.csvHeader.utf8) }
    let journal = Locked(ChangeJournal())
    try follower.follow { channel, event in
      var lines: [UInt8] = []
      let changes = journal.withLock {
        $0.changes(of: &channel, touching: event.matches, event.status.freshness, at: event.time)
      }
      for change in changes { change.append(to: &lines, format) }
      if !lines.isEmpty { try Output.send(lines) }
      return true
    }
  }
}
