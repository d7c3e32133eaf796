import Localization
import OddsModel
import Platform
import TestSupport
import Testing

@testable import OddsHistory

/// A recorder with a manual clock.
final class RecorderHarness: Sendable {
  let directory = TemporaryDirectory()
  let clock = ManualClock()
  let messages = Locked<[String]>([])
  let file: HistoryFile
  let recorder: HistoryRecorder

  /// - Parameter writeTimeout: The real time that the recorder waits for another program's lock, in milliseconds.
  init(
    writeTimeout: Int32 = 2000, prepare: (String) -> Void = { _ in },
    check: @escaping @Sendable (HistoryFile) throws(HistoryError) -> Void = { file throws(HistoryError) in
      try file.check()
    }
  ) {
    var file = HistoryFile("\(directory.path)/history.db")
    file.writeTimeout = writeTimeout
    self.file = file
    prepare(file.path)
    recorder = HistoryRecorder(
      file, feed: "f", limits: HistoryLimits(), clock: clock.clientClock, check: check
    ) { [messages] message in
      messages.withLock { $0.append(message.code) }
    }
    recorder.start()
  }

  /// Lets the recorder write its next batch, and returns afterwards.
  ///
  /// - Parameter duration: The time that passes until then, at least that of the recorder's sleep.
  func writeBatch(after duration: Duration = .seconds(1)) async {
    var deadlines = clock.deadlines.makeAsyncIterator()
    _ = await deadlines.next()
    clock.advance(by: duration)
    while !Task.isCancelled, clock.sleepers == 0 { await Task.yield() }
  }

  func send(_ match: Match, at offset: Int64 = 0, channel: Int = 1) {
    recorder.queue.send([
      MatchObservation(channel: channel, time: clock.clientClock.wall() + offset, .match(match))
    ])
  }

  func series() throws -> PriceSeries {
    let reader = try HistoryReader(file)
    let match = try #require(try reader.matches(since: 0).first)
    return try reader.series(of: match.markets[0].outcomes[0], in: match.markets[0], 0..<Int64.max / 4)
  }

  /// Returns the steps of the series, with the time since the start in milliseconds.
  func steps() throws -> [String] {
    try series().steps.map { "\($0.time - ManualClock.wallStart) \($0.state) \($0.odds?.description ?? "-")" }
  }
}
