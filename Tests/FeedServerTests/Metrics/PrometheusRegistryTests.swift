import CoreMetrics
import Dispatch
import TestSupport
import Testing

@testable import FeedServer

private typealias Counter = CoreMetrics.Counter

@Suite("The registry of metrics", .timeLimit(.minutes(45)))
struct PrometheusRegistryTests {
  private let registry = PrometheusRegistry([])

  @Test("counts all increments of concurrent threads")
  func threads() throws {
    let counter = Counter(label: "whole", factory: registry)
    let real = FloatingPointCounter(label: "real", factory: registry)
    let meter = Meter(label: "meter", factory: registry)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<5000 {
        counter.increment(by: 3)
        real.increment(by: 0.5)
        meter.increment()
      }
    }
    let values = try PrometheusSample.parse(registry.text).map(\.value)
    #expect(values == [40_000, 20_000, 120_000])
  }

  @Test("keeps whole counts exact above the precision of floating-point numbers")
  func exact() {
    let counter = Counter(label: "bytes", factory: registry)
    counter.increment(by: (1 << 60) + 1)
    #expect(registry.text.contains("\nbytes_total \((1 << 60) + 1)\n"))
    counter.reset()
    #expect(registry.text.contains("\nbytes_total 0\n"))
  }

  @Test("omits a gauge without a value")
  func unset() {
    let meter = Meter(label: "gauge", factory: registry)
    #expect(registry.text == "")
    meter.set(0)
    #expect(registry.text == "# TYPE gauge gauge\ngauge 0\n")
    let optional = OptionalGauge("optional", factory: registry)
    optional.set(7)
    #expect(registry.text.contains("\noptional 7\n"))
    optional.set(nil as Int?)
    #expect(!registry.text.contains("optional"))
    optional.set(8)
    #expect(registry.text.contains("\noptional 8\n"))
  }

  @Test("keeps a time series until each of its instruments is destroyed")
  func destroyed() {
    let (first, second) = (Counter(label: "a", factory: registry), Counter(label: "a", factory: registry))
    first.increment()
    first.destroy()
    second.increment()
    #expect(registry.text == "# TYPE a_total counter\na_total 2\n")
    second.destroy()
    #expect(registry.text == "")
    Meter(label: "a_total", factory: registry).set(5)
    #expect(registry.text == "# TYPE a_total gauge\na_total 5\n")
  }

  @Test("keeps the first type of each name, including the derived names of a histogram")
  func types() throws {
    Recorder(label: "a", factory: registry).record(1)
    Meter(label: "a", factory: registry).set(1)
    Meter(label: "a_sum", factory: registry).set(1)
    Timer(label: "b", factory: registry).recordSeconds(2)
    Recorder(label: "b_seconds", factory: registry).record(2)
    #expect(registry.types == ["a": .histogram, "b_seconds": .histogram])
    #expect(try PrometheusSample.parse(registry.text).filter { $0.name.hasSuffix("_count") }.map(\.value) == [1, 1])
  }

  @Test("copies a total to a counter that never decreases")
  func copied() {
    let counter = CopiedCounter("copy_total", factory: registry)
    for total in [3, 5, 2, 5, 9] { counter.update(to: total) }
    #expect(registry.text.contains("\ncopy_total 9\n"))
  }

  @Test("runs the collectors each time before the text is written")
  func collectors() {
    let counter = Counter(label: "reads", factory: registry)
    registry.addCollector(of: counter) { $0.increment() }
    #expect(registry.text.contains("\nreads_total 1\n") && registry.text.contains("\nreads_total 2\n"))
    counter.destroy()
  }

  @Test("is released with the metrics of its server")
  func released() {
    weak var released: PrometheusRegistry?
    do {
      let metrics = ServerMetrics()
      released = metrics.registry
      #expect(metrics.registry.text.contains("toteboard_sessions 0\n"))
    }
    #expect(released == nil)
  }

  @Test("servers in one process do not share counts")
  func servers() async throws {
    try await withServer { first in
      try await withServer { second in
        let client = try await SocketClient.session(to: first.port)
        #expect(first.metrics.total("sessions_total") == 1 && first.metrics.total("sessions") == 1)
        #expect(second.metrics.total("sessions_total") == 0)
        withExtendedLifetime(client) {}
      }
    }
  }
}
