import Dispatch
import EveryMatrix
import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import FeedSimulator

@Suite("The simulated server", .timeLimit(.minutes(45)))
struct SimulatedConnectorTests {
  private let page = Topic.aggregator(.live, matches: 10)

  private func server(rate: Double = 20) throws -> SimulatedConnector {
    SimulatedConnector(options: try SimulatorOptions(matches: 20, rate: rate, startTime: startTime))
  }

  private func texts(_ events: [FrameEvent]) -> [String] {
    events.map {
      switch $0 {
      case .text(let text): String(decoding: text, as: UTF8.self)
      case .pong: "pong"
      case .progress: "progress"
      case .closed(let fault): "closed \(fault.kind)"
      }
    }
  }

  /// Returns a connection whose session has registered the page.
  private func listener(_ server: SimulatedConnector) async throws -> any FrameConnection {
    let connection = try await server.connect()
    connection.send(WAMPMessage.hello(realm: "any").text)
    connection.send(WAMPMessage.register(request: 1, procedure: page.path).text)
    return connection
  }

  @Test("sends WELCOME, registers, answers with a dump, and sends updates until the connection is closed")
  func conversation() async throws {
    let server = try server(rate: 10_000)
    let connection = try await listener(server)
    // The server's timer may have sent an update already.
    var seen = texts(await connection.read())
    #expect(seen.prefix(2).map { $0.prefix(4) } == ["[2,1", "[65,"])
    connection.send(WAMPMessage.call(request: 2, procedure: WAMPMessage.dumpProcedure, topic: page.path).text)
    while !["[50,", "[68,"].allSatisfy({ head in seen.contains { $0.hasPrefix(head) } }) {
      let events = await connection.read()
      try #require(!events.isEmpty, "the connection has ended, or the test")
      seen += texts(events)
    }
    #expect(seen.contains { $0.hasPrefix("[50,2,{},[],{\"version\"") && $0.contains("INITIAL_DUMP") })
    #expect(seen.first { $0.hasPrefix("[68,") }?.hasPrefix("[68,1,1,{},[],{\"version\"") == true)
    connection.close(code: 1000)
    var last = await connection.read()
    if last.count > 1 { last.removeFirst(last.count - 1) }
    #expect(texts(last) == ["closed closed(code: Optional(1000))"])
    #expect(await connection.read().isEmpty)
  }

  @Test("answers a ping at once, and returns nothing to a cancelled reader")
  func ping() async throws {
    let connection = try await server().connect()
    connection.ping(1)
    #expect(texts(await connection.read()) == ["pong"])
    let reader = Task { await connection.read() }
    reader.cancel()
    #expect(try await reader.cancellableValue.isEmpty)
  }

  @Test("is deallocated when neither a reference nor a connection is left")
  func release() async throws {
    var server: SimulatedConnector? = try server()
    weak let released = server
    var connection: (any FrameConnection)? = try await listener(server!)
    _ = await connection?.read()
    server = nil
    #expect(released != nil)
    connection = nil
    // A tick that has begun retains the server to its end.
    while !Task.isCancelled, released != nil { await Task.yield() }
    #expect(released == nil)
  }

  @Test("postpones ticks while its reader is behind")
  func slowReader() async throws {
    let server = try server(rate: 100_000)
    let connection = try await listener(server)
    _ = await connection.read()
    // The server's own timer may tick as well, within the same limit.
    let start = DispatchTime.now().uptimeNanoseconds
    for tick in 0..<1_000 as Range<UInt64> { server.tick(uptime: start + tick * 20_000_000) }
    let most = SimulatedConnector.unreadLimit + 25_000 / UpdateMessages.longest * 2
    #expect((SimulatedConnector.unreadLimit...most).contains(await connection.read().count))
  }

  @Test("clamps a rate to its range", arguments: [(-1, 0.1), (0.1, 0.1), (250, 250), (1e9, 100_000), (.nan, 0.1)])
  func rates(asked: Double, set: Double) throws {
    let server = try server()
    server.setRate(asked)
    #expect(server.rate == set)
  }
}
