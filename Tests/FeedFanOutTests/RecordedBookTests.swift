import ArgumentParser
import EveryMatrix
import OddsModel
import TestSupport
import Testing

@testable import toteboard_server

extension RealServerTests {
  @Suite(.timeLimit(.minutes(15))) struct RecordedBookTests {
    private let topic = Topic.aggregator(.popular, matches: 10)

    @Test("A client of a gateway receives the recording that the book plays in a loop; other topics are refused")
    func loop() async throws {
      let updates = (3...6).map { FeedText.update(FeedText.odds(121, "\($0)")) }
      let recorded = [FeedText.dump(FeedText.football())] + updates
      let lines = recorded.enumerated().map { index, message in
        #"{"receivedAt":\#(1_750_000_000_000 + index * 100),"topic":"\#(topic)","message":\#(message)}"# + "\n"
      }
      let file = TemporaryFile(lines.joined())
      try await TestCluster.with { cluster in
        let program = try ToteboardServer.parse([
          "--role", "book", "--nats", cluster.nats.url, "--recording", file.path, "--loop",
        ])
        _ = try cluster.book(playing: program.played.feed().feed)
        let gateway = try await cluster.gateway()
        try await gateway.wait(untilReady: true)
        let client = try await SocketClient.session(to: gateway.port)
        #expect(await client.register(.aggregator(.live, matches: 10)) == nil)
        #expect(await client.register(topic) != nil)
        var replica = FeedReplica()
        #expect(await client.dump(of: topic, &replica) != nil)
        #expect(replica.matches.map(\.id) == [100])
        var received: [String] = []
        while received.count < 2 * recorded.count { received.append(try #require(await client.nextUpdate())) }
        // The first message depends on the position at which the client joined.
        let first = try #require(recorded.firstIndex(of: received[0]))
        #expect(received == received.indices.map { recorded[(first + $0) % recorded.count] })
        #expect(try await gateway.metric("gaps_total") == 0)
      }
      withExtendedLifetime(file) {}
    }
  }
}
