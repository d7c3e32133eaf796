import CoreMetrics
import Platform

/// The numbers of values up to each of some bounds, and the sum of the values.
private struct Buckets {
  let bounds: [Double]
  /// The numbers of values in each bucket, the last of which has no bound.
  private(set) var counts: [Int64]
  private(set) var sum = 0.0

  init(bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// Adds a value. One that is not a number is in the last bucket.
  mutating func add(_ value: Double) {
    counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
    sum += value
  }

  var samples: [MetricSample] {
    var total: Int64 = 0
    var samples: [MetricSample] = []
    for (bound, count) in zip(bounds + [.infinity], counts) {
      total += count
      samples.append(MetricSample(suffix: "_bucket", bound: bound, value: .whole(total)))
    }
    samples.append(MetricSample(suffix: "_sum", value: .real(sum)))
    samples.append(MetricSample(suffix: "_count", value: .whole(total)))
    return samples
  }
}

/// A histogram of values without a unit, from 1 to 10 million.
final class HistogramSeries: MetricSeries, RecorderHandler {
  static let type = MetricType.histogram
  static let suffix = ""
  static let bounds: [Double] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 1_000_000, 10_000_000,
  ]

  let key: SeriesKey
  private let buckets = Locked(Buckets(bounds: bounds))

  init(key: SeriesKey) { self.key = key }

  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) { buckets.withLock { $0.add(value) } }

  var samples: [MetricSample] { buckets.withLock { $0 }.samples }
}

/// A histogram of durations in seconds.
final class TimerSeries: MetricSeries, TimerHandler {
  static let type = MetricType.histogram
  static let suffix = "_seconds"
  static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  let key: SeriesKey
  private let buckets = Locked(Buckets(bounds: bounds))

  init(key: SeriesKey) { self.key = key }

  func recordNanoseconds(_ duration: Int64) { buckets.withLock { $0.add(Double(duration) / 1e9) } }

  var samples: [MetricSample] { buckets.withLock { $0 }.samples }
}
