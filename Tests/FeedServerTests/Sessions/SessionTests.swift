import EveryMatrix
import NIOCore
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

@Suite("Sessions over sockets", .timeLimit(.minutes(45)))
struct SessionTests {
  private let page = Topic.aggregator(.popular, matches: 10)

  @Test("a client that registers and requests the dump has the state of the server after all ticks")
  func converse() async throws {
    try await withServer(try ManualBookFeed()) { server in
      let client = try await SocketClient.session(to: server.port)
      let registration = await client.register(page)
      #expect(registration == 1)
      var replica = FeedReplica()
      for tick in 1...3 as ClosedRange<UInt64> { server.feed.tick(uptime: tick * 500_000_000) }
      let dump = await client.dump(of: page, &replica)
      #expect(dump?.contains(#""messageType":"INITIAL_DUMP""#) == true)
      for tick in 4...40 as ClosedRange<UInt64> { server.feed.tick(uptime: tick * 500_000_000) }
      var truth = FeedReplica()
      truth.apply(try await server.feed.dump(of: page))
      // NB: Messages that are not sent before a client unregisters are never sent.
      while replica.matches != truth.matches { guard await client.receiveUpdate(&replica) else { break } }
      client.send(.unregister(request: 9, registration: 1))
      let answer = await client.nextReply(&replica)
      #expect(answer == "[67,9]")
      #expect(client.invocations > 30)
      let isSame = replica.matches == truth.matches
      #expect(isSame)
      client.send(.goodbye(reason: "wamp.close.normal"))
      let goodbye = await client.text()
      #expect(goodbye == #"[6,{},"wamp.close.goodbye_and_out"]"#)
      let end = await client.next()
      #expect(end == .close(1000, ""))
    }
  }

  @Test("each subscriber of a topic gets each message once, and the topic is closed when the last one leaves")
  func share() async throws {
    let script = ScriptedFeed()
    try await withServer(script) { server in
      let (one, other) = (
        try await SocketClient.session(to: server.port), try await SocketClient.session(to: server.port)
      )
      _ = await one.register(ScriptedFeed.topic)
      _ = await other.register(ScriptedFeed.topic)
      script.schedule(FeedText.update(FeedText.odds(121, "2.5")), FeedText.update(FeedText.odds(121, "2.6")))
      server.feed.tick()
      let received = (await one.text(), await one.text(), await other.text(), await other.text())
      #expect(received.0 == "[68,1,1,{},[],\(FeedText.update(FeedText.odds(121, "2.5")))]")
      #expect(received.1 == "[68,2,1,{},[],\(FeedText.update(FeedText.odds(121, "2.6")))]")
      #expect(received.2 == "[68,1,1,{},[],\(FeedText.update(FeedText.odds(121, "2.5")))]")
      #expect(received.3 == "[68,2,1,{},[],\(FeedText.update(FeedText.odds(121, "2.6")))]")
      one.send(.unregister(request: 7, registration: 1))
      _ = await one.text()
      #expect(script.isOpen)
      other.send(.goodbye(reason: "wamp.close.normal"))
      _ = await other.text()
      _ = await other.next()
      // Returns after the feed has closed the topic.
      server.feed.tick()
      #expect(!script.isOpen)
    }
  }

  @Test("a dump is sent after the messages that it includes")
  func order() async throws {
    let script = ScriptedFeed()
    try await withServer(script) { server in
      let client = try await SocketClient.session(to: server.port)
      _ = await client.register(ScriptedFeed.topic)
      // From here on, the session is not notified of new messages.
      server.hub.source.start(onNews: {})
      let update = FeedText.update(FeedText.odds(121, "2.5"))
      script.schedule(update)
      server.feed.tick()
      client.send(.call(request: 3, procedure: WAMPMessage.dumpProcedure, topic: ScriptedFeed.topic.path))
      let received = (await client.text(), await client.text())
      #expect(received.0 == "[68,1,1,{},[],\(update)]")
      #expect(received.1?.hasPrefix("[50,3,") == true)
    }
  }

  @Test("a dump of an unknown topic is an error that names it")
  func unknown() async throws {
    try await withServer { server in
      let client = try await SocketClient.session(to: server.port)
      client.send(.call(request: 3, procedure: WAMPMessage.dumpProcedure, topic: "/nope"))
      let answer = await client.text()
      #expect(answer?.hasPrefix("[8,48,3,") == true && answer?.contains("'/nope'") == true)
    }
  }

  @Test("a ping is answered with a pong")
  func ping() async throws {
    try await withServer { server in
      let client = try await SocketClient.session(to: server.port)
      client.send(0x89, [1, 2, 3])
      let pong = await client.next()
      #expect(pong == .pong)
    }
  }

  @Test("a message in fragments with a ping in between is received as one message")
  func fragments() async throws {
    try await withServer { server in
      let client = try await SocketClient(to: server.port)
      client.send(0x01, Array(#"[1,"re"#.utf8))
      client.send(0x89, [])
      client.send(0x00, Array(#"alm",{"#.utf8))
      client.send(0x80, Array("}]".utf8))
      let pong = await client.next()
      #expect(pong == .pong)
      let welcome = await client.text()
      #expect(welcome?.hasPrefix("[2,") == true)
    }
  }

  @Test("a stopped server sends GOODBYE, closes with 1001, and does not wait long for clients")
  func drain() async throws {
    // Nobody else listens on this port after the end of the server.
    let port = ReservedPort()
    var options = ServerOptions.withLongTimeouts
    options.port = port.number
    options.limits.closeTime = .milliseconds(50)
    let server = try await RunningServer.start(
      options, playing: ScriptedFeed.Feed(script: ScriptedFeed()), logger: noOpLogger)
    let client = try await SocketClient.session(to: server.port)
    let notReading = try await SocketClient.session(to: server.port, reads: false)
    let half = try await RawClient(to: server.port)
    half.send("GET /v2 HT")
    _ = await client.register(ScriptedFeed.topic)
    await server.stop()
    let received = (await client.text(), await client.next(), await client.next(), await half.readToEnd())
    #expect(received.0 == #"[6,{},"wamp.close.system_shutdown"]"#)
    #expect(received.1 == .close(1001, ""))
    #expect(received.2 == .end)
    #expect(received.3 == "")
    #expect(server.metrics.sessions == 0)
    await #expect(throws: (any Error).self) { try await RawClient(to: server.port) }
    withExtendedLifetime((notReading, port)) {}
  }

  @Test("an address that is in use is reported with a remedy")
  func inUse() async throws {
    try await withServer { server in
      var options = ServerOptions()
      options.port = server.port
      let failure = await #expect(throws: ServerError.self) {
        try await RunningServer.start(options, playing: ScriptedFeed.Feed(script: ScriptedFeed()), logger: noOpLogger)
      }
      #expect(
        "\(failure!)"
          == "cannot listen on '127.0.0.1:\(server.port)': the port is in use; choose another, or 0 for any free one")
    }
  }
}
