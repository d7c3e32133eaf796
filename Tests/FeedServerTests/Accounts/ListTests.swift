import AccountModel
import EveryMatrix
import FeedSimulator
import NIOCore
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

@Suite("The lists over REST", .timeLimit(.minutes(45)))
struct ListTests {
  private let query = "?topic=\(ScriptedFeed.topic)"

  @Test("matches and odds have the JSON shapes of REST.md; a price that is not bettable is null")
  func shapes() async throws {
    let dump = FeedText.dump(
      FeedText.football(200, "Ajax - Porto", odds: ["2.45", "3.1", "2.9"]),
      FeedText.football(100, "A \\\"B\\\" - C", start: 1_750_752_000_500)
    )
    .replacing(#""statusId":"1","odds":3.1"#, with: #""statusId":"7","odds":3.1"#)
    try await withServer(ScriptedFeed(dump: dump)) { server in
      let matches = try await HTTPResponse(server.port, "/api/matches\(query)")
      #expect(matches.status == 200)
      #expect(matches["content-type"] == "application/json; charset=utf-8")
      #expect(
        matches.text == """
          [{"matchID":"200","teamA":"Ajax","teamB":"Porto","startTime":"2025-06-24T08:00:00Z"},\
          {"matchID":"100","teamA":"A \\"B\\"","teamB":"C","startTime":"2025-06-24T08:00:00.500Z"}]
          """)
      let odds = try await HTTPResponse(server.port, "/api/odds\(query)")
      #expect(
        odds.text == """
          [{"matchID":"200","teamAOdds":2.45,"teamBOdds":2.90,"drawOdds":null},\
          {"matchID":"100","teamAOdds":2.45,"teamBOdds":2.90,"drawOdds":null}]
          """)
    }
  }

  @Test("a match that is over has no prices, even if its offers remain")
  func over() {
    let dump = FeedText.dump(FeedText.football().replacing(#""statusId":"2""#, with: #""statusId":"3""#))
    let odds = RESTSnapshot(dump: ByteBuffer(string: dump)).odds
    #expect(String(buffer: odds) == #"[{"matchID":"100","teamAOdds":null,"teamBOdds":null,"drawOdds":null}]"#)
  }

  @Test("HEAD is answered like GET, without a body", arguments: ["/healthz", "/metrics", "/api/odds", "/api/matches"])
  func head(path: String) async throws {
    try await withServer(try ManualBookFeed()) { server in
      let topic = Topic.aggregator(.popular, matches: 10)
      let path = path.hasPrefix("/api") ? "\(path)?topic=\(topic.path)" : path
      let get = try await HTTPResponse(server.port, path)
      let client = try await RawClient(to: server.port)
      client.send("HEAD \(path) HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n")
      let head = (await client.readToEnd()).lowercased()
      #expect(head.hasPrefix("http/1.1 200 ") && head.hasSuffix("\r\n\r\n"))
      #expect(head.contains("content-type: \(try #require(get["content-type"]).lowercased())\r\n"))
      if path != "/metrics" { #expect(head.contains("content-length: \(get.body.count)\r\n")) }
    }
  }

  @Test("both lists have the same ETag and version; a matching tag gets 304, and a change gets a new tag")
  func tags() async throws {
    let script = ScriptedFeed()
    try await withServer(script) { server in
      let client = try await SocketClient.session(to: server.port)
      _ = await client.register(ScriptedFeed.topic)
      let (matches, odds) = (
        try await HTTPResponse(server.port, "/api/matches\(query)"),
        try await HTTPResponse(server.port, "/api/odds\(query)")
      )
      let tag = try #require(matches["etag"])
      #expect(odds["etag"] == tag)
      #expect(odds["x-feed-version"] == "1750752646168" && matches["x-feed-version"] == "1750752646168")
      for names in [tag, "\"x\", \(tag)", "*", String(tag.dropFirst(2))] {
        let same = try await HTTPResponse(server.port, "/api/odds\(query)", ["If-None-Match: \(names)"])
        #expect(same.status == 304 && same.body.isEmpty && same["etag"] == tag)
      }
      script.schedule(
        FeedText.update(FeedText.odds(121, "9.5")), dump: FeedText.dump(FeedText.football(odds: ["9.5", "3.1", "2.9"])))
      server.feed.tick()
      let other = try await HTTPResponse(server.port, "/api/odds\(query)", ["If-None-Match: \(tag)"])
      #expect(other.status == 200 && other["etag"] != tag && other.text.contains(#""teamAOdds":9.50"#))
    }
  }

  @Test("without a topic, the lists have the popular matches, with the same values as the WebSocket dump")
  func agreement() async throws {
    try await withServer(try ManualBookFeed()) { server in
      let client = try await SocketClient.session(to: server.port)
      _ = await client.register(FeedRoutes.usualTopic)
      for tick in 1...20 as ClosedRange<UInt64> { server.feed.tick(uptime: tick * 500_000_000) }
      let (matches, odds) = (
        try await HTTPResponse(server.port, "/api/matches"), try await HTTPResponse(server.port, "/api/odds")
      )
      #expect(matches["content-location"] == "/api/matches?topic=\(FeedRoutes.usualTopic)")
      var replica = FeedReplica()
      _ = await client.dump(of: FeedRoutes.usualTopic, &replica)
      #expect(replica.matches.count == 20)
      for match in replica.matches {
        #expect(matches.text.contains(#"{"matchID":"\#(match.id)","teamA":"\#(match.labels.home)""#))
        let outcomes = try #require(match.mainMarket).outcomes
        let home = outcomes.first { $0.key == "home" }.flatMap { $0.isBettable ? $0.offer?.odds?.description : nil }
        #expect(odds.text.contains(#"{"matchID":"\#(match.id)","teamAOdds":\#(home ?? "null"),"#))
        let line = odds.text.split(separator: "}").first { $0.contains("\"\(match.id)\"") }
        #expect(line?.contains("drawOdds") == outcomes.contains { $0.key == "draw" })
      }
    }
  }

  @Test("gzip is used if the client accepts it", arguments: ["gzip", "deflate, gzip, br", "br;q=1, gzip;q=0.5"])
  func gzip(_ accepted: String) async throws {
    try await withServer(try ManualBookFeed()) { server in
      let plain = try await HTTPResponse(server.port, "/api/matches")
      let packed = try await HTTPResponse(server.port, "/api/matches", ["Accept-Encoding: \(accepted)"])
      #expect(plain["content-encoding"] == nil)
      #expect(packed["content-encoding"] == "gzip" && packed["vary"] == "Accept-Encoding")
      #expect(packed.body.starts(with: [0x1F, 0x8B]) && packed.body.count * 2 < plain.body.count)
      #expect(packed["etag"] == plain["etag"])
    }
  }

  @Test("an unknown topic gets 404 with an error in JSON")
  func unknown() async throws {
    try await withServer { server in
      let answer = try await HTTPResponse(server.port, "/api/odds?topic=/a%22b")
      #expect(answer.status == 404)
      #expect(answer.text == #"{"error":"topic '/a\"b' is unknown","remedy":"use a topic of the feed"}"#)
      #expect(try await HTTPResponse(server.port, "/api/nothing").status == 404)
    }
  }

  @Test("a method that a path does not support gets 405 with the allowed methods")
  func methods() async throws {
    try await AccountServer.with { server in
      let requests = [
        ("POST", "/api/odds", "GET, HEAD"), ("DELETE", "/healthz", "GET, HEAD"), ("PUT", "/metrics", "GET, HEAD"),
        ("GET", AccountPath.login, "POST"), ("POST", AccountPath.wallet(of: "1"), "GET, HEAD"),
      ]
      for (method, path, allowed) in requests {
        let client = try await RawClient(to: server.port)
        client.send("\(method) \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        let answer = await client.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 405 "), "\(method) \(path): \(answer)")
        #expect(answer.lowercased().contains("\r\nallow: \(allowed.lowercased())\r\n"), "\(answer)")
      }
    }
  }

  @Test("health, readiness and metrics report the state of the server")
  func health() async throws {
    try await withServer { server in
      let client = try await SocketClient.session(to: server.port)
      _ = await client.register(ScriptedFeed.topic)
      let health = try await HTTPResponse(server.port, "/healthz")
      #expect(health.status == 200 && health.text == "ok\n")
      let metrics = try await HTTPResponse(server.port, "/metrics").text
      #expect(metrics.contains("# TYPE toteboard_sessions gauge\ntoteboard_sessions 1\n"))
      #expect(metrics.contains("\ntoteboard_topics 1\n"))
      server.metrics.drain()
      let late = try await HTTPResponse(server.port, "/readyz")
      #expect(late.status == 503 && late.text == "draining\n")
      // A process that shuts down is alive and must not be restarted.
      #expect(try await HTTPResponse(server.port, "/healthz").status == 200)
    }
  }
}
