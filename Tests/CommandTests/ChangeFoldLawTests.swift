import EveryMatrix
import Foundation
import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import toteboard

/// The lines of `toteboard changes`, folded from the start, equal the output of `toteboard list` at every point in
/// each format, and every line has a change.
struct ChangeFoldLawTests {
  /// A channel, the journal of its changes, and the folded changes in each format.
  private struct FoldComparison {
    var channel = ChannelState()
    var journal = ChangeJournal()
    var json = FoldedChanges()
    var csv = FoldedChanges()
    var text = FoldedText()
    var random: SeededRandom

    /// Applies a message, and sometimes changes the channel's freshness.
    mutating func apply(_ line: String) throws {
      var batch = FeedBatch()
      var decoder = MessageDecoder()
      let subscription = Subscription(topic: Topic(path: "/test"), generation: 1)
      decoder.decode(TransportFrame(subscription: subscription, bytes: Array(line.utf8)), into: &batch)
      let touched = channel.apply(batch, at: 1000).matches
      let grade = Freshness.Grade.allCases.filter { $0 != .suspended }.randomElement(using: &random)!
      let isTrusted = Int.random(in: 0..<4, using: &random) > 0
      let causes: [Freshness.Cause?] = [nil] + Freshness.Cause.allCases.map(Optional.some)
      let cause = grade == .delayed ? causes.randomElement(using: &random)! : nil
      let freshness = isTrusted ? Freshness(.live, since: 5) : Freshness(grade, since: 5, cause: cause)
      let changes = journal.changes(
        of: &channel, touching: Array(touched), freshness, at: 1_750_000_000_123)
      for change in changes {
        try fold(change)
      }
      try compare(changes)
      let words = [freshness.grade.word, freshness.cause?.word].compactMap(\.self).joined(separator: " ")
      #expect(json.freshness[""] == words && csv.freshness[""] == words)
    }

    private mutating func fold(_ change: MatchChange) throws {
      var (json, csv, text): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
      change.append(to: &json, .json)
      change.append(to: &csv, .csv)
      change.append(to: &text, .text)
      let line = String(decoding: json, as: UTF8.self)
      let isJSONChange = self.json.fold(try JSONText(line).fields)
      #expect(isJSONChange, "no change: \(line)")
      let row = CSVTable.rows(MatchChange.csvHeader + String(decoding: csv, as: UTF8.self))[0]
      let isCSVChange = self.csv.fold(row)
      #expect(isCSVChange, "no change: \(row)")
      self.text.fold(String(decoding: text, as: UTF8.self))
    }

    private mutating func compare(_ changes: [MatchChange]) throws {
      let listed = try FoldedChanges.listed(String(decoding: List.text(of: &channel, .json), as: UTF8.self))
      #expect(json.entries == listed, "\(changes.map(\.kind))")
      let rows = CSVTable.rows(String(decoding: List.text(of: &channel, .csv), as: UTF8.self))
      #expect(csv.listRows == Set(rows))
      #expect(text.entries == FoldedText.reduced(listed))
    }
  }

  private func run(_ seed: UInt64, _ lines: [String]) throws {
    var comparison = FoldComparison(random: SeededRandom(seed: seed))
    for line in lines { try comparison.apply(line) }
  }

  @Test("Folded changes equal the list on a consistent feed with every kind of change", arguments: Laws.seeds(6))
  func truth(seed: UInt64) throws {
    var truth = FeedModel(seed: seed)
    var lines = [truth.dump().text]
    for _ in 0..<12 { lines.append(truth.chance(20) ? truth.dump().text : truth.nextMessage().text) }
    try run(seed, lines)
  }

  @Test("Folded changes equal the list on a feed of arbitrary changes", arguments: Laws.seeds(20))
  func wild(seed: UInt64) throws {
    var wild = ArbitraryFeed(seed: seed)
    try run(seed, (0..<25).map { _ in wild.message().text })
  }

  @Test("Folded changes equal the list on malformed messages", arguments: Laws.seeds(20))
  func hostile(seed: UInt64) throws {
    var feed = HostileFeed(seed: seed)
    try run(seed, (0..<25).map { _ in feed.line() })
  }

  @Test("Folded changes equal the list after a removal, a moved market and a dump without the match")
  func gone() throws {
    let relation = FeedText.delete("MARKET_OUTCOME_RELATION", 131)
    for message in [
      FeedText.update(FeedText.delete("MARKET", 110)), FeedText.update(FeedText.delete("OUTCOME", 112)),
      FeedText.update(relation), FeedText.update(FeedText.change("MARKET", 110, #""eventId":"200""#)),
      FeedText.dump(FeedText.football(200)),
    ] {
      try run(1, [FeedText.dump(FeedText.football(), FeedText.football(200)), message])
    }
  }
}
