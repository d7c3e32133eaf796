import ArgumentParser
import Dashboard
import EveryMatrix
import OddsFeed
import OddsModel
import TerminalCore

struct BoardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board", abstract: "Measure the frames of boards with few and with many rows.")

  @OptionGroup var scale: Scale

  mutating func run() { BoardTable.show(scale) }
}

/// The cost of the dashboard's part of a frame with few and with many rows, while the same rows of the screen change.
enum BoardTable {
  static func show(_ scale: Scale) {
    let counts = scale.quick ? [100, 1000] : [100, 10_000]
    // Interleaves the sizes, so that noise on the machine affects all of them.
    var rounds = counts.map { _ in [[Double]]() }
    for _ in 0..<min(5, scale.roundCount) {
      for (index, count) in counts.enumerated() {
        var bench = BoardBench(matches: count)
        rounds[index].append(bench.figures(frames: scale.quick ? 60 : 3000))
      }
    }
    var table = FigureTable(
      "Board frame, µs: 120 x 40, ten rows change", ["rows"] + BoardBench.figures.map(\.name))
    for (count, round) in zip(counts, rounds) {
      let medians = BoardBench.figures.enumerated().map { index, figure in
        round.map { $0[index] }.median.text(figure.decimals)
      }
      table.add(["\(count)"] + medians)
    }
    table.show()
  }
}

/// A dashboard with the given matches.
struct BenchBoard {
  private(set) var state: BoardState
  var now = FrameTime(uptime: .seconds(10), wall: feedTime, zone: 0)

  init(_ matches: [Match]) {
    state = BoardState(
      size: Size(rows: 40, columns: 120),
      channels: BoardChannel.standard(EveryMatrixCatalog(), matches: matches.count), feedName: "bench")
    apply(matches)
  }

  mutating func apply(_ matches: [Match]) {
    let update = ChannelUpdate(changed: matches, freshness: Freshness(.live, since: feedTime))
    _ = state.reduce(.channelUpdated(update), now: now)
  }

  mutating func press(_ key: Key) { _ = state.reduce(.keyPressed(key), now: now) }

  mutating func beginFrame() { _ = state.reduce(.frameDue, now: now) }
}

private struct BoardBench {
  /// The names of the figures, in microseconds; the last one in kilobytes. "longest" is the longest frame under
  /// overload, in which the order changes.
  static let figures: [(name: String, decimals: Int)] = [
    ("frame", 1), ("sorted", 1), ("overload", 1), ("scrolled", 1), ("sort", 0), ("longest", 0), ("kB/row", 2),
  ]

  /// The states of each match, before and after the updates.
  private let matches: [[Match]]
  private var board: BenchBoard
  private var painter = BoardPainter(glyphs: .unicode)
  private var turn = 0
  private let memory: Double

  init(matches count: Int) {
    var engine = Engine()
    var states: [[Match]] = []
    // Two messages: the dump, and all updates at once.
    PriceFeed.text(matches: count, updates: count * 6, batch: count * 6).eachLine { bytes, line in
      engine.decode(bytes, line)
      engine.apply()
      states.append(engine.buildAll())
    }
    matches = zip(states[0], states[1]).map { [$0, $1] }
    let before = Memory.now.allocated
    board = BenchBoard(states[0])
    memory = Double(Memory.now.allocated - before) / Double(count) / 1000
    _ = painter.draw(board.state, now: board.now, whole: false)
  }

  /// Returns the times of frames in microseconds. In each, ten of the first 36 matches change, and `unseen` others.
  private mutating func frames(_ count: Int, unseen: Int = 0, keys: [Key] = []) -> [Double] {
    (0..<count).map { index in
      turn += 1
      let side = turn / 3 % 2
      let changed =
        (0..<10).map { matches[($0 + turn * 10) % 36][side] }
        + (0..<unseen).map { matches[36 + ($0 + turn * unseen) % (matches.count - 36)][side] }
      board.now.uptime += .milliseconds(17)
      return seconds {
        if !keys.isEmpty { board.press(keys[index % keys.count]) }
        board.apply(changed)
        board.beginFrame()
        _ = painter.draw(board.state, now: board.now, whole: false)
      } * 1e6
    }
  }

  mutating func figures(frames count: Int) -> [Double] {
    func mean(_ times: [Double]) -> Double { times.reduce(0, +) / Double(times.count) }
    _ = frames(50)
    let plain = mean(frames(count))
    let scrolled = mean(frames(count, keys: [.pageDown, .pageUp]))
    _ = frames(4, keys: [.home, .character("s"), .character("s"), .character("s")])
    let sorted = mean(frames(count))
    let overload = frames(count, unseen: min(500, matches.count - 36))
    let sort = frames(24, keys: [.character("s")]).median
    return [plain, sorted, mean(overload), scrolled, sort, overload.max()!, memory]
  }
}
