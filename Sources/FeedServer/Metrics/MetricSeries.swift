import CoreMetrics
import Platform
import Synchronization

/// A time series: the values of one metric with one set of labels.
protocol MetricSeries: AnyObject, Sendable {
  static var type: MetricType { get }
  /// The end that the metric's name must have.
  static var suffix: String { get }
  var key: SeriesKey { get }
  /// The samples to write. Empty if there is no value.
  var samples: [MetricSample] { get }
}

struct MetricSample {
  /// The end of the name of the sample, after that of the metric.
  var suffix = ""
  /// The upper bound of a bucket; nil if the sample is not one of a bucket.
  var bound: Double?
  let value: MetricValue
}

enum MetricValue {
  case whole(Int64)
  case real(Double)
}

/// A counter. An increment is one atomic addition, because sessions count what they write to each client. Amounts that
/// are not positive are ignored. Whole amounts are added exactly, up to 2^63 - 1.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
  static let type = MetricType.counter
  static let suffix = "_total"
  let key: SeriesKey
  private let whole = Atomic<Int64>(0)
  /// The sum of the amounts that came as floating-point numbers.
  private let real = AtomicDouble(0)

  init(key: SeriesKey) { self.key = key }

  func increment(by amount: Int64) {
    if amount > 0 { whole.wrappingAdd(amount, ordering: .relaxed) }
  }

  func increment(by amount: Double) {
    if amount > 0 { real.add(amount) }
  }

  func reset() {
    whole.store(0, ordering: .relaxed)
    real.value = 0
  }

  var samples: [MetricSample] {
    let (whole, real) = (whole.load(ordering: .relaxed), real.value ?? 0)
    return [MetricSample(value: real == 0 ? .whole(whole) : .real(Double(whole) + real))]
  }
}

/// A gauge. It has no value until it is set.
final class GaugeSeries: MetricSeries, MeterHandler, RecorderHandler {
  static let type = MetricType.gauge
  static let suffix = ""
  let key: SeriesKey
  private let value = AtomicDouble(nil)

  init(key: SeriesKey) { self.key = key }

  func set(_ value: Int64) { self.value.value = Double(value) }
  func set(_ value: Double) { self.value.value = value }
  func increment(by amount: Double) { value.add(amount) }
  func decrement(by amount: Double) { value.add(-amount) }
  func record(_ value: Int64) { set(value) }
  func record(_ value: Double) { set(value) }

  var samples: [MetricSample] { value.value.map { [MetricSample(value: .real($0))] } ?? [] }
}

/// A floating-point number that several threads change; nil while it is not set.
private final class AtomicDouble: Sendable {
  /// A NaN that no arithmetic yields.
  private static let unset = UInt64.max

  private let bits: Atomic<UInt64>

  init(_ value: Double?) { bits = Atomic(Self.bits(value)) }

  private static func bits(_ value: Double?) -> UInt64 {
    guard let value else { return unset }
    return value.isNaN ? Double.nan.bitPattern : value.bitPattern
  }

  private static func value(_ bits: UInt64) -> Double? { bits == unset ? nil : Double(bitPattern: bits) }

  var value: Double? {
    get { Self.value(bits.load(ordering: .relaxed)) }
    set { bits.store(Self.bits(newValue), ordering: .relaxed) }
  }

  /// Adds an amount, to 0 if the number is not set.
  func add(_ amount: Double) {
    var known = bits.load(ordering: .relaxed)
    while true {
      let (isDone, current) = bits.weakCompareExchange(
        expected: known, desired: Self.bits((Self.value(known) ?? 0) + amount), ordering: .relaxed)
      if isDone { return }
      known = current
    }
  }
}
