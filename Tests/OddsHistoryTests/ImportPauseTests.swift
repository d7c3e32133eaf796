import OddsModel
import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsHistory

/// The pauses of an imported recording: a lost connection, or a recording that was continued later.
struct ImportPauseTests {
  /// A message of one of two channels about a match, by default one that the other channel does not have.
  private struct Message {
    let channel: Int
    let match: Int
    let time: Int64
    let isDump: Bool
    let odds: String

    init(_ channel: Int = 0, of match: Int? = nil, at time: Int64, isDump: Bool = true, _ odds: String) {
      self.channel = channel
      self.match = match ?? 100 * (channel + 1)
      self.time = ImportPauseTests.start + time
      self.isDump = isDump
      self.odds = odds
    }
  }

  private static let start: Int64 = 1_750_000_000_000
  private static let pause: Int64 = 10_000
  private static let hour: Int64 = 3_600_000

  private let directory = TemporaryDirectory()

  /// Imports messages. Returns the prices of the home team of the match of each channel.
  private func imported(_ messages: [Message]) async throws -> [Int: PriceSeries] {
    let file = HistoryFile("\(directory.path)/history.db")
    let importer = try HistoryImporter(file, feed: "import", minPause: .milliseconds(Self.pause))
    let line = ConnectionUpdate(connection: .live, pulse: .sound)
    let stores = [0, 1].map { ChannelStore(topic: Topic(path: "/\($0)"), line: line) }
    for (number, store) in stores.enumerated() { await store.follow(importer.follower(ofChannel: number)) }
    for message in messages {
      let text =
        message.isDump
        ? FeedText.dump(FeedText.football(message.match, odds: [message.odds, "3.1", "2.9"]))
        : FeedText.update(FeedText.odds(message.match + 21, message.odds))
      await stores[message.channel].apply(.of(text), at: message.time)
    }
    _ = try importer.finish()
    let reader = try HistoryReader(file)
    var series: [Int: PriceSeries] = [:]
    for recorded in try reader.matches(since: 0) {
      let market = recorded.markets[0]
      series[recorded.match.id == 100 ? 0 : 1] = try reader.series(
        of: market.outcomes[0], in: market, 0..<Self.start * 2)
    }
    return series
  }

  private func step(_ series: PriceSeries?, at time: Int64) -> String {
    guard let step = series?.step(at: Self.start + time), step.state != .unknown else { return "unknown" }
    return "\(step.state) \(step.odds?.description ?? "-")"
  }

  @Test("In a pause before a dump, the price is unknown; in a pause before an update, it stays known")
  func beforeDump() async throws {
    let series = try await imported([
      Message(at: 0, "2.00"), Message(at: 2 * Self.hour, "3.00"),
      Message(at: 4 * Self.hour, isDump: false, "4.00"), Message(at: 4 * Self.hour + 9_999, "5.00"),
    ])[0]
    #expect(step(series, at: 0) == "live 2.00")
    #expect(step(series, at: 1) == "unknown")
    #expect(step(series, at: Self.hour) == "unknown")
    #expect(step(series, at: 2 * Self.hour) == "live 3.00")
    #expect(step(series, at: 3 * Self.hour) == "live 3.00")
    #expect(step(series, at: 4 * Self.hour + 9_998) == "live 4.00")
    #expect(step(series, at: 4 * Self.hour + 9_999) == "live 5.00")
  }

  @Test("A dump of one channel after a pause of all of them ends the prices of the others")
  func otherChannel() async throws {
    let series = try await imported([
      Message(at: 0, "2.00"), Message(1, at: 1000, "6.00"), Message(at: Self.hour, "3.00"),
      Message(at: Self.hour + 5000, isDump: false, "4.00"),
      Message(1, at: Self.hour + 9000, isDump: false, "7.00"),
    ])
    #expect(step(series[1], at: 1000) == "live 6.00")
    #expect(step(series[1], at: Self.hour / 2) == "unknown")
    #expect(step(series[1], at: Self.hour + 8999) == "unknown")
    #expect(step(series[1], at: Self.hour + 9000) == "live 7.00")
  }

