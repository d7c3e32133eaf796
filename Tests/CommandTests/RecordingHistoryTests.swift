import Dashboard
import EveryMatrix
import Localization
import OddsHistory
import Platform
import TestSupport
import Testing

@testable import FeedRecording
@testable import OddsFeed
@testable import OddsModel
@testable import toteboard

/// The prices of a recording from its beginning up to the position of the playback.
@Suite(.timeLimit(.minutes(45)))
struct RecordingHistoryTests {
  /// A price of one of two matches, which have separate topics.
  private struct Price {
    let match: Int
    let position: Int64
    let odds: String
  }

  private static let begin: Int64 = 1_750_752_000_000

  /// A price each second for a minute, a gap of an hour that is played as ten seconds, and another minute of prices. In
  /// its middle the recorder's clock is set back by 50 minutes, which takes no time in the playback.
  private static let prices: [(price: Price, received: Int64)] = (0..<120).map { index in
    let second = index < 60 ? index : index < 90 ? index + 9 : index + 8
    let received = begin + Int64(index + (index < 60 ? 0 : index < 90 ? 3600 : 600)) * 1000
    let price = Price(
      match: index % 3 == 1 ? 200 : 100, position: Int64(second) * 1000, odds: "\(2 + index / 40).\(10 + index % 83)")
    return (price, received)
  }

  private let file: TemporaryFile = {
    var seen: Set<Int> = []
    let lines = prices.map { price, received in
      let match = price.match
      let message =
        seen.insert(match).inserted
        ? FeedText.dump(FeedText.football(match, odds: [price.odds, "3.1", "2.9"]))
        : FeedText.update(FeedText.odds(match + 21, price.odds))
      return #"{"receivedAt":\#(received),"topic":"/\#(match)","message":\#(message)}"#
    }
    return TemporaryFile(lines.joined(separator: "\n") + "\n")
  }()

  private let openings = Locked<[OpeningBatch]>([])
  private let messages = Locked<[LocalizedMessage]>([])

  private func history(
    of transport: RecordingTransport, topics: [String] = ["/100", "/200"], in directory: String = "/tmp"
  ) throws -> RecordingHistory {
    let channels = topics.map { BoardChannel(title: $0, topic: Topic(path: $0)) }
    let history = RecordingHistory(
      transport, channels: channels, options: StoreOptions(), environment: ["TMPDIR": directory]
    ) { [openings] batch in
      openings.withLock { $0.append(batch) }
    } onMessage: { [messages] message in
      messages.withLock { $0.append(message) }
    }
    return try #require(history)
  }

  private func transport() throws -> RecordingTransport {
    RecordingTransport(recording: try Recording(descriptor: file.descriptor, format: EveryMatrixFormat()))
  }

  @Test("At any position of the playback, the history has the prices up to there and none after")
  func positions() async throws {
    let transport = try transport()
    let history = try history(of: transport)
    transport.pause()
    await transport.subscribe(Subscription(topic: Topic(path: "/100"), generation: 1))
    for target: Int64 in [30_000, 5_000, 58_999, 65_000, 100_000, 127_000, 40_000, 999, 0] {
      transport.seek(to: .milliseconds(target))
      for match in [100, 200] {
        let record = await history.record(
          of: OutcomeID(integerLiteral: UInt32(match + 11)), in: MarketID(integerLiteral: UInt32(match + 10)),
          of: MatchID(integerLiteral: UInt32(match)), since: 0)
        var expected: [Price] = []
        for (price, _) in Self.prices where price.match == match && price.position <= target {
          // The history keeps only the last of two prices at one time.
          if expected.last?.position == price.position { expected.removeLast() }
          expected.append(price)
        }
        let steps = record?.series.steps.filter { $0.state == .live } ?? []
        #expect(steps.map { $0.time - Self.begin } == expected.map(\.position), "\(target)")
        #expect(steps.map { "\($0.odds!)" } == expected.map(\.odds), "\(target)")
        #expect(record?.last?.description == expected.last?.odds)
        #expect(record?.opening == nil)
      }
    }
    let batch = openings.withLock { $0 }
    #expect(batch.count == 1 && batch[0].prices.count == 6)
    for (match, odds) in [(100, "2.10"), (200, "2.11")] as [(UInt32, String)] {
      let opening = batch[0].prices.first { $0.outcome == OutcomeID(integerLiteral: match + 11) }
      #expect(opening?.odds.description == odds)
    }
    #expect(messages.withLock { $0 } == [])
    await history.finish()
  }

  @Test("The temporary file is unlinked while it is in use")
  func removed() async throws {
    let directory = TemporaryDirectory()
    let history = try history(of: try transport(), in: directory.path)
    let none = await history.record(of: 111, in: 110, of: 999, since: 0)
    #expect(none == nil && directory.names() == [] && openings.withLock { $0.count } == 1)
    await history.finish()
  }

  @Test("The end of the board ends the import; then a request for prices has no result, and there is no message")
  func end() async throws {
    // The recording does not have this topic, so that the import does not end by itself.
    let history = try history(of: try transport(), topics: ["/300"])
    await history.finish()
    #expect(await history.record(of: 111, in: 110, of: 100, since: 0) == nil)
    #expect(openings.withLock { $0.isEmpty } && messages.withLock { $0 } == [])
  }

  @Test("If the file cannot be created, there is one message and no history")
  func noDirectory() async throws {
    let history = try history(of: try transport(), in: "/nonexistent")
    #expect(await history.record(of: 111, in: 110, of: 100, since: 0) == nil)
    let texts = messages.withLock { $0.map { Catalog.english.text($0) } }
    #expect(texts == ["The history is not written: '/nonexistent': No such file or directory."])
  }
}
