import Foundation
import Histogram
import NIOCore

/// The measurements of all clients of a run. Use it only on one event loop.
final class Gauge {
  private(set) var live = 0
  private(set) var lost = 0
  /// The reason of the last lost connection.
  private(set) var lastReason: String?
  private var isMeasuring = false
  private var bytes = 0
  /// The delivery times, in microseconds up to 10 s.
  private var times = Histogram<UInt32>(highestTrackableValue: 10_000_000, numberOfSignificantValueDigits: .three)
  /// The promise to complete when `count` clients are live or lost.
  private var waiting: (count: Int, promise: EventLoopPromise<Void>)?

  /// The results of a measurement.
  struct Reading: Sendable {
    let frames: Int
    let bytes: Int
    /// The least, the median, the 99th percentile and the greatest delivery time, in milliseconds.
    let times: [Double]
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

  func received(_ invocation: Invocation, bytes count: Int, at now: Double) {
    guard isMeasuring else { return }
    bytes += count
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
    let values = [times.min, times.valueAtPercentile(50), times.valueAtPercentile(99), times.max]
    return Reading(frames: Int(times.totalCount), bytes: bytes, times: values.map { Double($0) / 1000 })
  }

  private func completeWait() {
    guard let (count, promise) = waiting, live + lost >= count else { return }
    waiting = nil
    promise.succeed()
  }
}