  @Test("A market of two channels has no price in the pause of the one that recorded it")
  func sharedMarket() {
    var detector = ChangeDetector()
    func observe(_ channel: Int, _ odds: String, at time: Int64) -> [String] {
      let match = Match.football(odds: [odds, "3.1", "2.9"])
      return texts(detector.apply(MatchObservation(channel: channel, time: time, .match(match))))
    }
    func texts(_ entries: [HistoryEntry]) -> [String] {
      entries.compactMap { entry -> String? in
        switch entry {
        case .begin(_, _, let time): "begin \(time)"
        case .end(_, let time): "end \(time)"
        case .gone(_, let time): "gone \(time)"
        case .price(let key, let price, let time, _): key.outcome == 111 ? "\(price.thousandths ?? 0) \(time)" : nil
        case .match, .outcome: nil
        }
      }
    }
    #expect(observe(1, "2.00", at: 0) == ["begin 0", "2000 0"])
    #expect(observe(2, "2.00", at: 1) == [])
    #expect(observe(2, "3.00", at: 5000) == [])
    #expect(texts(detector.apply(MatchObservation(channel: 1, time: 10, .lost))) == ["end 10"])
    #expect(observe(1, "3.00", at: 5001) == ["begin 5001", "3000 5001"])
  }

  @Test("After the pause of the channel that recorded a market, another channel that carries it goes on with it")
  func takeOver() async throws {
    let series = try await imported([
      Message(0, at: 0, "2.00"), Message(1, of: 100, at: 1, "2.00"),
      Message(1, of: 100, at: 9000, isDump: false, "3.00"), Message(1, of: 100, at: 12_000, isDump: false, "3.50"),
      Message(0, of: 200, at: 15_000, "5.00"), Message(0, of: 200, at: 20_000, isDump: false, "5.50"),
    ])
    #expect(step(series[0], at: 0) == "live 2.00")
    #expect(step(series[0], at: 1) == "unknown")
    #expect(step(series[0], at: 14_999) == "unknown")
    #expect(step(series[0], at: 15_000) == "live 3.50")
    #expect(step(series[0], at: 19_999) == "live 3.50")
    #expect(step(series[1], at: 15_000) == "live 5.00")
  }

  @Test("A market of two channels that are lost together is not known before one of them has it again")
  func bothLost() async throws {
    let series = try await imported([
      Message(0, at: 0, "2.00"), Message(1, of: 100, at: 1, "2.00"), Message(0, of: 200, at: Self.hour, "5.00"),
      Message(1, of: 100, at: Self.hour + 5000, "3.00"),
      Message(0, of: 200, at: Self.hour + 6000, isDump: false, "5.50"),
    ])
    #expect(step(series[0], at: 2) == "unknown")
    #expect(step(series[0], at: Self.hour + 4999) == "unknown")
    #expect(step(series[0], at: Self.hour + 5000) == "live 3.00")
  }

  @Test("Random recordings have the prices that their messages state, and none in a pause", arguments: Laws.seeds(12))
  func law(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    var time: Int64 = 0
    var messages = [Message(0, at: 0, "1.50"), Message(1, at: 0, "1.60")]
    for _ in 0..<60 {
      time += [1, 500, 3000, 9999, 10_000, 60_000].randomElement(using: &random)!
      messages.append(
        Message(
          Int.random(in: 0...1, using: &random), at: time, isDump: Int.random(in: 0..<3, using: &random) == 0,
          "2.\(Int.random(in: 10...99, using: &random))"))
    }
    let series = try await imported(messages)
    for (index, message) in messages.enumerated().dropFirst(2) {
      for time in [messages[index - 1].time + 1, message.time - 1, message.time] {
        for channel in [0, 1] {
          let expected = Self.price(of: channel, at: time, messages).map { "live \($0)" } ?? "unknown"
          #expect(step(series[channel], at: time - Self.start) == expected, "\(channel) \(time - Self.start)")
        }
      }
    }
  }

  /// Returns the price of a channel by the rules; nil if it is not known. The first dump after a pause tells when the
  /// connection was lost.
  private static func price(of channel: Int, at time: Int64, _ messages: [Message]) -> String? {
    guard let last = messages.lastIndex(where: { $0.channel == channel && $0.time <= time }) else { return nil }
    let own = messages[last]
    for (message, previous) in zip(messages.dropFirst(last + 1), messages.dropFirst(last)) {
      let start = message.channel == channel ? own.time : previous.time
      if message.isDump, message.time - start >= pause { return time > start ? nil : own.odds }
      if message.channel == channel { break }
    }
    return own.odds
  }
}
