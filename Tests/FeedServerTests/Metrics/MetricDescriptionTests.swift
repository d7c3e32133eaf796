import CoreMetrics
import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedServer
@testable import OddsFeed

@Suite("The list of metrics", .timeLimit(.minutes(45)))
struct MetricDescriptionTests {
  private let listed = Dictionary(grouping: MetricDescription.all, by: \.name)

  @Test("has each name once, in a valid form")
  func names() {
    for (name, descriptions) in listed {
      #expect(descriptions.count == 1, "\(name)")
      #expect(name.hasSuffix("_total") == (descriptions[0].type == .counter), "\(name)")
      #expect(PrometheusNames.metric(name) == name)
    }
  }

  @Test("matches the list in Metrics.md")
  func page() throws {
    let page = try RepositoryFile.text("Sources/FeedServer/FeedServer.docc/Metrics.md")
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      let cells = row.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
      return MetricDescription(
        name: String(cells[0].dropFirst().dropLast()), type: MetricType(rawValue: cells[1])!, help: cells[2])
    }
    #expect(Set(rows) == Set(MetricDescription.all))
  }

  @Test("has all metrics of a server with accounts, with their types")
  func server() async throws {
    try await AccountServer.with { fixture in
      let types = fixture.server.metrics.registry.types
      #expect(types.count == 19)
      for (name, type) in types { #expect(listed[name]?.first?.type == type, "\(name)") }
      let text = try await HTTPResponse(fixture.port, "/metrics").text
      for name in types.keys { #expect(text.contains("# HELP \(name) \(listed[name]?.first?.help ?? "")\n")) }
    }
  }

  @Test("has all metrics of a feed that the process receives, with their types")
  func feed() async {
    let registry = PrometheusRegistry()
    let store = ChannelStore(topic: Topic(path: "/a"), metrics: registry)
    let types = registry.types
    #expect(types.count == 27)
    for (name, type) in types { #expect(listed[name]?.first?.type == type, "\(name)") }
    #expect(registry.text.contains(#"toteboard_feed_messages_total{topic="/a"} 0"#))
    #expect(!registry.text.contains("toteboard_feed_staleness"), "a feed without data is not live")
    await store.close(at: 1)
    #expect(registry.types.isEmpty)
  }
}
