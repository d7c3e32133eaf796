import ArgumentParser
import Locking
import OddsFeed
import Wording

/// `toteboard changes`: a line for each change until the feed ends.
struct Changes: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case json, text, csv }

  static let configuration = CommandConfiguration(
    abstract: Speech.words(.aboutChanges), discussion: Speech.words(.aboutChangesMore))

  @OptionGroup var options: FeedOptions

  @Option(help: .phrase(.optionChangesFormat))
  var format = Format.json

  mutating func run() throws {
    try options.configure()
    let feed = try options.openFeed()
    let follower = FeedFollower(feed: feed, options: options.bounds.options)
    let format = format
    if format == .csv { try Output.send(MatchChange.csvHeader.utf8) }
    let known = Locked<[MatchID: Match]>([:])
    try follower.follow { channel, touched in
      var lines: [UInt8] = []
      for id in touched.sorted() {
        let new = channel.match(id)
        let old = known.withLock { $0[id] }
        for change in MatchChange.between(old, new) { change.append(to: &lines, format) }
        known.withLock { $0[id] = new }
      }
      if !lines.isEmpty { try Output.send(lines) }
      return true
    }
  }
}
