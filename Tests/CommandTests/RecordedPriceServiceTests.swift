import Dashboard
import Localization
import OddsHistory
import OddsModel
import Platform
import TestSupport
import Testing

@testable import toteboard

/// The history as the board reads it.
@Suite(.timeLimit(.minutes(45)))
struct RecordedPriceServiceTests {
  private static let start: Int64 = 1_750_752_000_000

  private func service(_ file: HistoryFile) -> RecordedPriceService {
    RecordedPriceService(
      HistoryRecorder(file, feed: "f", limits: HistoryLimits(), clock: .live, onMessage: { _ in }))
  }

  private func query(_ text: String) throws -> MatchQuery {
    try MatchQuery(text, .english, wall: Self.start, hasPrices: false)
  }

  @Test("Past matches are found by the words of a filter, and each is read with its last prices")
  func past() async throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    let matches: [Match] = [
      .football(100, "Ajax - Porto", start: Self.start), .football(200, "Girona - 上海海港", start: Self.start + 1000),
      .football(300, "Porto - Girona", start: Self.start - 1000), .football(400, "Paris - Lens", start: Self.start),
    ]
    let writer = try HistoryWriter(file, feed: "f")
    var detector = ChangeDetector()
    var entries: [HistoryEntry] = []
    for match in matches {
      entries += detector.apply(MatchObservation(channel: 1, time: Self.start + 5000, .match(match)))
      entries += detector.apply(MatchObservation(channel: 1, time: Self.start + 9000, .removed(match.id)))
    }
    try writer.write(entries, completeUpTo: Self.start + 10_000)
    let service = service(file)
    for (text, ids) in [
      ("porto", [100, 300]), ("GIRONA", [200, 300]), ("海港", [200]), ("porto not ajax", [300]), ("xyz", []),
      ("", [200, 400, 100, 300]),
    ] as [(String, [MatchID])] {
      let found = try await service.pastMatches(try query(text)).get()
      #expect(found.map(\.id) == ids && found.allSatisfy { $0.markets.isEmpty }, "\(text)")
    }
    let known = try #require(try await service.lastKnown(200).get())
    #expect(known.match.name == "Girona - 上海海港" && known.end == Self.start + 9000)
    #expect(known.match.markets.first?.outcomes.map(\.price) == ["2.45", "3.10", "2.90"])
    #expect(known.match.markets.allSatisfy { !$0.takesBets })
    #expect(try await service.lastKnown(500).get() == nil)
  }

  @Test("A history that is not written yet has no matches, and one that is damaged is an error")
  func unreadable() async throws {
    let directory = TemporaryDirectory()
    let missing = service(HistoryFile("\(directory.path)/history.db"))
    #expect(try await missing.pastMatches(try query("")).get() == [])
    let text = TemporaryFile(String(repeating: "no database ", count: 1000))
    let damaged = service(HistoryFile(text.path))
    let found = await damaged.pastMatches(try query(""))
    #expect(throws: HistoryError.self) { try found.get() }
    let known = await damaged.lastKnown(100)
    #expect(throws: HistoryError.self) { try known.get() }
  }
}
