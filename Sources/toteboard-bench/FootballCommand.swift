import ArgumentParser
import JSONText
import OddsModel

/// The cost of all football matches at once: to apply the dump, to store it, and to apply updates.
struct FootballCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "football", abstract: "Measure 1,330 matches with 124,613 markets and 429,527 offers at once.")

  @OptionGroup var scale: Scale

  private typealias DumpTime = (decode: Double, apply: Double)

  mutating func run() {
    let shape = scale.quick ? RealisticFeed.quick : .football
    let start = Memory.now
    let (filled, time, bytes) = Self.filled(shape)
    var big = filled
    let stored = Memory.now - start

    let count = scale.quick ? 2000 : 200_000
    var small = Self.filled(.hundred).engine
    let (updates, few) = (shape.updates(count, seed: 1), RealisticFeed.hundred.updates(count, seed: 1))
    var times: [Bool: [(big: Double, small: Double)]] = [:]
    for _ in 0..<scale.roundCount {
      for asReads in [false, true] {
        let big = Self.follow(updates, asReads: asReads, &big) / Double(count)
        times[asReads, default: []].append((big, Self.follow(few, asReads: asReads, &small) / Double(count)))
      }
    }

    let before = Memory.now
    let build = seconds { big.buildAll() }
    let built = stored + (Memory.now - before)
    // Repeats the dump for its times only, because a single short run is dominated by noise.
    let dumps = [time] + (0..<(scale.quick ? 0 : 2)).map { _ in Self.filled(shape).time }
    showDump(dumps, bytes, shape, stored: stored, build: build, built: built)
    var table = FigureTable(
      "One odds update, \(Double(count).text()) over random offers: decoded, applied, change collected",
      ["channel", "in a frame", "ns", "of 100 matches", "min", "max", "target"])
    for (asReads, name) in [(false, "one"), (true, "64 kB")] {
      let times = times[asReads]!
      let ratios = times.map { $0.big / $0.small }
      table.add([RealisticFeed.hundred.title, name, (times.map(\.small).median * 1e9).text(), "1.00 x", "", "", ""])
      table.add([
        shape.title, name, (times.map(\.big).median * 1e9).text(), ratios.median.text(2) + " x", ratios.min()!.text(2),
        ratios.max()!.text(2), "1.50 x",
      ])
    }
    table.show()
  }

  private func showDump(
    _ times: [DumpTime], _ bytes: Int, _ shape: RealisticFeed, stored: Memory, build: Double, built: Memory
  ) {
    var table = FigureTable(
      "All football at once: \(shape.title)", ["", "ms", "MB/s", "resident B/offer", "malloc B/offer", "target"])
    func each(_ bytes: Int) -> String { bytes == 0 ? "-" : (Double(bytes) / Double(shape.outcomes)).text() }
    let megabytes = Double(bytes) / 1e6
    let (decode, apply) = (times.map(\.decode).median, times.map(\.apply).median)
    let total = times.map { $0.decode + $0.apply }
    func row(_ name: String, _ time: Double, _ rate: String = "", _ memory: Memory? = nil, _ bar: String = "") {
      let memory = memory.map { [each($0.resident), each($0.allocated)] } ?? ["", ""]
      table.add([name, (time * 1e3).text(), rate] + memory + [bar])
    }
    row("decode \(megabytes.text()) MB", decode, (megabytes / decode).text())
    row("apply \(Double(shape.records).text()) records", apply)
    row("dump applied", total.median, (megabytes / total.median).text(), stored, "2,000 ms, 400 B")
    row("dump applied, best", total.min()!, (megabytes / total.min()!).text())
    row("all matches built", build, "", built)
    table.show()
  }

  /// Returns a channel with a dump applied, the times for it, and the size of the dump in bytes.
  private static func filled(_ feed: RealisticFeed) -> (engine: Engine, time: DumpTime, bytes: Int) {
    let text = feed.dump()
    var engine = Engine()
    var changed = 0
    let decode = seconds { engine.decode(text) }
    let apply = seconds { changed = engine.apply() }
    let counters = engine.counters
    precondition(changed == feed.matches && counters.kinds.offers == feed.outcomes)
    precondition(counters.held == 0 && counters.rejected == 0)
    engine.freeBuffers()
    return (engine, (decode, apply), text.count)
  }

  /// Applies all updates, one by one or in blocks as a busy feed delivers them, and returns the time in seconds.
  private static func follow(_ updates: FeedText, asReads: Bool, _ engine: inout Engine) -> Double {
    let before = engine.counters.oddsUpdates
    var changed = 0
    let time = seconds {
      let each = asReads ? updates.eachRead : updates.eachLine
      each { bytes, lines in
        bytes.eachLine(in: lines) { engine.decode(bytes, $0) }
        changed += engine.apply()
      }
    }
    precondition(changed > 0 && engine.counters.oddsUpdates > before && engine.counters.held == 0)
    return time
  }
}

extension RealisticFeed {
  fileprivate var title: String {
    "\(Double(matches).text()) matches, \(Double(markets).text()) markets, \(Double(outcomes).text()) offers"
  }
}
