import Foundation
import NIOCore

/// The measurements of all clients of a run. Use it only on one event loop.
final class Gauge {
  /// The number of histogram steps of 0.1 ms, up to 10 s.
  private static let steps = 100_000

  private(set) var live = 0
  private(set) var lost = 0
  /// The reason of the last lost connection.
  private(set) var lastReason: String?
  private var isMeasuring = false
  private var counts = [UInt32](repeating: 0, count: steps)
  private var frames = 0
  private var bytes = 0
  private var least = Double.infinity
  private var most = 0.0
  /// The promise to complete when `count` clients are live or lost.
  private var waiting: (count: Int, promise: EventLoopPromise<Void>)?

  /// The results of a measurement.
  struct Reading: Sendable {
    let frames: Int
    let bytes: Int
    /// The delivery times, in milliseconds.
    let least: Double
    let median: Double
    let p99: Double
    let most: Double
  }

  /// Returns the wall time in milliseconds since 1970.
  static func wallTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }

  func isLive() {
    live += 1
    look()
  }

  func ended(isLive: Bool, _ reason: String) {
    lastReason = reason
    if isLive { live -= 1 }
    lost += 1
    look()
  }

  func received(_ invocation: Invocation, bytes count: Int, at now: Double) {
    guard isMeasuring else { return }
    let time = now - Double(invocation.version)
    frames += 1
    bytes += count
    least = min(least, time)
    most = max(most, time)
    counts[min(max(0, Int(time * 10)), Self.steps - 1)] += 1
  }

  /// Completes the promise when the given number of clients is live or lost.
  func wait(for count: Int, _ promise: EventLoopPromise<Void>) {
    waiting = (count, promise)
    look()
  }

  func begin() { isMeasuring = true }

  func end() -> Reading {
    isMeasuring = false
    return Reading(
      frames: frames, bytes: bytes, least: least, median: time(at: 0.5), p99: time(at: 0.99), most: most)
  }

  private func look() {
    guard let (count, promise) = waiting, live + lost >= count else { return }
    waiting = nil
    promise.succeed()
  }

  private func time(at share: Double) -> Double {
    var left = Int((Double(frames) * share).rounded(.up))
    for (step, count) in counts.enumerated() {
      left -= Int(count)
      if left <= 0 { return Double(step + 1) / 10 }
    }
    return most
  }
}
