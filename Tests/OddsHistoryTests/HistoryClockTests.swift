import OddsModel
import Platform
import TestSupport
import Testing

@testable import OddsHistory

/// Changes of the wall clock and stops of the process while the recorder writes.
struct HistoryClockTests {
  @Test("After the clock is set back, a later price is later in the history too", arguments: [1, 4, 60, 3600, 200_000])
  func setBack(seconds: Int) async throws {
    let bench = RecorderBench()
    bench.send(.football(odds: ["2.00", "3.1", "2.9"]))
    await bench.batch()
    bench.clock.setWallClock(by: .seconds(-seconds))
    bench.send(.football(odds: ["2.50", "3.1", "2.9"]))
    for _ in 0..<40 { await bench.batch(after: .seconds(3)) }
    let end = try #require(try HistoryReader(bench.file).end())
    #expect(end > ManualClock.wallStart + 1000)
    let series = try bench.series()
    #expect(series.step(at: end - 1)?.odds?.description == "2.50")
    #expect(series.step(at: end - 1)?.state == .live)
    await bench.recorder.finish()
    #expect(try bench.series().steps.last { $0.state == .live }?.odds?.description == "2.50")
  }

  @Test("A clock that was set back catches up with the history")
  func catchUp() async throws {
    let bench = RecorderBench()
    bench.send(.football(odds: ["2.00", "3.1", "2.9"]))
    await bench.batch()
    bench.clock.setWallClock(by: .seconds(-10))
    for _ in 0..<30 { await bench.batch() }
    bench.send(.football(odds: ["2.50", "3.1", "2.9"]))
    await bench.batch()
    await bench.recorder.finish()
    #expect(try bench.states() == ["0 live 2.00", "21000 live 2.50", "22000 unknown 2.50"])
  }

  @Test("If the clock was set back before the start, the history continues at the end of the file")
  func setBackBefore() async throws {
    let time = ManualClock.wallStart + 7_200_000
    let bench = RecorderBench(prepare: { path in
      var detector = ChangeDetector()
      let entries = detector.apply(
        MatchObservation(channel: 1, time: time, .match(.football(odds: ["2.00", "3.1", "2.9"]))))
      let writer = try? HistoryWriter(HistoryFile(path), feed: "f")
      try? writer?.write(entries, completeUpTo: time)
    })
    bench.send(.football(odds: ["2.50", "3.1", "2.9"]))
    await bench.batch()
    await bench.batch()
    await bench.recorder.finish()
    let prices = try bench.series().steps.filter { $0.state == .live }.compactMap { $0.odds?.description }
    #expect(prices.last == "2.50")
    let places = try Database(bench.file.path, .read, timeout: 0).integer(
      "SELECT count(*) FROM change WHERE price IN (2000, 2500)")
    #expect(places == 2, "\(prices)")
  }

  @Test(
    "Price changes keep their order while the clock is set back and forward and the process is stopped",
    arguments: Laws.seeds(12))
  func everyChange(seed: UInt64) async throws {
    let bench = RecorderBench()
    var book = RandomBook(seed: seed)
    var reference = PriceReference()
    func see(_ id: MatchID) {
      let time = bench.clock.clientClock.wall()
      reference.note(id, book.matches[id], at: time)
      bench.recorder.queue.send([MatchObservation(channel: 1, time: time, book.matches[id], of: id)])
    }
    func pass() { bench.clock.advance(by: .milliseconds(Int.random(in: 3...40, using: &book.random))) }
    for id in book.matches.keys.sorted() { see(id) }
    for _ in 0..<60 {
      for _ in 0..<Int.random(in: 0...6, using: &book.random) {
        pass()
        see(book.change())
      }
      let event = Int.random(in: 0..<8, using: &book.random)
      switch event {
      case 0: bench.clock.setWallClock(by: .seconds(Int.random(in: -90 ... -5, using: &book.random)))
      case 1: bench.clock.setWallClock(by: .seconds(Int.random(in: 5...90, using: &book.random)))
      default: break
      }
      for _ in 0..<Int.random(in: 0...6, using: &book.random) {
        pass()
        see(book.change())
      }
      await bench.batch(after: .seconds(event == 2 ? 20 : 1))
    }
    await bench.recorder.finish()
    let written = try PriceReference.read(bench.file)
    #expect(Set(written.keys) == Set(reference.entries.keys))
    for (key, list) in reference.entries {
      func prices(_ list: [PriceReference.Entry]) -> [String] {
        PriceReference.steps(list).map { "\($0.price ?? 0) \($0.isBettable)" }
      }
      #expect(prices(written[key] ?? []) == prices(list), "\(key)")
    }
  }

  @Test("A price is unknown during a long stop of the process, and a short stop makes no gap")
  func stopped() async throws {
    let bench = RecorderBench()
    bench.send(.football(odds: ["2.00", "3.1", "2.9"]))
    await bench.batch()
    await bench.batch(after: .seconds(5))
    #expect(try bench.states() == ["0 live 2.00", "1000 unknown 2.00"])
    await bench.batch(after: .seconds(8 * 3600))
    await bench.recorder.finish()
    let wake: Int64 = 8 * 3_600_000 + 6000
    #expect(try bench.series().step(at: ManualClock.wallStart + wake / 2)?.state == .unknown)
    #expect(try bench.states().prefix(2) == ["0 live 2.00", "6000 unknown 2.00"])
  }

  @Test("After a stop, prices are known from the first message on, and changes before the stop are kept")
  func resumed() async throws {
    let bench = RecorderBench()
    bench.send(.football(odds: ["2.00", "3.1", "2.9"]))
    await bench.batch()
    bench.send(.football(odds: ["2.10", "3.1", "2.9"]), at: 500)
    bench.send(.football(odds: ["2.20", "3.1", "2.9"]), at: 59_800)
    await bench.batch(after: .seconds(60))
    bench.send(.football(odds: ["2.30", "3.1", "2.9"]))
    await bench.batch()
    await bench.recorder.finish()
    #expect(
      try bench.states() == [
        "0 live 2.00", "1500 live 2.10", "1501 unknown 2.10", "60800 live 2.20", "61000 live 2.30",
        "62000 unknown 2.30",
      ])
  }

  @Test("Without changes, the time up to which a price is known is extended")
  func idle() async throws {
    let bench = RecorderBench()
    bench.send(.football(odds: ["2.00", "3.1", "2.9"]))
    for _ in 0..<25 { await bench.batch() }
    #expect(try bench.series().step(at: ManualClock.wallStart + 15_000)?.state == .live)
  }
}
