package import CoreMetrics
import Platform

/// A counter of events that are counted elsewhere, in a library or a state machine. Follows their total.
package final class CopiedCounter: Sendable {
  private let counter: Counter
  private let copied = Locked(0)

  package init(_ name: String, factory: any MetricsFactory) { counter = Counter(label: name, factory: factory) }

  /// Adds the increase of the total since the last call. A total that is less than before changes nothing.
  package func update(to total: some BinaryInteger) {
    let total = Int(clamping: total)
    // NB: Under the lock: of two calls at the same time, only one adds the difference.
    copied.withLock { copied in
      guard total > copied else { return }
      counter.increment(by: total - copied)
      copied = total
    }
  }
}

/// A gauge whose value is not always known. It is written only while the value is known.
package final class OptionalGauge: Sendable {
  private let name: String
  private let factory: any MetricsFactory
  private let meter = Locked<Meter?>(nil)

  package init(_ name: String, factory: any MetricsFactory) {
    self.name = name
    self.factory = factory
  }

  package func set(_ value: (some BinaryInteger)?) {
    meter.withLock { meter in
      guard let value else {
        meter?.destroy()
        meter = nil
        return
      }
      let known = meter ?? Meter(label: name, factory: factory)
      known.set(value)
      meter = known
    }
  }
}
