import EveryMatrix
import Foundation
import OddsModel
import Testing

@testable import FeedSimulator

@Suite("Laws of the book as a feed")
struct BookFeedLawTests {
  private static let matches = 16
  /// New seeds in each run, printed on a failure. LAW_SEED in the environment repeats a single seed.
  private static let seeds: [UInt64] =
    ProcessInfo.processInfo.environment["LAW_SEED"].flatMap(UInt64.init).map { [$0] }
    ?? (0..<6).map { _ in UInt64.random(in: 0...UInt64.max) }

  private static func feed(seed: UInt64) throws -> BookFeed {
    BookFeed(options: try SimulatorOptions(matches: matches, seed: seed, rate: 20, startTime: startTime), uptime: 0)
  }

  @Test("a dump with its updates equals a new dump, even after jumps, and may be encoded later", arguments: seeds)
  func replay(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var feed = try Self.feed(seed: seed)
    var uptime: UInt64 = 0
    /// The open topics; nil for a topic without a requested dump.
    var replicas: [Topic: CheckedReplica?] = [:]
    var dumps: [(make: @Sendable () -> [UInt8], expected: [UInt8])] = []
    for step in 0..<120 {
      let topic = try randomTopic(feed, &random)
      let canonical = try #require(feed.canonical(topic), "\(topic)")
      switch step == 60 ? 7 : random.index(below: 12) {
      case 0...2:
        let isOpen = feed.open(canonical)
        #expect(isOpen == (feed.dump(of: canonical) != nil))
        if isOpen, replicas[canonical] == nil { replicas[canonical] = .some(nil) }
      case 3:
        guard let open = sorted(replicas.keys).randomElement(using: &random) else { break }
        feed.close(open)
        replicas[open] = nil
      case 4, 5:
        for open in sorted(replicas.keys) where random.chance(0.5) {
          replicas[open] = try CheckedReplica(dump: feed.bytes(of: open))
        }
      case 6:
        guard let make = feed.dump(of: canonical) else { break }
        dumps.append((make, try feed.bytes(of: canonical)))
      case 7 where step % 3 == 0:
        uptime += UInt64.random(in: 601_000_000_000...50_000_000_000_000, using: &random)
      default: uptime += UInt64.random(in: 0...20_000_000_000, using: &random)
      }
      for news in feed.advance(to: uptime) {
        var replica = try #require(replicas[news.topic], "a topic that is not open has messages")
        for message in news.messages {
          if String(decoding: message.prefix(200), as: UTF8.self).contains("INITIAL_DUMP") {
            replica = try CheckedReplica(dump: message)
          } else {
            try replica?.apply(message)
          }
        }
        replicas[news.topic] = .some(replica)
      }
      guard step % 4 == 0 else { continue }
      for case (let open, let replica?) in replicas {
        #expect(try replica == CheckedReplica(dump: try feed.bytes(of: open)), "\(open), step \(step)")
      }
    }
    for dump in dumps { #expect(dump.make() == dump.expected) }
  }

  @Test("the canonical form of a topic is canonical itself, and selects the same data", arguments: seeds)
  func canonical(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var feed = try Self.feed(seed: seed)
    for step in 1...60 as ClosedRange<UInt64> {
      _ = feed.advance(to: step * 5_000_000_000)
      let topic = try randomTopic(feed, &random)
      let canonical = try #require(feed.canonical(topic), "\(topic)")
      #expect(feed.canonical(canonical) == canonical)
      #expect(feed.dump(of: topic)?() == feed.dump(of: canonical)?(), "\(topic)")
    }
  }

  /// Returns topics in a reproducible order.
  private func sorted(_ topics: some Sequence<Topic>) -> [Topic] { topics.sorted { $0.path < $1.path } }

  /// Returns a random topic of the book, in a random spelling.
  private func randomTopic(_ feed: BookFeed, _ random: inout SeededGenerator) throws -> Topic {
    let language = ["en", "fr", "zh"].randomElement(using: &random)!
    func spelled(_ number: Int) -> String { ["\(number)", "+\(number)", "00\(number)"].randomElement(using: &random)! }
    func ids(_ type: String, of topic: Topic) throws -> [Int] {
      let replica = try CheckedReplica(dump: feed.bytes(of: topic))
      return replica.all(type).compactMap { ($0["id"] as? String).flatMap(Int.init) }.sorted()
    }
    let all = Topic.aggregator(.popular, matches: Self.matches)
    switch random.index(below: 8) {
    case 0:
      let id = try #require(try ids("MATCH", of: all).randomElement(using: &random))
      return Topic(path: "/sports/1/\(language)/\(spelled(id))/match-odds")
    case 1:
      let offers = try ids("BETTING_OFFER", of: all).shuffled(using: &random).prefix(1 + random.index(below: 9))
      let list = (offers + offers.prefix(2)).map(spelled).joined(separator: ",")
      return Topic(path: "/sports/1/\(language)/bettingOffers/\(list)")
    case 2: return .sports(liveOnly: random.chance(0.5), language: language)
    default:
      let kind = Topic.MatchList.allCases.randomElement(using: &random)!
      let sports = [Topic.allSports] + SimulatedSport.allCases.map(\.id.description)
      let counts = "\(spelled(random.index(below: 30)))/\(spelled(random.index(below: 6)))"
      return Topic(
        path: "/sports/1/\(language)/\(kind.rawValue)/\(sports.randomElement(using: &random)!)/all-locations/"
          + "default-event-info/\(counts)")
    }
  }
}
