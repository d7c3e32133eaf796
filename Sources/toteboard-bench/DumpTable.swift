import EveryMatrix
import OddsFeed
import OddsModel

/// The time from the bytes of a page's dump to a store with every match built.
struct DumpTable {
  let scale: Scale

  func run() throws {
    let frame = TransportFrame(
      subscription: Subscription(topic: .aggregator(.popular, matches: 100), generation: 1),
      bytes: RealisticFeed.page.dump())
    var times: [Double] = []
    for _ in 0..<scale.rounds * 20 {
      // Starts with empty buffers, as when a channel is opened.
      let time = seconds {
        var decoder = MessageDecoder()
        var batch = FeedBatch()
        var channel = ChannelState()
        decoder.decode(frame, into: &batch)
        channel.apply(batch, at: feedTime)
        for id in channel.matchIDs { _ = channel.match(id) }
        precondition(channel.counters.kinds.offers == RealisticFeed.page.outcomes)
      }
      times.append(time)
    }
    let first = times[0]
    var table = FigureTable(
      "A dump, from bytes to every match built", ["dump", "records", "kB", "µs", "best", "very first", "bar"])
    table.add([
      "page", "\(RealisticFeed.page.records)", (Double(frame.bytes.count) / 1000).text(),
      (times.median * 1e6).text(), (times.min()! * 1e6).text(), (first * 1e6).text(), "1,000",
    ])
    table.show()
  }
}
