import Dispatch
import FeedNetwork
import Localization
import Platform
import TestSupport
import Testing

@testable import toteboard

/// Sends requests to a real server on loopback. The test's clock controls the pauses.
@Suite("The webhook of alerts", .serialized, .timeLimit(.minutes(45)))
struct WebhookRunnerTests {
  private struct WebhookHarness {
    let clock = ManualClock()
    let server: ScriptedServer
    let runner: WebhookRunner
    private let recorded = Locked<[(text: String, match: String)]>([])

    init(
      path: String = "/hook/secret?key=1", maxWaiting: Int = 1000, timeout: Duration = .seconds(30),
      _ script: @escaping @Sendable (Int) -> ScriptedServer.Reply
    ) throws {
      server = ScriptedServer(script)
      let address = try WebhookAddress("http://127.0.0.1:\(server.port)\(path)")
      let client = try WebhookClient(address, agent: "test", timeout: timeout)
      runner = WebhookRunner(client, site: address.site, maxWaiting: maxWaiting, clock: clock.clientClock) {
        [recorded] in
        let text = Catalog.english.text($0)
        let match = $1.match
        recorded.withLock { $0.append((text, match)) }
      }
    }

    var errors: [(text: String, match: String)] { recorded.withLock { $0 } }
    var errorTexts: [String] { errors.map(\.text) }

    /// Waits until the runner pauses, and lets the pause pass. Returns its length.
    func skipPause() async throws -> Duration {
      var deadlines = clock.deadlines.makeAsyncIterator()
      let end = try #require(await deadlines.next())
      let length = end - clock.clientClock.uptime()
      clock.advance(by: length)
      return length
    }

    func end() async {
      await runner.finish()
      server.stop()
    }
  }

  private static func body(_ request: String) -> String {
    request.firstRange(of: "\r\n\r\n").map { String(request[$0.upperBound...]) } ?? ""
  }

  @Test("Each alert is one request, in order, with the JSON of the log")
  func requests() async throws {
    let harness = try WebhookHarness { _ in ScriptedServer.answer("204 No Content") }
    let alerts = (0..<5).map { AlertLogEntry.sample("浦和 \"\($0)\" – Köln", "text \($0)") }
    for alert in alerts { harness.runner.run(alert) }
    try await waitUntil { harness.server.requests.count >= 5 }
    await harness.end()
    #expect(harness.server.requests.map(Self.body) == alerts.map { String(decoding: $0.json, as: UTF8.self) })
    let first = harness.server.requests[0]
    #expect(first.hasPrefix("POST /hook/secret?key=1 HTTP/1.1\r\n"))
    #expect(first.contains("\r\nContent-Type: application/json\r\n") && !first.contains("Origin"))
    #expect(harness.errorTexts == [])
  }

  @Test("An alert is retried with growing pauses after a server error, a broken response or a 429")
  func again() async throws {
    let harness = try WebhookHarness { number in
      switch number {
      case 0: ScriptedServer.answer("500 Internal Server Error", body: "no")
      case 1: .bytes("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
      case 2: ScriptedServer.answer("429 Too Many Requests", "Retry-After: 40")
      default: ScriptedServer.answer("200 OK", body: "thanks")
      }
    }
    harness.runner.run(.sample("m", "t"))
    var pauses: [Duration] = []
    for _ in 0..<3 { pauses.append(try await harness.skipPause()) }
    try await waitUntil { harness.server.requests.count >= 4 }
    await harness.end()
    #expect(pauses == [.seconds(1), .seconds(4), .seconds(40)])
    #expect(Set(harness.server.requests.map(Self.body)).count == 1)
    #expect(harness.errorTexts == [])
  }

  @Test("Attempts end after the fourth failure, and the log has the reason without the path")
  func failures() async throws {
    let harness = try WebhookHarness { number in
      if number < 4 {
        return ScriptedServer.answer("503 Service Unavailable", "Retry-After: 9999", body: "down\u{1B}[2J")
      }
      return number < 8 ? .bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx") : .bytes("hello\r\n\r\n")
    }
    let site = "http://127.0.0.1:\(harness.server.port)/"
    for (count, note) in [
      "not sent in 4 attempts: '\(site)' answered 503 Service Unavailable: down[2J",
      "not sent in 4 attempts: '\(site)' sent an incomplete answer",
      "not sent in 4 attempts: '\(site)' did not send a valid HTTP answer",
    ].enumerated() {
      harness.runner.run(.sample("m", "t"))
      for _ in 0..<3 { #expect(try await harness.skipPause() <= WebhookRunner.maxPause) }
      try await waitUntil { harness.errorTexts.count >= count + 1 }
      #expect(harness.errorTexts.last == note)
    }
    #expect(harness.server.requests.count == 12)
    #expect(harness.errorTexts.allSatisfy { !$0.contains("secret") })
    await harness.end()
  }

  @Test("Attempts with a silent or an unreachable server end, and the log has the reason")
  func silence() async throws {
    let harness = try WebhookHarness(timeout: .milliseconds(100)) { _ in .silence }
    harness.runner.run(.sample("m", "t"))
    for _ in 0..<3 { _ = try await harness.skipPause() }
    try await waitUntil { harness.errorTexts.count >= 1 }
    #expect(
      harness.errorTexts[0].hasPrefix("not sent in 4 attempts: ")
        && harness.errorTexts[0].contains("did not answer within"))
    harness.server.stop()
    harness.runner.run(.sample("m", "t"))
    for _ in 0..<3 { _ = try await harness.skipPause() }
    try await waitUntil { harness.errorTexts.count >= 2 }
    #expect(harness.errorTexts[1].hasPrefix("not sent in 4 attempts: cannot connect to"), "\(harness.errorTexts)")
    await harness.runner.finish()
  }

  @Test("A redirect is not followed, and a refused request is not retried")
  func refusals() async throws {
    let harness = try WebhookHarness { number in
      number == 0
        ? ScriptedServer.answer("307 Temporary Redirect", "Location: https://user:pw@evil.example/steal?x=1")
        : ScriptedServer.answer("404 Not Found", body: "no such hook")
    }
    let site = "http://127.0.0.1:\(harness.server.port)/"
    harness.runner.run(.sample("m", "t"))
    harness.runner.run(.sample("m", "t"))
    try await waitUntil { harness.errorTexts.count >= 2 }
    #expect(
      harness.errorTexts == [
        "not sent in 1 attempt: '\(site)' answered 307 Temporary Redirect and redirects to 'https://evil.example/', which is not followed",
        "not sent in 1 attempt: '\(site)' answered 404 Not Found: no such hook",
      ])
    #expect(harness.server.requests.count == 2)
    await harness.end()
  }

