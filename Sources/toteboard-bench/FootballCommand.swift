import ArgumentParser
import EveryMatrix
import JSONText
import OddsFeed
import OddsModel

/// The cost of all football matches at once: to apply the dump, to store it, and to apply updates.
struct FootballCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "football", abstract: "1,330 matches, 124,613 markets, 429,527 offers at once.")

  @Flag(help: "A 50th of it.")
  var quick = false

  @Option(help: "How often updates are measured.")
  var rounds = 7

  mutating func run() throws {
    let shape = quick ? RealisticFeed.quick : .football
    let start = Memory.now
    var big = FollowedFeed(shape)
    let held = Memory.now - start

    let count = quick ? 2000 : 200_000
    var small = FollowedFeed(.hundred)
    let (updates, few) = (shape.updates(count, seed: 1), RealisticFeed.hundred.updates(count, seed: 1))
    var times: [Bool: [(big: Double, small: Double)]] = [:]
    for _ in 0..<max(1, rounds) {
      for asReads in [false, true] {
        let big = big.follow(updates, asReads: asReads) / Double(count)
        times[asReads, default: []].append((big, small.follow(few, asReads: asReads) / Double(count)))
      }
    }

    let before = Memory.now
    let build = seconds { big.buildAll() }
    let built = held + (Memory.now - before)
    // Repeats the dump for its times only, because a single short run is dominated by noise.
    let dumps = [big.dumpTimes] + (0..<(quick ? 0 : 2)).map { _ in FollowedFeed(shape).dumpTimes }
    showDump(dumps, big.bytes, shape, held: held, build: build, built: built)
    var table = FigureTable(
      "One odds update, \(Double(count).text()) over random offers: decoded, applied, change taken",
      ["channel", "in a frame", "ns", "of 100 matches", "least", "most", "bar"])
    for (asReads, name) in [(false, "one"), (true, "64 kB")] {
      let times = times[asReads]!
      let ratios = times.map { $0.big / $0.small }
      table.add([
        RealisticFeed.hundred.title, name, (times.map(\.small).median * 1e9).text(), "1.00 x", "", "", "",
      ])
      table.add([
        shape.title, name, (times.map(\.big).median * 1e9).text(), ratios.median.text(2) + " x", ratios.min()!.text(2),
        ratios.max()!.text(2), "1.50 x",
      ])
    }
    table.show()
  }

  private func showDump(
    _ times: [FollowedFeed.DumpTimes], _ bytes: Int, _ shape: RealisticFeed, held: Memory, build: Double, built: Memory
  ) {
    var table = FigureTable(
      "All football at once: \(shape.title)", ["", "ms", "MB/s", "resident B/offer", "malloc B/offer", "bar"])
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
    row("dump applied", total.median, (megabytes / total.median).text(), held, "2,000 ms, 400 B")
    row("the same, at best", total.min()!, (megabytes / total.min()!).text())
    row("every match built too", build, "", built)
    table.show()
  }
}

/// A channel with a dump applied, and the times for it.
private struct FollowedFeed {
  struct DumpTimes {
    let decode: Double
    let apply: Double
  }

  let bytes: Int
  let dumpTimes: DumpTimes
  private var channel: ChannelState
  private var decoder = MessageDecoder()
  private var batch = FeedBatch()
  private var changes = FeedChanges()

  init(_ feed: RealisticFeed) {
    let text = feed.dump()
    // Only the channel stays; the other buffers are freed after the dump.
    var (decoder, batch, changes, channel) = (MessageDecoder(), FeedBatch(), FeedChanges(), ChannelState())
    let decode = seconds { text.withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) } }
    let apply = seconds { channel.apply(batch, at: feedTime, into: &changes) }
    precondition(changes.matches.count == feed.matches && channel.counters.kinds.offers == feed.outcomes)
    precondition(channel.counters.held == 0 && channel.counters.rejected == 0)
    bytes = text.count
    dumpTimes = DumpTimes(decode: decode, apply: apply)
    self.channel = channel
  }

  mutating func buildAll() {
    for id in channel.matchIDs { _ = channel.match(id) }
  }

  /// Applies all updates, one by one or in blocks as a busy feed delivers them, and returns the time in seconds.
  mutating func follow(_ updates: FeedText, asReads: Bool) -> Double {
    let before = channel.counters.oddsUpdates
    var changed = 0
    let time = seconds {
      let each = asReads ? updates.eachRead : updates.eachLine
      each { bytes, lines in
        bytes.eachLine(in: lines) { decoder.decode(bytes, $0, into: &batch) }
        channel.apply(batch, at: feedTime, into: &changes)
        changed += changes.matches.count
        changes.removeAll()
        batch.removeAll()
      }
    }
    precondition(changed > 0 && channel.counters.oddsUpdates > before && channel.counters.held == 0)
    return time
  }
}

extension RealisticFeed {
  fileprivate var title: String {
    "\(Double(matches).text()) matches, \(Double(markets).text()) markets, \(Double(outcomes).text()) offers"
  }
}
