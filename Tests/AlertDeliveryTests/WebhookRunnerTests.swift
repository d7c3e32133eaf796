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
  private struct Bench {
    let clock = ManualClock()
    let server: ScriptedServer
    let runner: WebhookRunner
    private let noted = Locked<[(text: String, match: String)]>([])

    init(
      maxWaiting: Int = 1000, timeout: Duration = .seconds(30),
      _ script: @escaping @Sendable (Int) -> ScriptedServer.Reply
    ) throws {
      server = ScriptedServer(script)
      let address = try WebhookAddress("http://127.0.0.1:\(server.port)/hook/secret?key=1")
      let client = try WebhookClient(address, agent: "test", timeout: timeout)
      runner = WebhookRunner(client, site: address.site, maxWaiting: maxWaiting, clock: clock.clientClock) { [noted] in
        let text = Catalog.english.text($0)
        let match = $1.match
        noted.withLock { $0.append((text, match)) }
      }
    }

    var notes: [(text: String, match: String)] { noted.withLock { $0 } }
    var texts: [String] { notes.map(\.text) }

    /// Waits until the runner pauses, and lets the pause pass. Returns its length.
    func pause() async throws -> Duration {
      try await until { clock.sleepers > 0 }
      let now = clock.clientClock.uptime()
      var length = Duration.zero
      while clock.sleepers > 0 {
        clock.advance(by: .milliseconds(100))
        length = clock.clientClock.uptime() - now
      }
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
    let bench = try Bench { _ in ScriptedServer.answer("204 No Content") }
    let alerts = (0..<5).map { AlertLogEntry.sample("浦和 \"\($0)\" – Köln", "text \($0)") }
    for alert in alerts { bench.runner.run(alert) }
    try await until { bench.server.requests.count == 5 }
    await bench.end()
    #expect(bench.server.requests.map(Self.body) == alerts.map { String(decoding: $0.json, as: UTF8.self) })
    let first = bench.server.requests[0]
    #expect(first.hasPrefix("POST /hook/secret?key=1 HTTP/1.1\r\n"))
    #expect(first.contains("\r\nContent-Type: application/json\r\n") && !first.contains("Origin"))
    #expect(bench.texts == [])
  }

  @Test("An alert is retried with growing pauses after a server error, a broken response or a 429")
  func again() async throws {
    let bench = try Bench { number in
      switch number {
      case 0: ScriptedServer.answer("500 Internal Server Error", body: "no")
      case 1: .bytes("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
      case 2: ScriptedServer.answer("429 Too Many Requests", "Retry-After: 40")
      default: ScriptedServer.answer("200 OK", body: "thanks")
      }
    }
    bench.runner.run(.sample("m", "t"))
    var pauses: [Duration] = []
    for _ in 0..<3 { pauses.append(try await bench.pause()) }
    try await until { bench.server.requests.count == 4 }
    await bench.end()
    #expect(pauses == [.seconds(1), .seconds(4), .seconds(40)])
    #expect(Set(bench.server.requests.map(Self.body)).count == 1)
    #expect(bench.texts == [])
  }

  @Test("Attempts end after the fourth failure, and the log has the reason without the path")
  func failures() async throws {
    let bench = try Bench { number in
      if number < 4 {
        return ScriptedServer.answer("503 Service Unavailable", "Retry-After: 9999", body: "down\u{1B}[2J")
      }
      return number < 8 ? .bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx") : .bytes("hello\r\n\r\n")
    }
    let site = "http://127.0.0.1:\(bench.server.port)/"
    for (count, note) in [
      "not sent in 4 attempts: '\(site)' answered 503 Service Unavailable: down[2J",
      "not sent in 4 attempts: '\(site)' sent an incomplete answer",
      "not sent in 4 attempts: '\(site)' did not answer with HTTP",
    ].enumerated() {
      bench.runner.run(.sample("m", "t"))
      for _ in 0..<3 { #expect(try await bench.pause() <= WebhookRunner.maxPause) }
      try await until { bench.texts.count == count + 1 }
      if count < 2 { #expect(bench.texts.last == note) }
    }
    #expect(bench.server.requests.count == 12)
    #expect(bench.texts.allSatisfy { !$0.contains("secret") })
    await bench.end()
  }

  @Test("Attempts with a silent or an unreachable server end, and the log has the reason")
  func silence() async throws {
    let bench = try Bench(timeout: .milliseconds(100)) { _ in .silence }
    bench.runner.run(.sample("m", "t"))
    for _ in 0..<3 { _ = try await bench.pause() }
    try await until { bench.texts.count == 1 }
    #expect(bench.texts[0].hasPrefix("not sent in 4 attempts: ") && bench.texts[0].contains("did not answer within"))
    bench.server.stop()
    bench.runner.run(.sample("m", "t"))
    for _ in 0..<3 { _ = try await bench.pause() }
    try await until { bench.texts.count == 2 }
    #expect(bench.texts[1].hasPrefix("not sent in 4 attempts: cannot connect to"), "\(bench.texts)")
    await bench.runner.finish()
  }

  @Test("A redirect is not followed, and a refused request is not retried")
  func refusals() async throws {
    let bench = try Bench { number in
      number == 0
        ? ScriptedServer.answer("307 Temporary Redirect", "Location: https://user:pw@evil.example/steal?x=1")
        : ScriptedServer.answer("404 Not Found", body: "no such hook")
    }
    let site = "http://127.0.0.1:\(bench.server.port)/"
    bench.runner.run(.sample("m", "t"))
    bench.runner.run(.sample("m", "t"))
    try await until { bench.texts.count == 2 }
    #expect(
      bench.texts == [
        "not sent in 1 attempt: '\(site)' answered 307 Temporary Redirect and redirects to 'https://evil.example/', which is not followed",
        "not sent in 1 attempt: '\(site)' answered 404 Not Found: no such hook",
      ])
    #expect(bench.server.requests.count == 2)
    await bench.end()
  }

  @Test("The oldest alerts beyond the limit and those that wait too long are dropped and counted in the log")
  func dropped() async throws {
    let gate = DispatchSemaphore(value: 0)
    let bench = try Bench(maxWaiting: 3) { number in
      if number == 0 { gate.wait() }
      return ScriptedServer.answer(number == 5 ? "500 Internal Server Error" : "200 OK")
    }
    func bodies() -> [String] { bench.server.requests.map(Self.body) }
    bench.runner.run(.sample("first", "t"))
    try await until { bench.server.requests.count == 1 }
    for number in 1...8 { bench.runner.run(.sample("match \(number)", "t")) }
    gate.signal()
    try await until { bench.server.requests.count == 4 }
    #expect(zip(bodies(), ["first", "match 6", "match 7", "match 8"]).allSatisfy { $0.contains("\"\($1)\"") })
    #expect(
      bench.texts == [
        "5 alerts were not sent to the web address: they waited too long, too many waited, or the program ended"
      ])
    // An alert that waits too long behind a pause is dropped.
    bench.runner.run(.sample("slow", "t"))
    try await until { bench.server.requests.count == 5 }
    bench.runner.run(.sample("failing", "t"))
    try await until { bench.clock.sleepers == 1 }
    bench.runner.run(.sample("old", "t"))
    bench.clock.advance(by: WebhookRunner.maxAge + .seconds(1))
    try await until { bench.server.requests.count == 7 && bench.notes.count == 2 }
    #expect(bench.notes[1].match == "old")
    #expect(
      bench.notes[1].text
        == "1 alert was not sent to the web address: it waited too long, too many waited, or the program ended")
    bench.runner.run(.sample("new", "t"))
    try await until { bench.server.requests.count == 8 }
    await bench.end()
    #expect(zip(bodies()[4...], ["slow", "failing", "failing", "new"]).allSatisfy { $0.contains("\"\($1)\"") })
    #expect(bench.notes.count == 2)
  }

  @Test("Stopping ends an unanswered request and sends no more")
  func end() async throws {
    let bench = try Bench { _ in .silence }
    bench.runner.run(.sample("m", "t"))
    try await until { bench.server.requests.count == 1 }
    for match in ["waiting", "last"] { bench.runner.run(.sample(match, "t")) }
    await bench.end()
    bench.runner.run(.sample("m", "t"))
    #expect(bench.server.requests.count == 1)
    #expect(bench.notes.map(\.match) == ["m", "last"], "\(bench.texts)")
    #expect(bench.texts.last?.hasPrefix("2 alerts were not sent") ?? false)
  }
}
