import JSONText
import OddsModel
import TestSupport
import Testing

@testable import Betfair
@testable import OddsFeed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Compares the order books with betfairlightweight, with a slow implementation, and across batch sizes.
@Suite(.timeLimit(.minutes(45)))
struct ReferenceTests {
  /// Options without the cases that betfairlightweight handles differently.
  private static var undisputedOptions: BetfairStream.Options {
    var options = BetfairStream.Options()
    options.hasDisputed = false
    return options
  }

  private static func cache(of bytes: [UInt8]) -> MarketCache {
    var (decoder, batch) = (BetfairDecoder(), FeedBatch())
    bytes.withUnsafeBufferPointer { bytes in
      bytes.eachLine(in: 0..<bytes.count) { decoder.decode(bytes, $0, into: &batch) }
    }
    #expect(batch.unparsable == 0)
    return decoder.cache
  }

  private static let folder =
    "\(#filePath)".split(separator: "/", omittingEmptySubsequences: false).dropLast()
    .joined(separator: "/") + "/Reference"

  private static func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }

  @Test(
    "The final state of recorded streams equals that of betfairlightweight 2.24",
    arguments: ["seed-1", "seed-2", "seed-3", "seed-4", "schema"])
  func fixtures(name: String) throws {
    let stream = try #require(Self.bytes(of: "\(Self.folder)/\(name).ndjson"))
    let state = try #require(Self.bytes(of: "\(Self.folder)/\(name).state"))
    #expect(Self.cache(of: stream).text == String(decoding: state, as: UTF8.self))
  }

  /// The fields of the messages of the market stream in Betfair's schema, version 1.0.1423.
  private static let schema = """
    adjustmentFactor atb atl batb batl bdatb bdatl betDelay bettingType bsp bspMarket bspReconciled clk complete con \
    conflateMs connectionClosed connectionId connectionsAvailable countryCode crossMatching ct discountAllowed \
    eachWayDivisor errorCode errorMessage eventId eventTypeId hc heartbeatMs id img inPlay initialClk \
    keyLineDefinition kl lineInterval lineMaxUnit lineMinUnit ltp marketBaseRate marketDefinition marketTime \
    marketType mc name numberOfActiveRunners numberOfWinners op openDate persistenceEnabled priceLadderDefinition \
    pt raceType rc regulators removalDate runners runnersVoidable segmentType settledTime sortPriority spb spf spl \
    spn status statusCode suspendReason suspendTime timezone trd turnInPlayEnabled tv type venue version
    """

  @Test("The messages of the file 'schema' have every field of Betfair's schema")
  func schema() throws {
    let bytes = try #require(Self.bytes(of: "\(Self.folder)/schema.ndjson"))
    let text = String(decoding: bytes, as: UTF8.self)
    for field in Self.schema.split(separator: " ") { #expect(text.contains("\"\(field)\":"), "\(field)") }
  }

  @Test(
    "Streams and final states of many seeds are written for `make reference`",
    .enabled(if: getenv("TOTEBOARD_REFERENCE") != nil))
  func writtenStreams() throws {
    let folder = String(cString: getenv("TOTEBOARD_REFERENCE"))
    let count = getenv("SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 300
    for seed in 1...count {
      var options = Self.undisputedOptions
      options.steps = seed <= 4 ? 25 : 200
      options.markets = seed <= 4 ? 2 : 4
      let stream = BetfairStream(seed: seed, options: options)
      for (name, text) in [("ndjson", stream.text), ("state", Array(Self.cache(of: stream.text).text.utf8))] {
        let file = try #require(fopen("\(folder)/seed-\(seed).\(name)", "w"))
        #expect(fwrite(text, 1, text.count, file) == text.count)
        fclose(file)
      }
    }
  }

  @Test("The final state equals that of a slow reference implementation, for every kind of message", arguments: 0..<60)
  func slowReference(seed: UInt64) {
    let stream = BetfairStream(seed: seed)
    var reference = ReferenceMarkets()
    for message in stream.messages { reference.apply(message) }
    let cache = Self.cache(of: stream.text)
    #expect(cache.text == reference.text && cache.clock == reference.clock)
  }

  @Test("A store has the same matches from single messages, from batches and from a final dump")
  func batches() {
    for seed: UInt64 in 100..<140 {
      let stream = BetfairStream(seed: seed)
      let bytes = stream.text
      var (single, random) = (ChannelState(), SeededRandom(seed: seed))
      var (together, batch, other) = (ChannelState(), FeedBatch(), FeedBatch())
      var (first, second) = (BetfairDecoder(), BetfairDecoder())
      bytes.withUnsafeBufferPointer { bytes in
        bytes.eachLine(in: 0..<bytes.count) { line in
          first.decode(bytes, line, into: &batch)
          single.apply(batch)
          single.checkConsistency()
          batch.removeAll()
          second.decode(bytes, line, into: &other)
          guard Int.random(in: 0..<4, using: &random) == 0 else { return }
          together.apply(other)
          other.removeAll()
        }
      }
      together.apply(other)
      let matches = single.matches
      #expect(together.matches == matches && !matches.isEmpty, "seed \(seed)")
      #expect(single.counters.rejected == 0 && single.counters.waiting == 0, "seed \(seed)")
      #expect(single.counters.duplicateCreates == 0 && single.counters.held == 0, "seed \(seed)")
      // A dump of the decoder's state equals the result of the changes, except for times and last prices.
      let end = #"{"op":"mcm","id":\#(stream.messages.last!.id),"ct":"RESUB_DELTA","pt":1,"mc":[]}"#
      var (fresh, dump) = (ChannelState(), FeedBatch())
      Array(end.utf8).withUnsafeBufferPointer { first.decode($0, 0..<$0.count, into: &dump) }
      fresh.apply(dump)
      #expect(fresh.matches.map(\.withoutTimes) == matches.map(\.withoutTimes), "seed \(seed)")
    }
  }

  @Test("Readers at any pace end with the newest state and receive no change without effect", arguments: Laws.seeds(20))
  func readers(seed: UInt64) async {
    var options = BetfairStream.Options()
    options.steps = 200
    let bytes = BetfairStream(seed: seed, options: options).text
    var readers = PacedReaders(ChannelStore(topic: Topic(path: "/a")), seed: seed)
    var decoder = BetfairDecoder()
    for line in bytes.split(separator: 0x0A) {
      var batch = FeedBatch()
      Array(line).withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
      await readers.apply(batch)
    }
    _ = await readers.finish()
    #expect(readers.faults.isEmpty)
  }

  @Test("A subscription's image removes the markets that it lacks, unlike in betfairlightweight")
  func subscriptionImage() {
    let images = ["1.1", "1.2"].map { #"{"op":"mcm","ct":"SUB_IMAGE","pt":1,"mc":[{"id":"\#($0)","img":true}]}"# }
    #expect(Self.cache(of: Array(images.joined(separator: "\n").utf8)).books.map(\.key.text) == ["1.2"])
  }

  @Test("The position in the stream is that of the last whole message, unlike in betfairlightweight")
  func streamPosition() {
    let lines = [("", "A"), (#""segmentType":"SEG_START","#, "B"), (#""segmentType":"SEG","#, "C")].map {
      #"{"op":"mcm",\#($0.0)"pt":1,"clk":"\#($0.1)","mc":[]}"#
    }
    #expect(Self.cache(of: Array(lines.joined(separator: "\n").utf8)).clock == "A")
  }
}

extension ChannelState {
  fileprivate var matches: [Match] {
    mutating get { Array(matchIDs).sorted().compactMap { match($0) } }
  }
}

extension Match {
  /// The state of the match without times of changes and last prices, which a dump lacks.
  fileprivate var withoutTimes: [[String]] {
    markets.map { market in
      ["\(market.id) \(market.name) \(market.exchange?.status.word ?? "")"]
        + market.outcomes.map { outcome in
          let levels = ((outcome.exchange?.backs ?? []) + (outcome.exchange?.lays ?? [])).map {
            "\($0.side!) \($0.odds!) \($0.size?.units ?? 0)"
          }
          return "\(outcome.id) \(outcome.name) \(outcome.isBettable) \(outcome.offer?.status.word ?? "") \(levels)"
        }
    }
  }
}