  @Test(
    "The log has an answer without the path and the query of the URL, also if they are alone or escaped",
    arguments: [
      (#"{"path":"\/hook\/secret"}"#, #"{"path":"/…"}"#), ("no /hook/secret", "no /…"),
      ("no /hook/secret?key=1&to=a/b here", "no /…?… here"), ("bad query key=1&to=a/b", "bad query …"),
      (#"{"uri":"\/hook\/secret?key=1&to=a\/b"}"#, #"{"uri":"/…?…"}"#),
      (#"{"uri":"/hook/secret?key=1\u0026to=a/b"}"#, #"{"uri":"/…?…"}"#),
      ("<p>/hook/secret?key=1&amp;to=a/b</p>", "<p>/…?…</p>"),
      ("\(String(repeating: " ", count: 990))/hook/secret?key=1&to=a/b", "/…?…"),
    ])
  func secrets(body: String, shown: String) async throws {
    let harness = try WebhookHarness(path: "/hook/secret?key=1&to=a/b") { _ in
      ScriptedServer.answer("404 Not Found", body: body)
    }
    harness.runner.run(.sample("m", "t"))
    try await waitUntil { harness.errorTexts.count >= 1 }
    let site = "http://127.0.0.1:\(harness.server.port)/"
    #expect(harness.errorTexts == ["not sent in 1 attempt: '\(site)' answered 404 Not Found: \(shown)"])
    await harness.end()
  }

  @Test("The log has an answer unchanged if the URL has no path", arguments: ["", "/", "/?", "?"])
  func noSecrets(path: String) async throws {
    let harness = try WebhookHarness(path: path) { _ in ScriptedServer.answer("404 Not Found", body: "no a/b or /?") }
    harness.runner.run(.sample("m", "t"))
    try await waitUntil { harness.errorTexts.count >= 1 }
    #expect(harness.errorTexts[0].hasSuffix("answered 404 Not Found: no a/b or /?"))
    await harness.end()
  }

  @Test("The oldest alerts beyond the limit and those that wait too long are dropped and counted in the log")
  func dropped() async throws {
    let gate = DispatchSemaphore(value: 0)
    let harness = try WebhookHarness(maxWaiting: 3) { number in
      if number == 0 { gate.wait() }
      return ScriptedServer.answer(number == 5 ? "500 Internal Server Error" : "200 OK")
    }
    func bodies() -> [String] { harness.server.requests.map(Self.body) }
    harness.runner.run(.sample("first", "t"))
    try await waitUntil { harness.server.requests.count >= 1 }
    for number in 1...8 { harness.runner.run(.sample("match \(number)", "t")) }
    gate.signal()
    try await waitUntil { harness.server.requests.count >= 4 }
    #expect(zip(bodies(), ["first", "match 6", "match 7", "match 8"]).allSatisfy { $0.contains("\"\($1)\"") })
    #expect(
      harness.errorTexts == [
        "5 alerts were not sent to the webhook: they waited too long, too many waited, or the program ended"
      ])
    // An alert that waits too long behind a pause is dropped.
    harness.runner.run(.sample("slow", "t"))
    try await waitUntil { harness.server.requests.count >= 5 }
    harness.runner.run(.sample("failing", "t"))
    try await waitUntil { harness.clock.sleepers >= 1 }
    harness.runner.run(.sample("old", "t"))
    harness.clock.advance(by: WebhookRunner.maxAge + .seconds(1))
    try await waitUntil { harness.server.requests.count >= 7 && harness.errors.count >= 2 }
    #expect(harness.errors[1].match == "old")
    #expect(
      harness.errors[1].text
        == "1 alert was not sent to the webhook: it waited too long, too many waited, or the program ended")
    harness.runner.run(.sample("new", "t"))
    try await waitUntil { harness.server.requests.count >= 8 }
    await harness.end()
    #expect(zip(bodies()[4...], ["slow", "failing", "failing", "new"]).allSatisfy { $0.contains("\"\($1)\"") })
    #expect(harness.errors.count == 2)
  }

  @Test("Stopping ends an unanswered request and sends no more")
  func end() async throws {
    let harness = try WebhookHarness { _ in .silence }
    harness.runner.run(.sample("m", "t"))
    try await waitUntil { harness.server.requests.count >= 1 }
    for match in ["waiting", "last"] { harness.runner.run(.sample(match, "t")) }
    await harness.end()
    harness.runner.run(.sample("m", "t"))
    #expect(harness.server.requests.count == 1)
    #expect(harness.errors.map(\.match) == ["m", "last"], "\(harness.errorTexts)")
    #expect(harness.errorTexts.last?.hasPrefix("2 alerts were not sent") ?? false)
  }
}
