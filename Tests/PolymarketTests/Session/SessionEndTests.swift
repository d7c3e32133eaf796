import JSONText
import OddsFeed
import OddsModel
import Platform
import TestSupport
import Testing

@testable import Polymarket

@Suite("The end of a session with Polymarket", .timeLimit(.minutes(45)))
struct SessionEndTests {
  private struct Gamma: DocumentFetcher {
    var gate: Gate?

    func get(_ path: String) async throws(FeedError) -> [UInt8] {
      await gate?.pass()
      var json = JSONWriter()
      json.openArray()
      Sample.game.write(to: &json)
      json.closeArray()
      return json.bytes
    }
  }

  private struct Connector: FrameConnector {
    let gate: Gate

    func connect() async throws(ConnectionError) -> any FrameConnection {
      await gate.pass()
      throw .lost
    }
  }

  private func session(gamma: Gate?, sockets: Gate) -> PolymarketSession {
    PolymarketSession(
      market: Connector(gate: sockets), sports: Connector(gate: sockets), gamma: GammaClient(Gamma(gate: gamma)))
  }

  /// Starts a session, and ends its event stream once `gate` holds the given number of its tasks.
  private func start(_ session: PolymarketSession, until gate: Gate, holds count: Int) async throws {
    let events = await session.connect()
    let reader = Task { for await _ in events {} }
    await session.subscribe(MachineRun.detail)
    await gate.wait(for: count)
    reader.cancel()
    try await reader.cancellableValue
  }

  @Test("waits for requests to Gamma, even if the event stream has ended")
  func requests() async throws {
    let gate = Gate()
    let session = session(gamma: gate, sockets: gate)
    try await start(session, until: gate, holds: 1)
    #expect(try await gate.isAwaited { await session.disconnect() })
  }

  @Test("waits for connection attempts, even if the event stream has ended")
  func attempts() async throws {
    let gate = Gate()
    let session = session(gamma: nil, sockets: gate)
    try await start(session, until: gate, holds: 2)
    #expect(try await gate.isAwaited { await session.disconnect() })
  }

  @Test("waits for abandoned connection attempts")
  func abandonedAttempts() async throws {
    let gate = Gate()
    let session = session(gamma: nil, sockets: gate)
    let events = await session.connect()
    let reader = Task { for await _ in events {} }
    await session.subscribe(MachineRun.detail)
    await gate.wait(for: 2)
    await session.unsubscribe(MachineRun.detail)
    #expect(try await gate.isAwaited { await session.disconnect() })
    try await reader.cancellableValue
  }
}
