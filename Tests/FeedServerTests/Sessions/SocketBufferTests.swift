import NIOCore
import NIOHTTP1
import NIOPosix
import TestSupport
import Testing

@testable import FeedServer

#if os(Linux)
  @Suite("The socket of a session", .timeLimit(.minutes(45)))
  struct SocketBufferTests {
    @Test("holds at most 32 KiB that are not sent yet, because they become old there")
    func unsent() async throws {
      let hub = FeedHub(
        source: PlayedSource(playing: ScriptedFeed.Feed(script: ScriptedFeed())), limits: ServerLimits(), loops: [],
        metrics: ServerMetrics())
      let upgrader = SocketUpgrader(logger: noOpLogger) { eventLoop in
        SocketSession.Dependencies(
          hub: hub, loop: SessionLoop(eventLoop: eventLoop), limits: hub.limits, realm: nil, metrics: ServerMetrics())
      }
      let (values, arrivals) = AsyncStream.makeStream(of: Int.self)
      let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
          let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/v2")
          return upgrader.upgrade(channel: channel, upgradeRequest: request).map { _ in
            let value = try? channel.syncOptions?.getOption(.tcpOption(SocketUpgrader.notSentLowWaterMark))
            arrivals.yield(value ?? 0)
          }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      let client = try await RawClient(to: server.localAddress!.port!)
      var all = values.makeAsyncIterator()
      #expect(await all.next() == 32_768)
      try await server.close()
      withExtendedLifetime(client) {}
    }
  }
#endif
