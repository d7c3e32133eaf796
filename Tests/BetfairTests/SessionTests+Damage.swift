import OddsFeed
import TestSupport
import Testing

@testable import Betfair

// Lines that take too long, and markets that begin without an image.
extension SessionTests {
  @Test("A line that arrives byte by byte keeps the connection for 30 s, and then counts as silence")
  mutating func slowLine() {
    _ = open()
    _ = receive(#"{"op":"mcm","id":2,"ct":"SUB_IMAGE","initialClk":"I","clk":"A"}"#, at: 1)
    for second in 2...60 {
      session.partArrived(at: .seconds(second))
      // The last activity that counts is at 31 s.
      if second < 41 { #expect(session.checkSilence(at: .seconds(second)) == []) }
    }
    #expect(session.nextDeadline == .seconds(41))
    #expect(session.checkSilence(at: .seconds(41)) == [.close(.silence)])
  }

  @Test("The time limit of a line restarts with each line and after each pause of the reader")
  mutating func longLines() {
    _ = open()
    for second in 1...100 {
      session.partArrived(at: .seconds(second))
      if second % 29 == 0 { _ = receive(#"{"op":"mcm","id":2,"ct":"HEARTBEAT"}"#, at: second) }
      #expect(session.checkSilence(at: .seconds(second)) == [])
    }
    session.unread(at: .seconds(200))
    for second in 200...220 { session.partArrived(at: .seconds(second)) }
    #expect(session.checkSilence(at: .seconds(229)) == [])
  }

  @Test("A message in parts keeps the connection for 30 s, and then counts as silence; the first image has no limit")
  mutating func slowParts() {
    func part(_ type: String, _ head: String = "") -> String {
      #"{"op":"mcm","id":2,\#(head)"segmentType":"\#(type)"}"#
    }
    let image = #""ct":"SUB_IMAGE","initialClk":"I","clk":"A","#
    _ = open()
    _ = receive(part("SEG_START", image))
    for second in 1...60 {
      _ = receive(part("SEG", image), at: second)
      #expect(session.checkSilence(at: .seconds(second)) == [])
    }
    _ = receive(part("SEG_END", image), at: 60)
    _ = receive(part("SEG_START"), at: 61)
    // After a pause of the reader, the limit begins again.
    session.unread(at: .seconds(80))
    for second in 81..<119 {
      session.partArrived(at: .seconds(second))
      _ = receive(part("SEG"), at: second)
      #expect(session.checkSilence(at: .seconds(second)) == [])
    }
    // The last part that counts is at 109 s.
    #expect(session.nextDeadline == .seconds(119))
    #expect(session.checkSilence(at: .seconds(119)) == [.close(.silence)])
  }

  @Test("A market without an image is reported as damaged once, and so is an evicted market that reopens")
  mutating func incomplete() {
    _ = open()
    func change(_ id: String, _ status: String, isImage: Bool = false) -> String {
      #"{"id":"\#(id)","img":\#(isImage),"marketDefinition":{"status":"\#(status)"}}"#
    }
    func line(_ changes: [String], _ head: String = "") -> String {
      #"{"op":"mcm","id":2,\#(head)"initialClk":"I","clk":"A","mc":[\#(changes.joined(separator: ","))]}"#
    }
    _ = receive(line([change("1.1", "OPEN", isImage: true)], #""ct":"SUB_IMAGE","#))
    #expect(!receive(line([change("1.1", "SUSPENDED")])).contains(.damaged) && session.position != nil)
    #expect(receive(line([change("1.2", "OPEN")])).contains(.damaged) && session.position == nil)
    #expect(!receive(line([change("1.2", "SUSPENDED")])).contains(.damaged))
    _ = receive(line([change("1.1", "OPEN", isImage: true)], #""ct":"SUB_IMAGE","#))
    #expect(!receive(line([change("1.1", "CLOSED")])).contains(.damaged))
    // A closed market opens again.
    #expect(!receive(line([change("1.1", "OPEN")])).contains(.damaged))
    let others = (0...MarketIndex.closedLimit).map { change("1.9\($0)", "CLOSED", isImage: true) }
    #expect(!receive(line([change("1.1", "CLOSED")] + others)).contains(.damaged) && session.position != nil)
    #expect(receive(line([change("1.1", "OPEN")])).contains(.damaged) && session.position == nil)
  }

  @Test("An image is requested exactly when the decoder locks another market", arguments: Laws.seeds(40))
  mutating func damagedMarkets(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var decoder = BetfairDecoder()
    var id = 1
    var count = 0
    _ = open()
    var options = BetfairStream.Options()
    options.markets = 12
    for var message in BetfairStream(seed: seed, options: options).messages {
      if message.id > id {
        // The session subscribes again.
        id = message.id
        _ = session.askForImage()
        _ = receive(success(id + 1))
      }
      message.id += 1
      for index in message.markets.indices where Int.random(in: 0..<4, using: &random) == 0 {
        message.markets[index].isImage = false
      }
      let begins = message.changeType == "SUB_IMAGE" && message.segment ?? "SEG_START" == "SEG_START"
      let before = begins ? [] : decoder.lockedMarkets
      var order: SeededRandom?
      let text = message.text(shuffledBy: &order)
      let isDamaged = receive(text).contains(.damaged)
      var batch = FeedBatch()
      Array(text.utf8).withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
      #expect(isDamaged == !decoder.lockedMarkets.isSubset(of: before), "\(text)")
      count += isDamaged ? 1 : 0
    }
    #expect(count > 0)
  }
}

extension BetfairDecoder {
  /// The markets that await an image.
  fileprivate var lockedMarkets: Set<String> { Set(cache.books.filter(\.isDamaged).map(\.key.text)) }
}
