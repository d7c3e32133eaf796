import EveryMatrix
import FeedFanOut
import FeedServer
import OddsModel
import TestSupport
import Testing

@testable import toteboard_server

/// Receives updates until the client has the matches of the feed, which is frozen.
private func settle(_ client: SocketClient, _ replica: inout FeedReplica, _ feed: ClusterFeed) async {
  let truth = feed.matches
  while replica.matches != truth { guard await client.receiveUpdate(&replica) else { return } }
}

extension RealServerTests {
  @Suite(.timeLimit(.minutes(15))) struct ClusterTests {
    private let topic = ClusterFeed.topic

    @Test("Clients of two gateways receive all messages of the book in order and have its state")
    func follow() async throws {
      try await TestCluster.with { cluster in
        let feed = try ClusterFeed(seed: 1)
        let book = try cluster.book(feed)
        let gateways = [try await cluster.gateway(), try await cluster.gateway()]
        try await book.terms.waitForTerm()
        var clients: [(client: SocketClient, replica: FeedReplica, updates: [String])] = []
        for gateway in gateways {
          try await gateway.wait(untilReady: true)
          let client = try await SocketClient.session(to: gateway.port)
          #expect(await client.register(topic) == 1)
          var replica = FeedReplica()
          #expect(await client.dump(of: topic, &replica) != nil)
          clients.append((client, replica, []))
        }
        for index in clients.indices {
          while clients[index].updates.count < 40 {
            let update = try #require(await clients[index].client.nextUpdate())
            clients[index].updates.append(update)
            clients[index].replica.apply(Array(update.utf8))
          }
        }
        feed.freeze()
        for index in clients.indices {
          let all = feed.messages.elements
          let updates = clients[index].updates
          let first = try #require(all.firstIndex(of: updates[0]))
          let isSame = Array(all[first...].prefix(updates.count)) == updates
          #expect(isSame)
          await settle(clients[index].client, &clients[index].replica, feed)
          #expect(clients[index].replica.matches == feed.matches)
        }
        for gateway in gateways {
          #expect(try await gateway.metric("gaps_total") == 0)
          #expect(try await gateway.metric("redumps_total") == 0)
          let list = try await HTTPResponse(gateway.port, "/api/odds?topic=\(topic)")
          #expect(list.status == 200 && list.body.count > 100)
        }
      }
    }

    @Test("A gateway receives only the topics of its clients, and the book closes topics without clients")
    func interest() async throws {
      try await TestCluster.with { cluster in
        let feed = try ClusterFeed(seed: 1, rate: 2000)
        let book = try cluster.book(feed)
        let (busy, idle) = (try await cluster.gateway(), try await cluster.gateway())
        for gateway in [busy, idle] { try await gateway.wait(untilReady: true) }
        let client = try await SocketClient.session(to: busy.port)
        #expect(await client.register(topic) == 1)
        #expect(book.registry.text.contains("toteboard_topics 1\n"))
        let listed = Dictionary(grouping: MetricDescription.all, by: \.name)
        for registry in [book.registry, busy.server.metrics.registry] {
          for (name, type) in registry.types { #expect(listed[name]?.first?.type == type, "\(name)") }
        }
        let size = 200_000
        try await feed.messages.wait(until: { $0.reduce(0) { $0 + $1.utf8.count } > size })
        while try await busy.metric("nats_received_bytes_total") ?? 0 < size {
          _ = try #require(await client.nextUpdate())
        }
        // The idle gateway receives only heartbeats.
        let received = try #require(try await idle.metric("nats_received_bytes_total"))
        #expect(received > 0 && received < size / 2)
        client.send(.unregister(request: 90, registration: 1))
        var replica = FeedReplica()
        #expect(await client.nextReply(&replica) == "[67,90]")
        while !Task.isCancelled, !book.registry.text.contains("toteboard_topics 0\n") { await Task.yield() }
      }
    }

    @Test("The metrics of a gateway and of a book are released with them")
    func releasedMetrics() async throws {
      let nats = try NATSServer()
      let (subjects, feed) = (try Subjects(name: "test"), try ClusterFeed(seed: 1, rate: 2000))
      weak var released: PrometheusRegistry?
      do {
        let registry = PrometheusRegistry()
        released = registry
        let link = try NATSLink(NATSOptions(servers: [nats.url], name: "test"), registry: registry, logger: noOpLogger)
        let source = GatewaySource(link, subjects, registry: registry, logger: noOpLogger)
        let node = BookNode(
          link, subjects, playing: ClusterFeed.Feed(feed: feed), registry: registry, logger: noOpLogger
        ) { _ in }
        #expect(registry.text.contains("toteboard_book_heard 0\n"))
        #expect(registry.text.contains("toteboard_book_active 0\n"))
        #expect(registry.text.contains("toteboard_nats_connected 1\n"))
        source.stop()
        node.stop()
      }
      while !Task.isCancelled, released != nil { await Task.yield() }
    }

    @Test(
      "Clients have the state of a relayed feed; sessions end when the feed is lost and can start again afterwards"
    )
    func relay() async throws {
      try await TestCluster.with { cluster in
        let port = ReservedPort()
        var options = TestCluster.options
        options.port = port.number
        let feeds = [try ClusterFeed(seed: 1), try ClusterFeed(seed: 2)]
        let upstream = try await RunningServer.start(
          options, playing: ClusterFeed.Feed(feed: feeds[0]), logger: noOpLogger)
        let book = try cluster.book(relaying: upstream.url)
        let gateway = try await cluster.gateway()
        try await gateway.wait(untilReady: true)
        let client = try await SocketClient.session(to: gateway.port)
        // The upstream feed refuses the topic, and the client receives its message.
        client.send(.register(request: 7, procedure: "/nope"))
        let refusal = await client.text() ?? ""
        #expect(refusal.hasPrefix("[8,64,7,") && refusal.contains("topic '/nope' is refused ("), "\(refusal)")
        #expect(refusal.contains("is unknown"), "\(refusal)")
        let list = try await HTTPResponse(gateway.port, "/api/odds?topic=/nope")
        #expect(list.status == 404 && list.text.contains("is refused ("), "\(list.text)")
        #expect(await client.register(topic) == 1)
        var replica = FeedReplica()
        #expect(await client.dump(of: topic, &replica) != nil)
        for _ in 0..<20 { #expect(await client.receiveUpdate(&replica)) }
        feeds[0].freeze()
        await settle(client, &replica, feeds[0])
        #expect(replica.matches == feeds[0].matches)
        #expect(try await gateway.metric("gaps_total") == 0)

        await upstream.stop()
        #expect(await client.nextReply(&replica) == #"[6,{},"wamp.close.system_shutdown"]"#)
        try await book.terms.waitForEnd()
        #expect(book.node.status.text == "upstream lost" && !book.node.status.isReady)
        try await gateway.wait(untilReady: false)

        let next = try await RunningServer.start(options, playing: ClusterFeed.Feed(feed: feeds[1]), logger: noOpLogger)
        try await book.terms.waitForTerm()
        try await gateway.wait(untilReady: true)
        let again = try await SocketClient.session(to: gateway.port)
        #expect(await again.register(topic) == 1)
        var state = FeedReplica()
        #expect(await again.dump(of: topic, &state) != nil)
        feeds[1].freeze()
        await settle(again, &state, feeds[1])
        #expect(state.matches == feeds[1].matches)
        await next.stop()
      }
    }

    @Test(
      "When a recording has ended, sessions end, and only a standby whose own recording has not ended can be the book")
    func end() async throws {
      try await TestCluster.with { cluster in
        let feeds = [try ClusterFeed(seed: 1), try ClusterFeed(seed: 2)]
        let book = try cluster.book(feeds[0])
        try await book.terms.waitForTerm()
        let standby = try cluster.book(feeds[1])
        let gateway = try await cluster.gateway()
        try await gateway.wait(untilReady: true)
        let client = try await SocketClient.session(to: gateway.port)
        #expect(await client.register(topic) == 1)
        feeds[0].end()
        var replica = FeedReplica()
        #expect(await client.nextReply(&replica) == #"[6,{},"wamp.close.system_shutdown"]"#)
        try await book.terms.waitForEnd()
        #expect(book.node.status.text == "recording ended" && !book.node.status.isReady)
        try await standby.terms.waitForTerm()
        feeds[1].end()
        try await gateway.wait(untilReady: false)
      }
    }

    @Test("An unknown topic is answered with ERROR, by the gateway or by the book")
    func unknown() async throws {
      try await TestCluster.with { cluster in
        _ = try cluster.book(try ClusterFeed(seed: 1))
        let gateway = try await cluster.gateway()
        try await gateway.wait(untilReady: true)
        let client = try await SocketClient.session(to: gateway.port)
        // The gateway refuses the first one, and the book the second.
        for (request, path) in [(7, "/nope"), (8, Topic.match(MatchID(raw: 987_654_321)).path)] as [(UInt64, String)] {
          client.send(.register(request: request, procedure: path))
          let answer = await client.text()
          #expect(answer?.hasPrefix("[8,64,\(request),") == true && answer?.contains("is unknown") == true)
        }
        #expect(await client.register(topic) != nil)
        let list = try await HTTPResponse(gateway.port, "/api/odds?topic=\(Topic.match(MatchID(raw: 987_654_321)))")
        #expect(list.status == 404)
      }
    }

    @Test("When the book dies, a standby takes over, and clients keep their sessions and receive its state")
    func takeover() async throws {
      try await TestCluster.with { cluster in
        let feeds = [try ClusterFeed(seed: 1), try ClusterFeed(seed: 2)]
        let first = try cluster.book(feeds[0])
        try await first.terms.waitForTerm()
        let second = try cluster.book(feeds[1])
        let gateways = [try await cluster.gateway(), try await cluster.gateway()]
        var clients: [(SocketClient, FeedReplica)] = []
        for gateway in gateways {
          try await gateway.wait(untilReady: true)
          let client = try await SocketClient.session(to: gateway.port)
          #expect(await client.register(topic) == 1)
          var replica = FeedReplica()
          #expect(await client.dump(of: topic, &replica) != nil)
          #expect(await client.receiveUpdate(&replica))
          clients.append((client, replica))
        }
        #expect(second.terms.elements.isEmpty)
        first.kill()
        let epoch = try await second.terms.waitForTerm()
        #expect(epoch > first.terms.elements.compactMap(\.self).max()!)
        try await feeds[1].messages.wait(until: { $0.count >= 5 })
        feeds[1].freeze()
        for (index, (client, known)) in clients.enumerated() {
          var replica = known
          await settle(client, &replica, feeds[1])
          #expect(replica.matches == feeds[1].matches)
          #expect(try await gateways[index].metric("redumps_total") ?? 0 >= 1)
          #expect(try await gateways[index].metric("book_epoch") == Int(epoch))
        }
      }
    }

    @Test("A takeover ends the sessions with a topic that the new book does not have; other sessions continue")
    func topicGone() async throws {
      try await TestCluster.with { cluster in
        let sports = Topic.sports(liveOnly: false)
        let first = try cluster.book(try ClusterFeed(seed: 1))
        try await first.terms.waitForTerm()
        let second = try cluster.book(try ClusterFeed(seed: 2, missing: [sports]))
        let gateway = try await cluster.gateway()
        try await gateway.wait(untilReady: true)
        let client = try await SocketClient.session(to: gateway.port)
        let other = try await SocketClient.session(to: gateway.port)
        #expect(await client.register(sports) == 1)
        #expect(await other.register(topic) == 1)
        first.kill()
        try await second.terms.waitForTerm()
        var replica = FeedReplica()
        let goodbye = await client.nextReply(&replica)
        #expect(goodbye == #"[6,{},"wamp.close.system_shutdown"]"#)
        let again = try await SocketClient.session(to: gateway.port)
        #expect(await again.register(sports) == nil)
        #expect(await again.register(topic) != nil)
        // The other session continues.
        #expect(await other.nextUpdate() != nil)
      }
    }

    @Test("Without a book, sessions end and new ones get 503; with a book, they are accepted again")
    func lost() async throws {
      try await TestCluster.with { cluster in
        let gateway = try await cluster.gateway()
        let early = try await HTTPResponse(gateway.port, "/readyz")
        #expect(early.status == 503 && early.text == "no book\n")
        let book = try cluster.book(try ClusterFeed(seed: 1))
        try await gateway.wait(untilReady: true)
        let client = try await SocketClient.session(to: gateway.port)
        #expect(await client.register(topic) == 1)
        book.kill()
        var replica = FeedReplica()
        let goodbye = await client.nextReply(&replica)
        #expect(goodbye == #"[6,{},"wamp.close.system_shutdown"]"#)
        #expect(await client.next() == .close(1001, "a topic was lost: connect again"))
        let raw = try await RawClient(to: gateway.port)
        raw.send(SocketClient.handshake())
        let refusal = await raw.readToEnd()
        #expect(refusal.hasPrefix("HTTP/1.1 503 ") && refusal.contains("Retry-After: 1\r\n"))
        #expect(try await HTTPResponse(gateway.port, "/api/odds").status == 503)
        #expect(try await HTTPResponse(gateway.port, "/healthz").status == 200)
        #expect(try await gateway.metric("book_heard") == 0)
        let feed = try ClusterFeed(seed: 2)
        _ = try cluster.book(feed)
        try await gateway.wait(untilReady: true)
        let back = try await SocketClient.session(to: gateway.port)
        #expect(await back.register(topic) == 1)
        var state = FeedReplica()
        #expect(await back.dump(of: topic, &state) != nil)
        feed.freeze()
        await settle(back, &state, feed)
        #expect(state.matches == feed.matches)
      }
    }

    @Test("A book that is stopped hands over to the standby at once")
    func handover() async throws {
      try await TestCluster.with { cluster in
        let first = try cluster.book(try ClusterFeed(seed: 1))
        try await first.terms.waitForTerm()
        let second = try cluster.book(try ClusterFeed(seed: 2))
        let gateway = try await cluster.gateway()
        try await gateway.wait(untilReady: true)
        first.node.stop()
        #expect(first.terms.elements.last == .some(nil))
        try await second.terms.waitForTerm()
        #expect(first.node.status.isReady == false)
        #expect(second.node.status.text.hasPrefix("book, epoch "))
      }
    }
  }
}
