import EveryMatrix
import FeedSimulator
import OddsModel

/// The time from the bytes of a page's dump to a store with every match built.
enum DumpTable {
  static func show(rounds: Int) {
    let dump = RealisticFeed.page.dump()
    let times = (0..<rounds * 20).map { _ in
      // Starts with empty buffers, as when a channel is opened.
      seconds {
        var engine = Engine()
        engine.decode(dump)
        engine.apply()
        engine.buildAll()
        precondition(engine.counters.kinds.offers == RealisticFeed.page.outcomes)
      }
    }
    var table = FigureTable(
      "Dump, from bytes to all matches built", ["dump", "records", "kB", "µs", "best", "first", "target"])
    table.add([
      "page", "\(RealisticFeed.page.records)", (Double(dump.count) / 1000).text(), (times.median * 1e6).text(),
      (times.min()! * 1e6).text(), (times[0] * 1e6).text(), "1,000",
    ])
    table.show()
  }
}

/// The cost of the simulator's feed, with messages of all kinds, for three sizes of channel.
enum SimulatorTable {
  static func show(_ scale: Scale) throws {
    var table = FigureTable(
      "The simulated feed",
      [
        "matches", "dump kB", "dump ms", "message B", "decode ns/update", "+ apply ns", "+ values built ns",
        "updates/s",
      ])
    for matches in scale.quick ? [20] : [100, 1000, 5000] {
      table.add(try row(matches: matches, ticks: scale.quick ? 50 : 2000, rounds: min(5, scale.roundCount)))
    }
    table.show()
  }

  private static func row(matches: Int, ticks: Int, rounds: Int) throws -> [String] {
    var book = SimulatedBook(
      options: try SimulatorOptions(matches: matches, seed: 1, rate: 1000, startTime: 1_750_752_000_000))
    var feed = TopicFeed(topic: .aggregator(.popular, matches: matches))
    feed.start(in: book)
    let dump = feed.dump(of: book)
    let updates = (0..<ticks).flatMap { _ in feed.frames(for: book.tick(elapsed: 17, updates: 17), of: book) }

    var (dumps, decodes, applies, builds) = ([Double](), [Double](), [Double](), [Double]())
    var count = 0
    func apply(_ messages: [[UInt8]], to engine: inout Engine, building: Bool) -> Double {
      seconds {
        for message in messages {
          engine.decode(message)
          engine.apply(building: building)
        }
      }
    }
    for _ in 0..<rounds {
      var engine = Engine()
      dumps.append(apply([dump], to: &engine, building: true))
      let before = engine.counters.oddsUpdates
      builds.append(apply(updates, to: &engine, building: true))
      count = engine.counters.oddsUpdates - before
      decodes.append(
        seconds {
          for message in updates {
            engine.decode(message)
            engine.skip()
          }
        })
      engine = Engine()
      _ = apply([dump], to: &engine, building: false)
      applies.append(apply(updates, to: &engine, building: false))
    }
    let bytes = updates.reduce(0) { $0 + $1.count }
    func each(_ times: [Double]) -> String { (times.median * 1e9 / Double(count)).text() }
    return [
      "\(matches)", (Double(dump.count) / 1000).text(), (dumps.median * 1e3).text(2),
      (Double(bytes) / Double(updates.count)).text(), each(decodes), each(applies), each(builds),
      (Double(count) / builds.median).text(),
    ]
  }
}
