import FeedServer
import NIOCore
import TestSupport
import Testing

extension RealServerTests {
  @Suite(.timeLimit(.minutes(15))) struct OpeningCostTests {
    @Test("A client that registers a topic at a gateway pays for the dump that the book makes")
    func opening() async throws {
      try await TestCluster.with { cluster in
        let feed = try ClusterFeed(seed: 1)
        _ = try cluster.book(feed)
        // One dump costs an address all that it has, and it regains nothing during the test.
        let gateway = try await cluster.gateway {
          $0.limits.workBurst = .microseconds(1)
          $0.limits.workShare = 1e-6
        }
        try await gateway.wait(untilReady: true)
        let client = try await SocketClient.session(to: gateway.port)
        #expect(await client.register(ClusterFeed.topic) == 1)
        let list = try await HTTPResponse(gateway.port, "/api/odds?topic=\(ClusterFeed.topic)")
        #expect(list.status == 503 && list.text.contains("has spent its processor time"), "\(list.text)")
      }
    }
  }
}
