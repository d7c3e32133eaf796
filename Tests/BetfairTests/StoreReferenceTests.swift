import OddsModel
import TestSupport
import Testing

@testable import Betfair
@testable import OddsFeed

/// Compares the matches of a store with those of a slow reference implementation of the stream's rules.
@Suite("A store that receives a stream of Betfair")
struct StoreReferenceTests {
  @Test("has the matches and prices of a slow reference implementation after each message", arguments: Laws.seeds(40))
  func reference(seed: UInt64) async throws {
    let stream = VariedStream(seed: seed)
    let store = ChannelStore(topic: Topic(path: "/a"), line: ConnectionUpdate(connection: .live, pulse: .sound))
    var decoder = BetfairDecoder()
    var reference = ReferenceMarkets()
    var batch = FeedBatch()
    var random = SeededRandom(seed: seed)
    var expected: [String] = []
    var expectedGrade = Freshness.Grade.locked
    var hasImage = false
    var openCount = 0
    for (index, message) in stream.messages.enumerated() {
      let line = stream.lines[index]
      Array(line.utf8).withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
      reference.apply(message)
      // The store has a message only when all its parts have arrived.
      if !reference.isInParts {
        expected = reference.rows
        hasImage = true
      }
      if hasImage { expectedGrade = reference.isStale ? .delayed : .live }
      // Every other stream is applied in batches of several messages.
      let isLast = index == stream.messages.count - 1
      if seed % 2 == 1, !isLast, Int.random(in: 0..<3, using: &random) > 0 { continue }
      await store.apply(batch, at: Int64(index + 1))
      batch.removeAll()
      let matches = await store.snapshot()
      let rows = matches.sorted { "\($0.id)" < "\($1.id)" }.flatMap(\.rows)
      try #require(rows == expected, "seed \(seed), message \(index): \(line)")
      let grade = await store.freshness.grade
      try #require(grade == expectedGrade, "seed \(seed), message \(index): \(line)")
      openCount += matches.count { $0.tradingStatus == .live }
    }
    #expect(openCount > 0)
    let received = await store.received
    #expect(received.unparsable == 0 && received.malformedMessages == 0 && received.rejected == 0)
    #expect(received.held == 0 && received.waiting == 0 && received.duplicateCreates == 0)
  }

  @Test("is compared on streams with every kind of message")
  func kinds() {
    var counts: [String: Int] = [:]
    for seed: UInt64 in 0..<20 {
      let messages = VariedStream(seed: seed).messages
      for (previous, message) in zip(messages, messages.dropFirst()) {
        for kind in Self.kinds(of: message, after: previous) { counts[kind, default: 0] += 1 }
      }
    }
    for kind in [
      "SUB_IMAGE", "RESUB_DELTA", "HEARTBEAT", "SEG_START", "SEG", "SEG_END", "heartbeat between parts",
      "another subscription", "market image", "image without a definition", "moved market", "unlisted runner",
    ] { #expect(counts[kind, default: 0] > 0, "\(kind)") }
    for status in ["OPEN", "SUSPENDED", "CLOSED", "INACTIVE", "NEW"] {
      #expect(counts["market \(status)", default: 0] > 0, "\(status)")
    }
    for status in ["ACTIVE", "REMOVED", "HIDDEN", "WINNER", "LOSER", "NEW"] {
      #expect(counts["runner \(status)", default: 0] > 0, "\(status)")
    }
    for ladder in BetfairMessage.ladders {
      #expect(counts["\(ladder) set", default: 0] > 0 && counts["\(ladder) removed", default: 0] > 0, "\(ladder)")
    }
  }

  /// Returns the kinds of a message and of its parts.
  private static func kinds(of message: BetfairMessage, after previous: BetfairMessage) -> [String] {
    var kinds = [message.changeType, message.segment].compactMap(\.self)
    if message.changeType == "HEARTBEAT", ["SEG_START", "SEG"].contains(previous.segment) {
      kinds.append("heartbeat between parts")
    }
    if message.id < previous.id { kinds.append("another subscription") }
    for market in message.markets {
      if market.isImage, message.changeType == nil { kinds.append("market image") }
      if market.isImage, market.definition == nil { kinds.append("image without a definition") }
      if let definition = market.definition {
        kinds.append("market \(definition.status)")
        kinds += definition.runners.map { "runner \($0.status)" }
        if definition.runners.count < 3 { kinds.append("unlisted runner") }
        // The generator has the event 29,000,000 for the first two markets, and the next one for the others.
        let isOfFirst = market.id == "1.200000001" || market.id == "1.200000002"
        if definition.event != (isOfFirst ? 29_000_000 : 29_000_001) { kinds.append("moved market") }
      }
      for (name, levels) in market.runners.flatMap(\.ladders) {
        for level in levels { kinds.append(level.last == 0 ? "\(name) removed" : "\(name) set") }
      }
    }
    return kinds
  }
}
