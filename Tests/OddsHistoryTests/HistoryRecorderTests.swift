import CLibrary
import Dispatch
import Localization
import OddsModel
import Platform
import TestSupport
import Testing

@testable import OddsHistory

/// The recorder's task: batches, gaps, damaged files and a full queue.
@Suite(.timeLimit(.minutes(45)))
struct HistoryRecorderTests {
  @Test("Changes are written once a second, and a price is unknown after the end of its channel")
  func batches() async throws {
    let harness = RecorderHarness()
    harness.send(.football(odds: ["2.45", "3.1", "2.9"]), at: 10)
    harness.send(.football(odds: ["2.50", "3.1", "2.9"]), at: 20)
    await harness.writeBatch()
    harness.send(.football(odds: ["2.55", "3.1", "2.9"]), at: 30)
    await harness.writeBatch()
    #expect(try harness.steps() == ["10 live 2.45", "20 live 2.50", "1030 live 2.55", "2000 unknown 2.55"])
    harness.recorder.queue.send([MatchObservation(channel: 1, time: ManualClock.wallStart + 2500, .unknown)])
    harness.send(.football(odds: ["2.55", "3.1", "2.9"]), at: 900)
    await harness.writeBatch()
    await harness.recorder.finish()
    #expect(
      try harness.steps() == [
        "10 live 2.45", "20 live 2.50", "1030 live 2.55", "2500 unknown 2.55", "2900 live 2.55", "3000 unknown 2.55",
      ])
    #expect(harness.messages.withLock { $0 }.isEmpty)
  }

  @Test("A last traded price is recorded, but the opening price is the first offered price")
  func lastTraded() async throws {
    let harness = RecorderHarness()
    func match(_ price: String, _ status: OfferStatus) -> Match {
      let match = Match.football(odds: [price, "3.1", "2.9"])
      let market = match.markets[0]
      var outcomes = market.outcomes
      outcomes[0].offer?.status = status
      outcomes[0].isBettable = status == .standard
      return Match(
        id: match.id, labels: match.labels, status: match.status,
        markets: [Market(id: market.id, name: market.name, outcomes: outcomes)])
    }
    func openings() throws -> [String] {
      try HistoryReader(harness.file).openings(feed: "f").prices.map(\.odds.description).sorted()
    }
    harness.send(match("2.45", .lastTraded), at: 10)
    harness.send(match("2.50", .lastTraded), at: 20)
    await harness.writeBatch()
    #expect(try openings() == ["2.90", "3.10"])
    harness.send(match("2.60", .standard), at: 30)
    await harness.writeBatch()
    await harness.recorder.finish()
    #expect(try openings() == ["2.60", "2.90", "3.10"])
    #expect(try harness.steps().prefix(3).map { $0.suffix(4) } == ["2.45", "2.50", "2.60"])
  }

  @Test("The main market of a recorded match is that of the match, also when only the main line changes")
  func mainLine() async throws {
    let harness = RecorderHarness()
    let totals = Match.football(odds: ["2.45", "3.1", "2.9"])
    for main in [1, 2, 1] as [UInt64] {
      let markets = ([1, 2] as [UInt64]).map { id in
        Market(
          id: MarketID(raw: id), name: "Total \(id)", isMainLine: id == main, mainMarketRank: 0,
          outcomes: totals.markets[0].outcomes)
      }
      let match = Match(id: totals.id, labels: totals.labels, status: totals.status, markets: markets)
      #expect(match.mainMarket?.id == MarketID(raw: main))
      harness.send(match, at: Int64(main))
      await harness.writeBatch()
      let recorded = try #require(try HistoryReader(harness.file).match(match.id, feed: "f"))
      #expect(recorded.match.mainMarket?.id == match.mainMarket?.id)
    }
    await harness.recorder.finish()
  }

  @Test("A market that a match no longer has is not its main market; at the end, the last one of the lowest rank is")
  func formerMarkets() async throws {
    let harness = RecorderHarness()
    let football = Match.football()
    func recordedMain() throws -> UInt64? {
      try HistoryReader(harness.file).match(football.id, feed: "f")?.match.mainMarket?.id.raw
    }
    func main(of markets: [(id: UInt64, rank: Int)]) async throws -> UInt64? {
      let markets = markets.map { market in
        Market(
          id: MarketID(raw: market.id), name: "Market \(market.id)", isMainLine: true, mainMarketRank: market.rank,
          outcomes: football.markets[0].outcomes)
      }
      harness.send(Match(id: football.id, labels: football.labels, status: football.status, markets: markets))
      await harness.writeBatch()
      return try recordedMain()
    }
    #expect(try await main(of: [(500, 0), (700, 1)]) == 500)
    #expect(try await main(of: [(700, 1), (900, 0)]) == 900)
    #expect(try await main(of: [(700, 1)]) == 700)
    await harness.recorder.finish()
    #expect(try recordedMain() == 900)
  }

  @Test("A file that is not a database is moved aside with a message, and a new one is created")
  func damaged() async throws {
    let harness = RecorderHarness(prepare: { path in
      try? PrivateFile.replace(path, with: Array(repeating: 0x2A, count: 9000))
    })
    harness.send(.football(odds: ["2.45", "3.1", "2.9"]))
    await harness.writeBatch()
    harness.send(.football(odds: ["2.50", "3.1", "2.9"]))
    await harness.writeBatch()
    await harness.recorder.finish()
    #expect(harness.messages.withLock { $0 } == ["historyDamaged"])
    #expect(harness.directory.names().contains("history.db.damaged"))
    #expect(try harness.steps() == ["0 live 2.45", "1000 live 2.50", "2000 unknown 2.50"])
  }

  @Test("Damaged pages are detected at the start")
  func damagedPages() async throws {
    let first = RecorderHarness()
    for odds in 200..<900 {
      first.send(.football(odds: ["\(odds / 100).\(odds % 100)", "3.1", "2.9"]), at: Int64(odds))
    }
    await first.writeBatch()
    await first.recorder.finish()
    let bytes = try #require(try PrivateFile.read(first.file.path, maxBytes: 1 << 24))
    var damaged = bytes
    // Every page but the first. Bytes 16 and 17 of the file are the size of a page.
    let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    for offset in stride(from: pageSize, to: bytes.count, by: pageSize) {
      damaged[offset] = 0x77
      damaged[offset + 100] ^= 0xFF
    }
    let second = RecorderHarness(prepare: { path in try? PrivateFile.replace(path, with: damaged) })
    second.send(.football(odds: ["2.45", "3.1", "2.9"]))
    while !Task.isCancelled, second.messages.withLock({ $0.isEmpty }) { await second.writeBatch() }
    // The new file is created in one batch, and the price is known until the next one.
    await second.writeBatch()
    await second.writeBatch()
    await second.recorder.finish()
    #expect(second.messages.withLock { $0 } == ["historyDamaged"])
    #expect(second.directory.names().contains("history.db.damaged"))
    let states = try second.steps()
    #expect(states.first?.hasSuffix("live 2.45") ?? false, "\(states)")
  }

  @Test("When another program moves the file aside, the recorder writes into the new one", arguments: [true, false])
  func movedAside(byProgram: Bool) async throws {
    let harness = RecorderHarness()
    harness.send(.football(odds: ["2.45", "3.1", "2.9"]))
    await harness.writeBatch()
    #expect(harness.file.moveAside() != nil)
    let other = byProgram ? try HistoryWriter(harness.file, feed: "g", now: harness.clock.clientClock.wall()) : nil
    harness.send(.football(odds: ["2.50", "3.1", "2.9"]))
    await harness.writeBatch()
    // A price is known until the next batch that is written.
    harness.send(.football(odds: ["2.55", "3.1", "2.9"]), at: 10)
    await harness.writeBatch()
    #expect(try harness.steps().contains { $0.hasSuffix("live 2.50") })
    await harness.recorder.finish()
    #expect(harness.messages.withLock { $0.isEmpty })
    withExtendedLifetime(other) {}
  }

  @Test("While another program locks the file for long, there is one message, and afterwards prices are written again")
  func locked() async throws {
    let harness = RecorderHarness(writeTimeout: 10)
    harness.send(.football(odds: ["2.45", "3.1", "2.9"]))
    await harness.writeBatch()
    let other = try Database(harness.file.path, .write, timeout: 1000)
    try other.run("BEGIN IMMEDIATE")
    harness.send(.football(odds: ["2.50", "3.1", "2.9"]))
    await harness.writeBatch()
    await harness.writeBatch(after: .seconds(50))
    #expect(harness.messages.withLock { $0 }.isEmpty)
    for _ in 0..<2 { await harness.writeBatch(after: .seconds(15)) }
    #expect(harness.messages.withLock { $0 } == ["historyLocked"])
    try other.run("ROLLBACK")
    await harness.writeBatch(after: .seconds(15))
    harness.send(.football(odds: ["2.55", "3.1", "2.9"]))
    await harness.writeBatch()
    await harness.recorder.finish()
    #expect(harness.messages.withLock { $0 } == ["historyLocked"])
    let states = try harness.steps()
    #expect(states.first == "0 live 2.45" && states.contains { $0.hasSuffix("live 2.55") }, "\(states)")
  }

  /// Creates a file whose last check was long ago.
  private static func unchecked(_ path: String) {
    let old = ManualClock.wallStart - HistoryLease.checkInterval
    _ = try? HistoryWriter(HistoryFile(path), feed: "g", now: old)
  }

  @Test("The weekly check of the file does not stop the recorder, and its time is saved")
  func weeklyCheck() async throws {
    let gate = DispatchSemaphore(value: 0)
    let harness = RecorderHarness(prepare: Self.unchecked) { file throws(HistoryError) in
      gate.wait()
      try file.check()
    }
    harness.send(.football(odds: ["2.45", "3.1", "2.9"]))
    await harness.writeBatch()
    harness.send(.football(odds: ["2.50", "3.1", "2.9"]), at: 10)
    await harness.writeBatch()
    #expect(try harness.steps().prefix(2) == ["0 live 2.45", "1010 live 2.50"])
    func lease() -> String {
      String(decoding: (try? PrivateFile.read(harness.file.path + "-lease", maxBytes: 1000)) ?? [], as: UTF8.self)
    }
    #expect(lease() == "\(ManualClock.wallStart - HistoryLease.checkInterval)")
    gate.signal()
    while !Task.isCancelled, lease() != "\(harness.clock.clientClock.wall())" { await Task.yield() }
    await harness.recorder.finish()
    #expect(lease().hasPrefix("\(harness.clock.clientClock.wall()) "))
    #expect(harness.messages.withLock { $0.isEmpty })
  }

  @Test("A file that fails the weekly check is moved aside, and the recorder continues in a new one")
  func weeklyCheckFails() async throws {
    let gate = DispatchSemaphore(value: 0)
    let harness = RecorderHarness(prepare: Self.unchecked) { file throws(HistoryError) in
      gate.wait()
      throw HistoryError(.damaged, LocalizedMessage(.historyMissing, file.path))
    }
    harness.send(.football(odds: ["2.45", "3.1", "2.9"]))
    await harness.writeBatch()
    gate.signal()
    while !Task.isCancelled, harness.messages.withLock({ $0.isEmpty }) { await Task.yield() }
    for _ in 0..<2 { await harness.writeBatch() }
    await harness.recorder.finish()
    #expect(harness.messages.withLock { $0 } == ["historyDamaged"])
    #expect(harness.directory.names().contains("history.db.damaged"))
    #expect(try harness.steps().contains { $0.hasSuffix("live 2.45") })
  }

  @Test("A full queue keeps the newest observation of each match, and the number of dropped ones is reported")
  func fullQueue() async throws {
    let harness = RecorderHarness()
    let matches = (0..<14).map { Match.football($0 % 2 * 100 + 100, odds: ["\(2 + $0 / 2).5", "3.1", "2.9"]) }
    for step in 0..<45_000 { harness.send(matches[step % 14]) }
    harness.send(.football(odds: ["9.87", "3.1", "2.9"]))
    await harness.writeBatch()
    await harness.recorder.finish()
    #expect(harness.messages.withLock { $0 } == ["historyDropped"])
    #expect(await harness.recorder.dropped > 39_000)
    #expect(try harness.series().steps.last?.odds?.description == "9.87")
  }
}
