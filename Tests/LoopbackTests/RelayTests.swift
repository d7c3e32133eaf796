import EveryMatrix
import FeedNetwork
import FeedServer
import Logging
import NIOCore
import OddsModel
import TestSupport
import Testing

/// A server that relays the feed of other servers.
private struct RelayServer {
  let running: RunningServer
  private let connections: FeedConnections
  private let relay: FeedRelay

  var port: Int { running.port }

  init(_ feed: String, limits: RelayLimits = RelayLimits()) async throws {
    // Enough for a slow machine.
    var limits = limits
    limits.silence = .seconds(100)
    limits.maxDataAge = .seconds(100)
    let list = try FeedAddressList(feed)
    connections = try FeedConnections(FeedEndpoint.endpoints(of: list), agent: "test")
    let registry = PrometheusRegistry()
    relay = FeedRelay(connections.session(realms: list.addresses.map(\.host)), limits: limits, registry: registry)
    var options = ServerOptions()
    options.port = 0
    let long = TimeAmount.minutes(5)
    options.limits.pingInterval = long
    options.limits.silence = long
    options.limits.helloTime = long
    options.limits.catchUpLimit = long
    running = try await RunningServer.start(
      options, source: RelaySource(relay), metrics: ServerMetrics(registry),
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
  }

  /// Waits until the relay reports that the upstream feed is ready, or that it is not.
  func wait(untilReady isReady: Bool) async throws {
    while !Task.isCancelled, try await HTTPResponse(port, "/readyz").status != (isReady ? 200 : 503) {
      await Task.yield()
    }
  }

  func stop() async {
    await running.stop()
    await relay.stop()
    await connections.shutDown()
  }
}

@Suite(.timeLimit(.minutes(15))) struct RelayTests {
  private static let topic = Topic.aggregator(.popular, matches: 10)

  /// Reads updates until the client has the state of the server, whose feed is frozen.
  private func settle(_ client: SocketClient, _ replica: inout FeedReplica, _ server: LoopbackServer) async throws {
    let truth = try await server.matches(of: Self.topic)
    while replica.matches != truth {
      guard await client.receiveUpdate(&replica) else {
        Issue.record("the session ended")
        return
      }
    }
  }

  /// Opens a session and subscribes to the topic.
  private func follow(_ port: Int, _ topic: Topic = topic) async throws -> (SocketClient, FeedReplica) {
    let client = try await SocketClient.session(to: port)
    #expect(await client.register(topic) == 1)
    var replica = FeedReplica()
    #expect(await client.dump(of: topic, &replica) != nil)
    return (client, replica)
  }

  @Test("Clients of a relay have the state and the REST lists of the upstream feed")
  func follows() async throws {
    let upstream = LoopbackServer()
    try await upstream.start()
    var limits = RelayLimits()
    limits.auditInterval = .milliseconds(300)
    let relay = try await RelayServer(upstream.url, limits: limits)
    try await relay.wait(untilReady: true)
    var (first, state) = try await follow(relay.port)
    for _ in 0..<20 { #expect(await first.receiveUpdate(&state)) }
    // A client that connects later.
    var (second, later) = try await follow(relay.port)
    for _ in 0..<100 { #expect(await second.receiveUpdate(&later)) }
    upstream.freeze()
    try await settle(first, &state, upstream)
    try await settle(second, &later, upstream)
    for path in ["/api/odds", "/api/matches"] {
      let list = try await HTTPResponse(relay.port, "\(path)?topic=\(Self.topic)")
      #expect(list.status == 200)
      #expect(list.text == (try await HTTPResponse(upstream.port, "\(path)?topic=\(Self.topic)").text))
    }
    let metrics = try await HTTPResponse(relay.port, "/metrics").text
    #expect(metrics.contains("toteboard_upstream_topics 1\n"))
    #expect(metrics.contains("toteboard_upstream_divergences_total 0\n"))
    #expect(
      try await !HTTPResponse(upstream.port, "/metrics").text.contains("toteboard_dumps_total 1\n"), "no fresh dump")
    await relay.stop()
    await upstream.stop()
  }

  @Test("A topic that the upstream feed refuses is an ERROR with the upstream message")
  func refusal() async throws {
    let upstream = LoopbackServer()
    try await upstream.start()
    let relay = try await RelayServer(upstream.url)
    try await relay.wait(untilReady: true)
    let client = try await SocketClient.session(to: relay.port)
    client.send(.register(request: 7, procedure: "/nope"))
    let answer = await client.text()
    #expect(answer?.hasPrefix("[8,64,7,") == true && answer?.contains("wamp.error.invalid_argument") == true)
    #expect(answer?.contains("topic '/nope' is unknown") == true)
    #expect(try await HTTPResponse(relay.port, "/api/odds?topic=/nope").status == 404)
    // The session goes on.
    #expect(await client.register(Self.topic) != nil)
    await relay.stop()
    await upstream.stop()
  }

  @Test("A topic limit of the upstream server also applies at the second relay, until there is room")
  func passingError() async throws {
    let upstream = LoopbackServer()
    try await upstream.start {
      $0.limits.openTopics = 1
      // The test has a client there, which does not answer pings.
      $0.limits.silence = .minutes(5)
    }
    let first = try await RelayServer(upstream.url)
    let second = try await RelayServer("ws://127.0.0.1:\(first.port)")
    try await second.wait(untilReady: true)
    let (other, _) = try await follow(upstream.port, Topic.aggregator(.popular, matches: 5))
    let client = try await SocketClient.session(to: second.port)
    client.send(.register(request: 7, procedure: Self.topic.path))
    let answer = await client.text()
    #expect(answer?.hasPrefix("[8,64,7,") == true && answer?.contains("toteboard.error.limit") == true)
    #expect(answer?.contains("cannot be had upstream at the moment") == true)
    let list = try await HTTPResponse(second.port, "/api/odds?topic=/nope")
    #expect(list.status == 404)
    other.send(.unregister(request: 2, registration: 1))
    while let text = await other.text(), !text.hasPrefix("[67,") {}
    client.send(.register(request: 8, procedure: Self.topic.path))
    #expect(await client.text()?.hasPrefix("[65,8,") == true)
    await second.stop()
    await first.stop()
    await upstream.stop()
  }

  @Test("A topic without clients makes room for another one")
  func room() async throws {
    let upstream = LoopbackServer()
    try await upstream.start()
    var limits = RelayLimits()
    limits.maxTopics = 2
    limits.linger = .seconds(3600)
    let relay = try await RelayServer(upstream.url, limits: limits)
    try await relay.wait(untilReady: true)
    for count in 1...5 {
      let topic = Topic.aggregator(.popular, matches: count)
      #expect(try await HTTPResponse(relay.port, "/api/odds?topic=\(topic)").status == 200)
    }
    let client = try await SocketClient.session(to: relay.port)
    #expect(await client.register(Self.topic) != nil)
    #expect(try await HTTPResponse(relay.port, "/metrics").text.contains("toteboard_upstream_topics 2\n"))
    await relay.stop()
    await upstream.stop()
  }

  @Test("When the upstream server stops, sessions end; after its restart, new sessions have its new state")
  func loss() async throws {
    let upstream = LoopbackServer()
    try await upstream.start()
    let relay = try await RelayServer(upstream.url)
    try await relay.wait(untilReady: true)
    var (client, state) = try await follow(relay.port)
    #expect(await client.receiveUpdate(&state))
    await upstream.stop()
    #expect(await client.nextReply(&state) == #"[6,{},"wamp.close.system_shutdown"]"#)
    #expect(await client.next() == .close(1001, "a topic was lost: connect again"))
    try await relay.wait(untilReady: false)
    #expect(try await HTTPResponse(relay.port, "/readyz").text == "upstream lost\n")
    #expect(try await HTTPResponse(relay.port, "/api/odds").status == 503)
    #expect(try await HTTPResponse(relay.port, "/healthz").status == 200)
    try await upstream.start()
    upstream.freeze()
    try await relay.wait(untilReady: true)
    var (again, new) = try await follow(relay.port)
    try await settle(again, &new, upstream)
    await relay.stop()
    await upstream.stop()
  }

  @Test("When one of two upstream servers stops, sessions continue with the state of the other")
  func failover() async throws {
    let servers = [LoopbackServer(seed: 10), LoopbackServer(seed: 20)]
    for server in servers { try await server.start() }
    // Enough for a slow machine.
    var limits = RelayLimits()
    limits.grace = .seconds(100)
    let relay = try await RelayServer(servers.map(\.url).joined(separator: ","), limits: limits)
    try await relay.wait(untilReady: true)
    var (client, state) = try await follow(relay.port)
    #expect(await client.receiveUpdate(&state))
    for server in servers { server.freeze() }
    let isFirst = try await HTTPResponse(servers[0].port, "/metrics").text.contains("toteboard_sessions 1\n")
    let (old, new) = isFirst ? (servers[0], servers[1]) : (servers[1], servers[0])
    await old.stop()
    try await settle(client, &state, new)
    await relay.stop()
    await new.stop()
  }

  @Test("Clients of a relay of a relay have the state of the upstream feed")
  func chain() async throws {
    let upstream = LoopbackServer()
    try await upstream.start()
    let first = try await RelayServer(upstream.url)
    let second = try await RelayServer("ws://127.0.0.1:\(first.port)")
    try await second.wait(untilReady: true)
    var (client, state) = try await follow(second.port)
    for _ in 0..<10 { #expect(await client.receiveUpdate(&state)) }
    upstream.freeze()
    try await settle(client, &state, upstream)
    await second.stop()
    await first.stop()
    await upstream.stop()
  }
}
