import OddsFeed
import OddsModel

/// A provider's decoder with a store.
struct DecoderEngine {
  private var decoder: any FeedDecoder
  private var batch = FeedBatch()
  private var changes = FeedChanges()
  private var channel = ChannelState()
  private(set) var messages = 0
  private(set) var unparsable = 0

  init(_ decoder: any FeedDecoder) { self.decoder = decoder }

  /// Reads the lines of a feed; without `applying`, the records are made and discarded.
  mutating func read(_ text: FeedText, applying: Bool) {
    text.eachLine { bytes, line in
      decoder.decode(bytes, line, into: &batch)
      messages += batch.messages.count
      unparsable += batch.unparsable
      if applying { channel.apply(batch, into: &changes) }
      changes.removeAll()
      batch.removeAll()
    }
  }

  /// The sum of the best prices to back at the end.
  var sum: Double {
    mutating get {
      let outcomes = channel.matchIDs.compactMap { channel.match($0) }.flatMap(\.markets).flatMap(\.outcomes)
      return outcomes.reduce(0) { $0 + Double($1.offer?.odds?.units ?? 0) / Double(DecimalOdds.unitsPerOne) }
    }
  }
}

/// The throughput of a provider's decoder, alone and with the store.
enum DecoderTable {
  static func show(
    _ title: String, _ text: FeedText, messages: Int, rounds: Int, _ makeDecoder: () -> any FeedDecoder
  ) throws {
    var table = FigureTable(
      "\(title), \(Double(messages).text()) messages", ["step", "messages/s", "MB/s", "µs/message"])
    for (name, applying) in [("decoded into records", false), ("and applied", true)] {
      var times: [Double] = []
      for _ in 0..<rounds {
        var engine = DecoderEngine(makeDecoder())
        times.append(seconds { engine.read(text, applying: applying) })
        guard engine.messages > 0, engine.unparsable == 0, !applying || engine.sum > 0 else { throw BenchError.noFeed }
      }
      let time = times.median
      table.add([
        name, (Double(messages) / time).text(), (Double(text.bytes.count) / time / 1e6).text(1),
        (time * 1e6 / Double(messages)).text(2),
      ])
    }
    table.show()
  }
}
