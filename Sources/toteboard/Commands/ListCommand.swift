import ArgumentParser
import Dashboard
import JSONText
import Localization
import OddsFeed
import OddsModel
import Platform
import TerminalCore

/// The command `toteboard list`: prints one snapshot.
struct List: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case table, json, csv }

  static let configuration = CommandConfiguration(
    commandName: "list", abstract: CLILanguage.words(.aboutList),
    discussion: CLILanguage.words(.aboutListMore))

  @OptionGroup var options: FeedOptions

  @Option(help: .phrase(.optionListFormat))
  var format = Format.table

  mutating func run() throws {
    try options.configure()
    try options.checkLogin(of: .list)
    let read = try Self.read(try options.openFeed(), options.bounds.options)
    if let note = read.note { try Output.note(note) }
    var channel = read.channel
    try Output.send(Self.text(of: &channel, format))
  }

  /// Returns the channel of a feed, and a note if its prices are not live.
  ///
  /// A file or a pipe is read to its end. Any other feed has no end: its first complete state is returned once the feed
  /// has answered for the topic. The names of a feed from Betfair have arrived by then.
  static func read(
    _ feed: FeedOptions.Feed, _ options: StoreOptions
  ) throws -> (channel: ChannelState, note: LocalizedMessage?) {
    let follower = ChannelFollower(feed: feed, options: options, isPatient: false, eachMessage: !feed.hasEnd)
    let last = Locked(Freshness(.locked, since: 0))
    let channel = try follower.follow { _, event in
      last.withLock { $0 = event.status.freshness }
      return feed.hasEnd || !event.isComplete || event.status.topic == .requested
    }
    let freshness = last.withLock { $0 }
    var cause = freshness.cause
    // At its end a feed has the grade `closed`, which needs no note. The provider's reason is in the channel's source.
    if feed.hasEnd, case .impaired(let reason) = channel.source { cause = reason }
    if cause == nil, feed.hasEnd || freshness.grade == .live { return (channel, nil) }
    let name = cause?.name ?? freshness.grade.name
    return (channel, LocalizedMessage(.notePricesLate, CLILanguage.words(name)))
  }

  /// Returns the matches of a channel in the order of the dashboard.
  static func text(of channel: inout ChannelState, _ format: Format) -> [UInt8] {
    let matches = channel.matchIDs.compactMap { channel.match($0) }.sorted(by: Match.boardOrder)
    switch format {
    case .json: return json(matches)
    case .csv: return Array(csv(matches).utf8)
    case .table: return Array(table(matches).utf8)
    }
  }

  private static func json(_ matches: [Match]) -> [UInt8] {
    var writer = JSONWriter()
    writer.openArray()
    for match in matches { match.write(to: &writer) }
    writer.closeArray()
    writer.newline()
    return writer.bytes
  }

  private static func csv(_ matches: [Match]) -> String {
    var text = CSV.line([
      "matchId", "match", "startTime", "status", "marketId", "market", "outcomeId", "outcome", "key", "offerId", "odds",
      "offerStatus", "bettable",
    ])
    for match in matches {
      for market in match.markets {
        for outcome in market.outcomes {
          let fields = [
            "\(match.id)", match.name, match.startTime.map(ISOTime.text) ?? "", match.status.word, "\(market.id)",
            market.name, "\(outcome.id)", outcome.name, outcome.key, outcome.offer.map { "\($0.id)" } ?? "",
            outcome.offer?.odds?.description ?? "", outcome.offer?.status.word ?? "", "\(outcome.isBettable)",
          ]
          text += CSV.line(fields)
        }
      }
    }
    return text
  }

  private static func table(_ matches: [Match]) -> String {
    var rows = [["START", "MATCH", "STATUS", "1", "X", "2"]]
    for match in matches {
      let prices = match.mainMarket?.listedPrices ?? ["", "", ""]
      rows.append([match.startTime.map(ISOTime.text) ?? "", match.name.cleaned, match.status.word] + prices)
    }
    return AlignedTable.text(rows)
  }
}

extension Market {
  /// The prices in the columns 1, X and 2, as on the board.
  fileprivate var listedPrices: [String] {
    var prices = ["", "", ""]
    for (index, outcome) in outcomes.enumerated() {
      guard let column = PriceTriple.column(of: outcome, index, of: outcomes.count) else { continue }
      prices[column] = listed(outcome)
    }
    return prices
  }

  /// Returns the price of an outcome in the table, with a question mark if it may be out of date. In a file without
  /// offers it is that of the last matched bet, in parentheses.
  private func listed(_ outcome: Outcome) -> String {
    guard let price = outcome.offer?.odds else { return "-" }
    if outcome.isBettable { return "\(price)" }
    if isDoubtful(outcome) { return "\(price)?" }
    return outcome.offer?.status == .lastTraded ? "(\(price))" : "-"
  }
}
