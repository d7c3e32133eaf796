import FeedServer
import TestSupport

extension ServerMetrics {
  /// Returns the sum of a metric over its labels. The name is without `toteboard_`.
  func total(_ name: String) -> Int {
    Int(PrometheusSample.total(of: "toteboard_\(name)", in: registry.text))
  }
}
