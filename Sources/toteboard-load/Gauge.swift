import Foundation
import Histogram
import NIOCore

/// The measurements of the clients of one event loop. Use it only on that loop.
final class Gauge {
  private(set) var live = 0
  private(set) var lost = 0
  /// The reason of the last lost connection.
  private(set) var lastReason: String?
  private var isMeasuring = false
  private var bytes = 0
  private var sampledFrames = 0
  private var sampledUpdates = 0
  private var dumpBytes = 0
  /// The delivery times, in microseconds up to 10 s.
  private var times = Histogram<UInt32>(highestTrackableValue: 10_000_000, numberOfSignificantValueDigits: .three)
  /// The promise to complete when `count` clients are live or lost.
  private var waiting: (count: Int, promise: EventLoopPromise<Void>)?

  /// The measurements of clients.
  struct Reading: Sendable {
    var frames = 0
    var bytes = 0
    /// The frames of the clients that count updates, and the changed records in these frames.
    var sampledFrames = 0
    var sampledUpdates = 0
    /// The size of the dumps that one client received, in bytes.
    var dumpBytes = 0
    var lost = 0
    var lastReason: String?
    /// The delivery times, in microseconds.
    var times: Histogram<UInt32>

    static func + (left: Reading, right: Reading) -> Reading {
      var sum = left
      sum.frames += right.frames
      sum.bytes += right.bytes
      sum.sampledFrames += right.sampledFrames
      sum.sampledUpdates += right.sampledUpdates
      sum.dumpBytes = max(left.dumpBytes, right.dumpBytes)
      sum.lost += right.lost
      sum.lastReason = left.lastReason ?? right.lastReason
      sum.times.add(right.times)
      return sum
    }
  }

  /// Returns the wall time in milliseconds since 1970.
  static func wallTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }

  func isLive() {
    live += 1
    completeWait()
  }

  func ended(isLive: Bool, _ reason: String) {
    lastReason = reason
    if isLive { live -= 1 }
    lost += 1
    completeWait()
  }

  /// Notes the size of all dumps of a client.
  func received(dumps bytes: Int) { dumpBytes = bytes }

  /// Counts a frame. `updates` is the number of changed records in it; nil if they are not counted.
  func received(_ invocation: Invocation, bytes count: Int, updates: Int?, at now: Double) {
    guard isMeasuring else { return }
    bytes += count
    if let updates {
      sampledFrames += 1
      sampledUpdates += updates
    }
    let time = (now - Double(invocation.version)) * 1000
    times.record(UInt64(min(max(0, time), 10_000_000)))
  }

  /// Completes the promise when the given number of clients is live or lost.
  func wait(for count: Int, _ promise: EventLoopPromise<Void>) {
    waiting = (count, promise)
    completeWait()
  }

  func begin() { isMeasuring = true }

  func end() -> Reading {
    isMeasuring = false
    return Reading(
      frames: Int(times.totalCount), bytes: bytes, sampledFrames: sampledFrames, sampledUpdates: sampledUpdates,
      dumpBytes: dumpBytes, lost: lost, lastReason: lastReason, times: times)
  }

  private func completeWait() {
    guard let (count, promise) = waiting, live + lost >= count else { return }
    waiting = nil
    promise.succeed()
  }
}
