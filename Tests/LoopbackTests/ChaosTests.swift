import Dashboard
import Dispatch
import FeedSimulator
import Foundation
import OddsFeed
import OddsModel
import Platform
import TerminalCore
import TestSupport
import Testing

@testable import toteboard

/// `make chaos` runs this test for minutes (`CHAOS_SECONDS`, `CHAOS_SEED`); a normal test run takes seconds.
@Suite("A board on a bad connection")
struct ChaosTests {
  private static let seconds = ProcessInfo.processInfo.environment["CHAOS_SECONDS"].flatMap { Int($0) } ?? 8
  private static let seed = ProcessInfo.processInfo.environment["CHAOS_SEED"].flatMap { UInt64($0) } ?? 1

  /// A stop of the server, delayed attempts to connect and the waits between them can take that long together.
  private static let maxLock = Duration.seconds(60)
  /// Freshness.md: ten seconds after the last sign of life, and one second to detect that.
  private static let maxSilence = Duration.seconds(11)

  @Test(
    "has the server's state after random faults of the connection and the server, and leaks nothing",
    .timeLimit(.minutes(45 + seconds / 60)))
  func chaos() async throws {
    let server = LoopbackServer(seed: Self.seed)
    try await server.start()
    let proxy = try ChaosProxy(to: server.port, seed: Self.seed)
    let port = try await proxy.start()
    let files = openFiles

    var board: LoopbackBoard? = try LoopbackBoard("ws://127.0.0.1:\(port)/v2", size: Size(rows: 60, columns: 120))
    let topic = try #require(board).channels[0].topic
    weak let session = board?.connections.session
    weak let service = board?.connections.service
    var share = (await service?.open(topic) {} as? SubscribedChannel)?.share
    let monitor = FreshnessMonitor(proxy: proxy)
    let grades = try await #require(share?.store).freshnessChanges()
    let monitoring = Task { for await freshness in grades { monitor.record(freshness.grade) } }

    var resident: [Int] = []
    var stops = 0
    var faultGenerator = FaultGenerator(seed: Self.seed &+ 1)
    let begin = ContinuousClock.now
    let end = begin + .seconds(Self.seconds)
    while ContinuousClock.now < end {
      let next = ContinuousClock.now + .milliseconds(min(faultGenerator.serverUptime(), Int64(Self.seconds) * 300))
      while ContinuousClock.now < min(next, end) {
        try await Task.sleep(for: .milliseconds(100))
        monitor.sample()
        if resident.isEmpty, ContinuousClock.now > begin + .seconds(Self.seconds) / 5 { resident.append(residentBytes) }
      }
      if faultGenerator.isAbrupt() { proxy.closeAllConnections() }
      await server.stop()
      try await Task.sleep(for: .milliseconds(min(faultGenerator.serverDowntime(), Int64(Self.seconds) * 100)))
      try await server.start()
      stops += 1
    }
    resident.append(residentBytes)

    server.freeze()
    proxy.stopFaults()
    let expected = try await server.matches(of: topic)
    let limit = ContinuousClock.now + Self.maxLock
    var reached = false
    while !reached, ContinuousClock.now < limit {
      try await Task.sleep(for: .milliseconds(50))
      guard let store = share?.store, await store.freshness.grade == .live else { continue }
      reached = await store.snapshot().sorted { $0.id < $1.id } == expected
    }
    #expect(reached, "the board's matches are not the server's \(Self.maxLock) after the line became a good one")
    if reached, let board {
      let screen = await board.screen.waitUntil { $0.contains("● live") && !$0.contains("?  ") }
      #expect(screen.contains("● live"))
    }
    let lockDurations = monitor.lockDurations
    let report = """
      chaos, seed \(Self.seed), \(Self.seconds) s: \(proxy.connections) connections, \(proxy.faults) faults, \(stops) deaths \
      of the server; locked \(lockDurations.count) times, \(lockDurations.reduce(.zero, +)) in all, at most \(lockDurations.max() ?? .zero); \
      trusted at most \(monitor.longestSilence) after the last byte; resident \(resident.map { $0 >> 10 }) kB
      """
    print(report)
    #expect(lockDurations.max() ?? .zero <= Self.maxLock)
    #expect(monitor.longestSilence <= Self.maxSilence)
    if Self.seconds > 60 { #expect(resident[1] - resident[0] < 32 << 20) }

    monitoring.cancel()
    await share?.cancel()
    await board?.quit()
    board = nil
    share = nil
    await server.stop()
    try await proxy.stop()
    await monitoring.value
    // Other tests of this process open and close files too.
    for _ in 0..<15_000 where session != nil || service != nil || openFiles > files {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(session == nil)
    #expect(service == nil)
    #expect(openFiles <= files)
  }

  private var openFiles: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }

  private var residentBytes: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
  }
}

/// Measures how long prices are locked, and how long they are trusted although no data arrives.
private final class FreshnessMonitor: Sendable {
  private struct State {
    var grade = Freshness.Grade.locked
    var since = ContinuousClock.now
    var lockDurations: [Duration] = []
    var longestSilence = Duration.zero
  }

  private let state = Locked(State())
  private let proxy: ChaosProxy

  init(proxy: ChaosProxy) { self.proxy = proxy }

  func record(_ grade: Freshness.Grade) {
    state.withLock { state in
      if state.grade == .locked, grade != .locked { state.lockDurations.append(state.since.duration(to: .now)) }
      if state.grade != grade { state.since = .now }
      state.grade = grade
    }
  }

  func sample() {
    let silence = proxy.timeSinceLastSend
    state.withLock { state in
      guard state.grade == .live || state.grade == .delayed else { return }
      state.longestSilence = max(state.longestSilence, silence)
    }
  }

  var lockDurations: [Duration] { state.withLock { $0.lockDurations } }
  var longestSilence: Duration { state.withLock { $0.longestSilence } }
}
