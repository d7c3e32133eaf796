import EveryMatrix
import OddsFeed
import OddsModel
import TestSupport
import Testing

@Suite("The end of a session", .timeLimit(.minutes(45)))
struct FeedSessionEndTests {
  private struct Connector: FrameConnector {
    let gate: Gate

    func connect() async throws(ConnectionError) -> any FrameConnection {
      await gate.pass()
      throw ConnectionError(.unreachable, FeedError("nobody there", remedy: "wait"))
    }
  }

  @Test("waits for a pending attempt to connect, even if the events have ended before")
  func attempts() async throws {
    let gate = Gate()
    let session = FeedSession(connector: Connector(gate: gate), realm: "test")
    let events = await session.connect()
    let reader = Task { for await _ in events {} }
    await gate.wait()
    reader.cancel()
    try await reader.cancellableValue
    #expect(try await gate.isAwaited { await session.disconnect() })
  }
}
