import ArgumentParser

/// The command that writes a measured feed to a file, to inspect it or to run other programs on it.
struct FeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed", abstract: "Write one of the feeds that are measured to a file, one message a line.")

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case prices, page, football
  }

  @Option(help: "A dump and odds updates; the dump of a page; that of all football.")
  var kind = Kind.prices

  @Option(help: "How many updates follow.")
  var updates = 1_000_000

  @Option(help: "Updates a message, of prices.")
  var batch = 1

  @Argument(help: "Where to.")
  var file: String

  mutating func run() throws {
    let updates = max(0, updates)
    let feed =
      switch kind {
      case .prices: PriceFeed.text(updates: updates, batch: max(1, batch))
      case .page: whole(.page, updates)
      case .football: whole(.football, updates)
      }
    try feed.write(to: file)
  }

  private func whole(_ feed: RealisticFeed, _ updates: Int) -> FeedText {
    FeedText(bytes: feed.dump() + [0x0A] + feed.updates(updates, seed: 1).bytes)
  }
}
