import FeedFanOut
import FeedServer
import Logging
import Platform
import TestSupport
import Testing

@testable import toteboard_server

@Suite struct NATSLinkTests {
  @Test("While no NATS server can be reached, the log has the addresses and the remedy, but no password")
  func unreachable() throws {
    let (port, lines) = (ReservedPort(), Locked<[String]>([]))
    let options = NATSOptions(servers: ["nats://me:hush@127.0.0.1:\(port.number)"], name: "test")
    let logger = Logger(label: "test", factory: { _ in Collector(lines: lines) })
    let link = try NATSLink(options, registry: PrometheusRegistry(), logger: logger)
    link.close()
    let text = lines.withLock { $0.joined(separator: "\n") }
    #expect(text.contains("127.0.0.1:\(port.number)") && text.contains("check --nats"))
    #expect(!text.contains("hush"))
  }
}

private struct Collector: LogHandler {
  let lines: Locked<[String]>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  init(lines: Locked<[String]>) { self.lines = lines }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") } }
}
