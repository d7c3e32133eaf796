import AccountModel
import EveryMatrix
import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import FeedNetwork

@Suite("Connections to a feed with two addresses", .timeLimit(.minutes(45)))
struct FailoverTests {
  /// The requests to one server, by the path without its query.
  private typealias RequestRecorder = EventRecorder<(path: String, fields: [String])>

  /// Answers each request with that status.
  private static func script(_ requests: RequestRecorder, _ status: String) -> PeerServer.Script {
    { peer in
      let lines = try await peer.request()
      guard let first = lines.first else { return }
      let path = first.split(separator: " ")[1].prefix { $0 != "?" }
      let fields = lines.filter { line in
        ["Host:", "Origin:", "Authorization:"].contains { line.hasPrefix($0) }
      }
      requests.add((String(path), fields.sorted()))
      // The second server leaves the request for a WebSocket unanswered.
      if path == "/v2", status.hasPrefix("404") { return try await peer.end() }
      try await peer.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
      try await peer.end()
    }
  }

  @Test("REST and the account service follow the WebSocket, each with the headers and the token for the address in use")
  func follow() async throws {
    let (first, second) = (RequestRecorder(), RequestRecorder())
    try await PeerServer.run(Self.script(first, "503 Busy")) { one in
      try await PeerServer.run(Self.script(second, "404 Not Found")) { two in
        let list = try FeedAddressList("ws://127.0.0.1:\(one.port),ws://127.0.0.1:\(two.port)")
        let token = try Secret(token: "abc", from: "the test")
        let feed = try FeedConnections(
          FeedEndpoint.endpoints(of: list, token: token), agent: "test/1", limits: .withLongTimeouts)
        // The clock does not advance, so that the session keeps the second address until the end of the test.
        let session = feed.session(realms: ["one", "two"], clock: ManualClock(chance: 0).clientClock)
        let topic = Topic.aggregator(.popular, matches: 100)
        #expect(session.currentAddress == 0)
        await #expect(throws: FeedError.self) { try await feed.api.snapshot(of: topic) }
        _ = await session.connect()
        try await second.wait { $0.path == "/v2" }
        #expect(session.currentAddress == 1)
        await #expect(throws: FeedError.self) { try await feed.api.snapshot(of: topic) }
        feed.setTokenSource { Secret("of the account") }
        let answer = try await feed.account.ask(AccountRequest(.get, "/api/wallet", token: Secret("of the account")))
        #expect(answer.status == 404)
        await session.disconnect()
        await feed.shutDown()
        // The error of one list ends the request for the other, which may not have been sent.
        let lists: Set = ["/api/matches", "/api/odds"]
        let (atFirst, atSecond) = (Set(first.elements.map(\.path)), Set(second.elements.map(\.path)))
        #expect(!atFirst.isDisjoint(with: lists) && atFirst.subtracting(lists) == ["/v2"])
        #expect(first.elements.count { $0.path == "/v2" } == 1)
        #expect(!atSecond.isDisjoint(with: lists) && atSecond.subtracting(lists) == ["/v2", "/api/wallet"])
        for (requests, port) in [(first, one.port), (second, two.port)] {
          for (path, fields) in requests.elements {
            let token = path == "/api/wallet" ? "of the account" : "abc"
            #expect(
              fields == [
                "Authorization: Bearer \(token)", "Host: 127.0.0.1:\(port)", "Origin: http://127.0.0.1:\(port)",
              ], "\(path)")
          }
        }
      }
    }
  }
}
