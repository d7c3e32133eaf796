import ArgumentParser
import Dashboard
import EveryMatrix
import OddsFeed
import OddsModel
import TerminalCore

/// The cost of the dashboard's part of a frame with few and with many rows, while the same rows of the screen change.
struct BoardTable {
  let scale: Scale

  func run() throws {
    var table = FigureTable(
      "A frame of the board, µs: 120 x 40, ten of its rows change",
      ["rows", "frame", "sorted", "overload", "scrolled", "a sort", "longest", "kB a row"])
    let counts = scale.isQuick ? [100, 1000] : [100, 10_000]
    // Interleaves the sizes, so that noise on the machine affects all of them.
    var rounds = counts.map { _ in [BoardFigures]() }
    for _ in 0..<min(5, scale.rounds) {
      for place in counts.indices {
        var bench = BoardBench(matches: counts[place])
        rounds[place].append(bench.run(frames: scale.isQuick ? 60 : 3000))
      }
    }
    for (count, figures) in zip(counts, rounds) {
      func median(_ figure: (BoardFigures) -> Double) -> Double { figures.map(figure).median }
      table.add([
        "\(count)", median(\.frame).text(1), median(\.sorted).text(1), median(\.overload).text(1),
        median(\.scrolled).text(1), median(\.sort).text(), median(\.longest).text(), median(\.memory).text(2),
      ])
    }
    table.show()
  }
}

struct BoardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board", abstract: "Measure the frames of a board of few rows and of many.")

  @Flag(help: "Small counts and one round.")
  var quick = false

  mutating func run() throws { try BoardTable(scale: Scale(quick: quick)).run() }
}

/// The times in microseconds, and the memory in kilobytes per row.
struct BoardFigures {
  var frame = 0.0
  var sorted = 0.0
  var overload = 0.0
  var scrolled = 0.0
  var sort = 0.0
  /// The longest frame under overload, in which the order changes.
  var longest = 0.0
  var memory = 0.0
}

private struct BoardBench {
  /// The states of each match, before and after the updates.
  private var matches: [[Match]]
  private var state: BoardState
  private var painter = BoardPainter(glyphs: .unicode)
  private var now = FrameTime(uptime: .seconds(10), wall: feedTime, zone: 0)
  private var turn = 0
  private let memory: Double

  init(matches count: Int) {
    var channel = ChannelState()
    var changes = FeedChanges()
    var decoder = MessageDecoder()
    var batch = FeedBatch()
    PriceFeed.text(matches: count, updates: count * 6, batch: count * 6).eachLine { bytes, line in
      decoder.decode(bytes, line, into: &batch)
      if batch.messages.contains(where: { $0.kind != .dump }) { return }
      channel.apply(batch, at: feedTime, into: &changes)
      batch.removeAll()
    }
    let before = Array(channel.matchIDs).compactMap { channel.match($0) }
      .sorted { ($0.startTime ?? 0, $0.id) < ($1.startTime ?? 0, $1.id) }
    channel.apply(batch, at: feedTime, into: &changes)
    matches = before.map { [$0, channel.match($0.id)!] }
    state = BoardState(
      size: Size(rows: 40, columns: 120), channels: BoardChannel.standard(EveryMatrixCatalog(), matches: count),
      feedName: "bench")
    let memoryBefore = Memory.now.allocated
    _ = state.reduce(.channelUpdated(Self.update(before)), now: now)
    memory = Double(Memory.now.allocated - memoryBefore) / Double(count) / 1000
    _ = painter.draw(state, now: now, whole: false)
  }

  private static func update(_ changed: [Match]) -> ChannelUpdate {
    ChannelUpdate(changed: changed, staleness: Freshness(.live, since: feedTime))
  }

  /// Returns ten of the first 36 matches, and the given number of the others.
  private mutating func changed(unseen: Int) -> [Match] {
    turn += 1
    let side = turn / 3 % 2
    return (0..<10).map { matches[($0 + turn * 10) % 36][side] }
      + (0..<unseen).map { matches[36 + ($0 + turn * unseen) % (matches.count - 36)][side] }
  }

  private mutating func frame(unseen: Int = 0, key: Key? = nil) -> Double {
    let changed = changed(unseen: unseen)
    now.uptime += .milliseconds(17)
    return seconds {
      if let key { _ = state.reduce(.keyPressed(key), now: now) }
      _ = state.reduce(.channelUpdated(Self.update(changed)), now: now)
      _ = state.reduce(.frameDue, now: now)
      _ = painter.draw(state, now: now, whole: false)
    } * 1e6
  }

  private mutating func frames(_ count: Int, unseen: Int = 0, keys: [Key] = []) -> [Double] {
    (0..<count).map { place in
      frame(unseen: unseen, key: keys.isEmpty ? nil : keys[place % keys.count])
    }
  }

  mutating func run(frames count: Int) -> BoardFigures {
    var figures = BoardFigures()
    figures.memory = memory
    _ = frames(50)
    func mean(_ times: [Double]) -> Double { times.reduce(0, +) / Double(times.count) }
    figures.frame = mean(frames(count))
    figures.scrolled = mean(frames(count, keys: [.pageDown, .pageUp]))
    _ = frame(key: .home)
    for _ in 0..<3 { _ = frame(key: .character("s")) }
    figures.sorted = mean(frames(count))
    let overload = frames(count, unseen: min(500, matches.count - 36))
    figures.overload = mean(overload)
    figures.longest = overload.max()!
    figures.sort = (0..<24).map { _ in frame(key: .character("s")) }.median
    return figures
  }
}
