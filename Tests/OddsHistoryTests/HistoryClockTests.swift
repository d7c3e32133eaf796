import OddsModel
import Platform
import TestSupport
import Testing

@testable import OddsHistory

/// Changes of the wall clock and stops of the process while the recorder writes.
@Suite(.timeLimit(.minutes(45)))
struct HistoryClockTests {
  @Test("After the clock is set back, a later price is later in the history too", arguments: [1, 4, 60, 3600, 200_000])
  func setBack(seconds: Int) async throws {
    let harness = RecorderHarness()
    harness.send(.football(odds: ["2.00", "3.1", "2.9"]))
    await harness.writeBatch()
    harness.clock.setWallClock(by: .seconds(-seconds))
    harness.send(.football(odds: ["2.50", "3.1", "2.9"]))
    for _ in 0..<40 { await harness.writeBatch(after: .seconds(3)) }
    let end = try #require(try HistoryReader(harness.file).end())
    #expect(end > ManualClock.wallStart + 1000)
    let series = try harness.series()
    #expect(series.step(at: end - 1)?.odds?.description == "2.50")
    #expect(series.step(at: end - 1)?.state == .live)
    await harness.recorder.finish()
    #expect(try harness.series().steps.last { $0.state == .live }?.odds?.description == "2.50")
  }

  @Test("A clock that was set back catches up with the history")
  func catchUp() async throws {
    let harness = RecorderHarness()
    harness.send(.football(odds: ["2.00", "3.1", "2.9"]))
    await harness.writeBatch()
    harness.clock.setWallClock(by: .seconds(-10))
    for _ in 0..<30 { await harness.writeBatch() }
    harness.send(.football(odds: ["2.50", "3.1", "2.9"]))
    await harness.writeBatch()
    await harness.recorder.finish()
    #expect(try harness.steps() == ["0 live 2.00", "21000 live 2.50", "22000 unknown 2.50"])
  }

  @Test("If the clock was set back before the start, the history continues at the end of the file")
  func setBackBefore() async throws {
    let time = ManualClock.wallStart + 7_200_000
    let harness = RecorderHarness(prepare: { path in
      var detector = ChangeDetector()
      let entries = detector.apply(
        MatchObservation(channel: 1, time: time, .match(.football(odds: ["2.00", "3.1", "2.9"]))))
      let writer = try? HistoryWriter(HistoryFile(path), feed: "f")
      try? writer?.write(entries, completeUpTo: time)
    })
    harness.send(.football(odds: ["2.50", "3.1", "2.9"]))
    await harness.writeBatch()
    await harness.writeBatch()
    await harness.recorder.finish()
    let prices = try harness.series().steps.filter { $0.state == .live }.compactMap { $0.odds?.description }
    #expect(prices.last == "2.50")
    let places = try Database(harness.file.path, .read, timeout: 0).integer(
      "SELECT count(*) FROM change WHERE price IN (2000, 2500)")
    #expect(places == 2, "\(prices)")
  }

  @Test(
    "Price changes keep their order while the clock is set back and forward and the process is stopped",
    arguments: Laws.seeds(12))
  func everyChange(seed: UInt64) async throws {
    let harness = RecorderHarness()
    var book = RandomBook(seed: seed)
    var reference = PriceHistoryReference()
    func see(_ id: MatchID) {
      let time = harness.clock.clientClock.wall()
      reference.record(id, book.matches[id], at: time)
      harness.recorder.queue.send([MatchObservation(channel: 1, time: time, book.matches[id], of: id)])
    }
    func advanceClock() { harness.clock.advance(by: .milliseconds(Int.random(in: 3...40, using: &book.random))) }
    for id in book.matches.keys.sorted() { see(id) }
    for _ in 0..<60 {
      for _ in 0..<Int.random(in: 0...6, using: &book.random) {
        advanceClock()
        see(book.change())
      }
      let event = Int.random(in: 0..<8, using: &book.random)
      switch event {
      case 0: harness.clock.setWallClock(by: .seconds(Int.random(in: -90 ... -5, using: &book.random)))
      case 1: harness.clock.setWallClock(by: .seconds(Int.random(in: 5...90, using: &book.random)))
      default: break
      }
      for _ in 0..<Int.random(in: 0...6, using: &book.random) {
        advanceClock()
        see(book.change())
      }
      await harness.writeBatch(after: .seconds(event == 2 ? 20 : 1))
    }
    await harness.recorder.finish()
    let written = try PriceHistoryReference.read(harness.file)
    #expect(Set(written.keys) == Set(reference.entries.keys))
    for (key, list) in reference.entries {
      func prices(_ list: [PriceHistoryReference.Entry]) -> [String] {
        PriceHistoryReference.steps(list).map { "\($0.price ?? 0) \($0.isBettable)" }
      }
      #expect(prices(written[key] ?? []) == prices(list), "\(key)")
    }
  }

  @Test("A price is unknown during a long stop of the process, and a short stop makes no gap")
  func stopped() async throws {
    let harness = RecorderHarness()
    harness.send(.football(odds: ["2.00", "3.1", "2.9"]))
    await harness.writeBatch()
    await harness.writeBatch(after: .seconds(5))
    #expect(try harness.steps() == ["0 live 2.00", "1000 unknown 2.00"])
    await harness.writeBatch(after: .seconds(8 * 3600))
    await harness.recorder.finish()
    let wake: Int64 = 8 * 3_600_000 + 6000
    #expect(try harness.series().step(at: ManualClock.wallStart + wake / 2)?.state == .unknown)
    #expect(try harness.steps().prefix(2) == ["0 live 2.00", "6000 unknown 2.00"])
  }

  @Test("After a stop, prices are known from the first message on, and changes before the stop are kept")
  func resumed() async throws {
    let harness = RecorderHarness()
    harness.send(.football(odds: ["2.00", "3.1", "2.9"]))
    await harness.writeBatch()
    harness.send(.football(odds: ["2.10", "3.1", "2.9"]), at: 500)
    harness.send(.football(odds: ["2.20", "3.1", "2.9"]), at: 59_800)
    await harness.writeBatch(after: .seconds(60))
    harness.send(.football(odds: ["2.30", "3.1", "2.9"]))
    await harness.writeBatch()
    await harness.recorder.finish()
    #expect(
      try harness.steps() == [
        "0 live 2.00", "1500 live 2.10", "1501 unknown 2.10", "60800 live 2.20", "61000 live 2.30",
        "62000 unknown 2.30",
      ])
  }

  @Test("Without changes, the time up to which a price is known is extended")
  func idle() async throws {
    let harness = RecorderHarness()
    harness.send(.football(odds: ["2.00", "3.1", "2.9"]))
    for _ in 0..<25 { await harness.writeBatch() }
    #expect(try harness.series().step(at: ManualClock.wallStart + 15_000)?.state == .live)
  }
}
