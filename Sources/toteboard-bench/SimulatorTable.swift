import EveryMatrix
import FeedSimulator
import OddsFeed
import OddsModel

/// The cost of the simulator's feed, with messages of all kinds, for three sizes of channel.
struct SimulatorTable {
  let scale: Scale

  func run() throws {
    var table = FigureTable(
      "The simulated feed",
      [
        "matches", "dump kB", "dump ms", "message B", "decode ns/update", "+ apply ns", "+ values built ns",
        "updates/s",
      ])
    for matches in scale.isQuick ? [20] : [100, 1000, 5000] {
      let feed = try RecordedFeed(matches: matches, ticks: scale.isQuick ? 50 : 2000)
      table.add(feed.row(rounds: min(5, scale.rounds), matches: matches))
    }
    table.show()
  }
}

/// A dump and its updates, as frames in memory.
private final class RecordedFeed {
  private let dump: TransportFrame
  private var updates: [TransportFrame] = []
  private var decoder = MessageDecoder()
  private var batch = FeedBatch()
  private var changes = FeedChanges()

  init(matches: Int, ticks: Int) throws {
    let subscription = Subscription(topic: .aggregator(.popular, matches: matches), generation: 1)
    var book = SimulatedBook(
      options: try SimulatorOptions(matches: matches, seed: 1, rate: 1000, startTime: 1_750_752_000_000))
    var feed = TopicFeed(topic: subscription.topic)
    dump = TransportFrame(subscription: subscription, bytes: feed.dump(of: book))
    for _ in 0..<ticks {
      let tick = book.tick(elapsed: 17, updates: 17)
      updates += feed.frames(for: tick, of: book).map { TransportFrame(subscription: subscription, bytes: $0) }
    }
  }

  func row(rounds: Int, matches: Int) -> [String] {
    var (dumps, decodes, applies, builds) = ([Double](), [Double](), [Double](), [Double]())
    var count = 0
    for _ in 0..<rounds {
      var channel = ChannelState()
      dumps.append(seconds { apply(dump, to: &channel, building: true) })
      let before = channel.counters.oddsUpdates
      builds.append(seconds { for frame in updates { apply(frame, to: &channel, building: true) } })
      count = channel.counters.oddsUpdates - before
      decodes.append(seconds { for frame in updates { decode(frame) } })
      channel = ChannelState()
      apply(dump, to: &channel, building: false)
      applies.append(seconds { for frame in updates { apply(frame, to: &channel, building: false) } })
    }
    let bytes = updates.reduce(0) { $0 + $1.bytes.count }
    func each(_ times: [Double]) -> String { (times.median * 1e9 / Double(count)).text() }
    return [
      "\(matches)", (Double(dump.bytes.count) / 1000).text(), (dumps.median * 1e3).text(2),
      (Double(bytes) / Double(updates.count)).text(), each(decodes), each(applies), each(builds),
      (Double(count) / builds.median).text(),
    ]
  }

  private func decode(_ frame: TransportFrame) {
    batch.removeAll()
    decoder.decode(frame, into: &batch)
  }

  private func apply(_ frame: TransportFrame, to channel: inout ChannelState, building: Bool) {
    decode(frame)
    changes.removeAll()
    channel.apply(batch, at: feedTime, into: &changes)
    if building { for match in changes.matches { _ = channel.match(match) } }
  }
}
