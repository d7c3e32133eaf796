import EveryMatrix
import NIOCore
import OddsFeed
import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedNetwork

@Suite("The REST interface", .timeLimit(.minutes(45)))
struct RestTests {
  private static let topic = Topic.aggregator(.popular, matches: 100)
  private static let other = Topic(path: "/sports/1/en/é&x=y")

  private static let matches = #"""
    [{"matchID":"1","teamA":"Köln","teamB":"浦和","startTime":"2025-06-06T16:00:00Z","venue":{"id":7}},
     {"matchID":2,"teamA":"A","teamB":"B","startTime":"2025-06-06T16:00:00.250Z"},
     {"matchID":"3","teamA":"C","teamB":"D","startTime":"soon"}, {"matchID":"4"}, 7, null]
    """#
  private static let odds = #"""
    [{"matchID":"1","teamAOdds":2.45,"drawOdds":3.2,"teamBOdds":1.0000001},
     {"matchID":2,"teamAOdds":1000000,"teamBOdds":null,"drawOdds":null}, {"matchID":"3","teamAOdds":0.5}]
    """#

  /// Returns the answer to a request; nil if there is none.
  private typealias Answers = @Sendable (_ target: String, _ fields: [String]) -> [UInt8]?

  private static func answer(_ status: String, _ fields: [String] = [], body: [UInt8] = []) -> [UInt8] {
    let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + fields + ["", ""]
    return Array(head.joined(separator: "\r\n").utf8) + body
  }

  private static func lists(_ target: String) -> [UInt8] {
    Array((target.hasPrefix("/api/matches?") ? matches : odds).utf8)
  }

  /// Runs `body` with a client of a server that gives these answers.
  private static func served<Result>(
    _ client: TestClient = TestClient(), by answers: @escaping Answers, _ body: (RestClient) async throws -> Result
  ) async throws -> Result {
    try await PeerServer.run { peer in
      let lines = try await peer.request()
      let parts = lines.first?.split(separator: " ") ?? []
      guard parts.count == 3 else { return }
      if let answer = answers(String(parts[1]), Array(lines.dropFirst())) { try await peer.send(answer) }
      try await peer.end()
    } with: {
      try await client.api(at: $0.port, body)
    }
  }

  @Test("Both lists become rows, and invalid matches and prices are counted as rejected")
  func rows() async throws {
    let requests = EventRecorder<[String]>()
    let snapshot = try await Self.served(TestClient(token: "abc")) { target, fields in
      requests.add([target] + fields)
      return Self.answer("200 OK", body: Self.lists(target))
    } _: {
      try await $0.snapshot(of: Self.topic)
    }
    let rows = try #require(snapshot?.rows)
    #expect(snapshot?.rejected == 4)
    #expect(
      rows == [
        .init(
          matchID: "1", home: "Köln", away: "浦和", startTime: 1_749_225_600_000,
          homeOdds: DecimalOdds(units: 24_500_000),
          drawOdds: DecimalOdds(units: 32_000_000), awayOdds: DecimalOdds(units: 10_000_001), hasDraw: true),
        .init(
          matchID: "2", home: "A", away: "B", startTime: 1_749_225_600_250,
          homeOdds: DecimalOdds(units: 10_000_000_000_000), hasDraw: true),
        .init(matchID: "3", home: "C", away: "D", hasDraw: false),
      ])
    let path =
      "%2Fsports%2F1%2Fen%2Fpopular-matches-aggregator-main%2Fall-sports%2Fall-locations%2Fdefault-event-info%2F"
    #expect(
      Set(requests.elements.map { $0[0] }) == ["/api/matches?topic=\(path)100%2F3", "/api/odds?topic=\(path)100%2F3"])
    #expect(
      requests.elements.allSatisfy { $0.contains("Authorization: Bearer abc") && $0.contains("Accept-Encoding: gzip") })
  }

  @Test("An answer applies to the topic in Content-Location, or without one to the default topic")
  func topics() async throws {
    for (location, topic, counts) in [
      (nil, Self.topic, true), (nil, Self.other, false), (nil, .aggregator(.live, matches: 100), false),
      ("/api/x?topic=%2Fsports%2F1%2Fen%2F%C3%A9%26x%3Dy", Self.other, true),
      ("/api/x?topic=%2Fsports", Self.other, false),
      ("/api/x", Self.topic, false), ("/api/x?topic=%zz", Self.other, false),
    ] as [(String?, Topic, Bool)] {
      let snapshot = try await Self.served { target, _ in
        Self.answer("200 OK", location.map { ["Content-Location: \($0)"] } ?? [], body: Self.lists(target))
      } _: {
        try await $0.snapshot(of: topic)
      }
      #expect((snapshot != nil) == counts, "\(location ?? "nothing") for \(topic)")
    }
  }

  @Test("A list that has not changed is not sent again")
  func unchanged() async throws {
    let tags = EventRecorder<String?>()
    try await Self.served { target, fields in
      let tag = fields.first { $0.hasPrefix("If-None-Match: ") }
      tags.add(tag)
      return tag == nil
        ? Self.answer("200 OK", [#"ETag: "7""#], body: Self.lists(target))
        : Array("HTTP/1.1 304 Not Modified\r\n\r\n".utf8)
    } _: { api in
      let first = try await api.snapshot(of: Self.topic)
      #expect(try await api.snapshot(of: Self.topic) == first)
      #expect(first != nil)
    }
    #expect(tags.elements == [nil, nil, #"If-None-Match: "7""#, #"If-None-Match: "7""#])
  }

  @Test("Compressed answers are decompressed up to the size limit")
  func gzip() async throws {
    var limits = NetworkLimits.withLongTimeouts
    limits.bodyBytes = 1 << 20
    let snapshot = try await Self.served(TestClient(limits: limits)) { target, _ in
      Self.answer("200 OK", ["Content-Encoding: gzip"], body: GZip.pack(Self.lists(target)))
    } _: {
      try await $0.snapshot(of: Self.topic)
    }
    #expect(snapshot?.rows.count == 3)
    for packed in [GZip.pack([UInt8](repeating: 32, count: 2 << 20)), Array("no gzip".utf8)] {
      let problem = await Self.problem(TestClient(limits: limits)) { _, _ in
        Self.answer("200 OK", ["Content-Encoding: gzip"], body: packed)
      }
      #expect(problem?.message.contains("decompressed") == true)
    }
    let long = await Self.problem(TestClient(limits: limits)) { _, _ in
      Self.answer("200 OK", body: [UInt8](repeating: 32, count: 2 << 20))
    }
    #expect(long?.message.contains("too large") == true)
  }

  @Test("Each failure is an error with a message and a remedy")
  func problems() async throws {
    for (answer, word) in [
      (Self.answer("401 Unauthorized"), "--token-file"), (Self.answer("403 Forbidden"), "--origin"),
      (Self.answer("404 Not Found"), "has no REST interface"), (Self.answer("503 Busy"), "503"),
      (Self.answer("302 Found", ["Location: /x"]), "302"),
      (Self.answer("200 OK", body: Array("{}".utf8)), "did not send a list"),
      (Self.answer("200 OK", body: Array("[{".utf8)), "did not send a list"),
      (Array("SSH-2.0\r\n\r\n".utf8), "address"),
    ] {
      let problem = await Self.problem(TestClient()) { _, _ in answer }
      #expect("\(problem.map { "\($0)" } ?? "")".contains(word), "\(problem.map { "\($0)" } ?? "none")")
      #expect(problem?.remedy.isEmpty == false)
    }
  }

  @Test("A request without an answer ends at the time limit, and a cancelled one at once")
  func silence() async throws {
    var limits = NetworkLimits.withLongTimeouts
    limits.request = .milliseconds(50)
    for answer in [nil, Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[".utf8)] {
      let problem = await Self.problem(TestClient(limits: limits)) { _, _ in answer }
      #expect(problem?.message.contains("within") == true)
      #expect(problem?.message.contains("REST interface 'http://") == true)
    }
    try await PeerServer.run {
      try await $0.end()
    } with: { server in
      try await TestClient().api(at: server.port) { api in
        let asking = Task { try await api.snapshot(of: Self.topic) }
        await eventually { server.connectionCount > 0 }
        asking.cancel()
        await #expect(throws: FeedError.self) { _ = try await asking.cancellableValue }
      }
    }
  }

  @Test("The server's certificate is checked")
  func certificates() async throws {
    for (certificate, isGood) in [("good", true), ("unknown", false), ("elsewhere", false)] {
      let result = try await PeerServer.run(certificate: certificate) { peer in
        guard let target = try await peer.request().first?.split(separator: " ")[1] else { return }
        try await peer.send(Self.answer("200 OK", body: Self.lists(String(target))))
        try await peer.end()
      } with: { server in
        try await TestClient(host: "localhost", isSecure: true, caFile: Fixture.path("ca.pem")).api(at: server.port) {
          api in
          do throws(FeedError) { return try await api.snapshot(of: Self.topic)?.rows.count } catch { return nil }
        }
      }
      #expect((result == 3) == isGood, "\(certificate)")
    }
  }

  private static func problem(_ client: TestClient, _ answers: @escaping Answers) async -> FeedError? {
    do {
      return try await served(client, by: answers) { api in
        do throws(FeedError) {
          _ = try await api.snapshot(of: topic)
          return nil
        } catch { return error }
      }
    } catch { return nil }
  }
}
