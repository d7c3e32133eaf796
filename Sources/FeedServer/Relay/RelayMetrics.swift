import CoreMetrics

/// The metrics of a relay.
struct RelayMetrics: Sendable {
  private let available: Meter
  private let topics: Meter
  private let losses: CopiedCounter
  private let divergences: CopiedCounter

  init(_ registry: PrometheusRegistry) {
    available = Meter(label: "toteboard_upstream_available", factory: registry)
    topics = Meter(label: "toteboard_upstream_topics", factory: registry)
    losses = CopiedCounter("toteboard_upstream_losses_total", factory: registry)
    divergences = CopiedCounter("toteboard_upstream_divergences_total", factory: registry)
  }

  func update(isAvailable: Bool, topics: Int, losses: Int, divergences: Int) {
    available.set(isAvailable ? 1 : 0)
    self.topics.set(topics)
    self.losses.update(to: losses)
    self.divergences.update(to: divergences)
  }
}
