import AccountModel
import Logging
import Platform
import TestSupport
import Testing

@testable import AccountClient

// The log, and the resources after the end.
extension AccountClientTests {
  @Test("The log has all steps of a session, but no token, password or full user name")
  func trail() async throws {
    let (client, recorder) = try await live(isStored: true)
    for stream in server.openStreams {
      stream.send(#"{"type":"NEWS\u001b[2J"}"#)
      stream.send(#"{"type":"BALANCE_UPDATE"}"#)
    }
    server.sendPosting(1, real: "1")
    server.sendPosting(1, real: "1")
    server.expireSessions("Kicked", code: 2)
    try await recorder.waitFor { $0.isEnded }
    await client.stop()
    let lines = log.lines
    for part in [
      "logging in as 'al…'", "logged in as 'al…'", "attempt 1 to open the stream", "the wallet has arrived",
      "the stream is open",
      "the unknown type 'NEWS[2J', ignored", "'BALANCE_UPDATE' has no valid 'operationType'", "debit, posting '1'",
      "posting '1' once more",
      "the session is over: kicked", "logging out: the token is deleted", "the stream is closed",
    ] {
      #expect(lines.contains { $0.contains(part) }, "\(part)")
    }
    #expect(lines.allSatisfy { $0.hasPrefix("account: ") })
    #expect(!lines.contains { $0.contains("sEcrEt") || $0.contains("pw") || $0.contains("alice") })
    #expect(!"\(client.tokens)".contains("sEcrEt"))
  }

  @Test("A thousand rounds of login, stream and session end leak no stream and no task")
  func rounds() async throws {
    let client = try client()
    let recorder = StatusRecorder(client)
    var streams: [ScriptedAccountServer.WeakStream] = []
    for round in 0..<1000 {
      await client.logIn(user: "alice", password: Self.password)?.value
      try await recorder.waitFor { $0.isLive }
      streams += server.openStreams.map { ScriptedAccountServer.WeakStream(stream: $0) }
      server.sendPosting(round, real: "\(round)")
      try await recorder.waitFor { $0.postings.count == 1 }
      server.expireSessions()
      try await recorder.waitFor { $0.isEnded }
      await client.logOut()?.value
      #expect(server.openStreams.isEmpty && clock.sleepers <= 2)
      _ = client.statuses()
    }
    await client.stop()
    #expect(server.state.withLock { $0.opened } == 1000 && streams.count == 1000)
    while !Task.isCancelled, clock.sleepers > 0 || streams.contains(where: { $0.stream != nil }) { await Task.yield() }
  }
}

/// Collects the lines of the log, each prefixed with its category.
final class AccountLogRecorder: Sendable {
  private let list = Locked<[String]>([])

  var lines: [String] { list.withLock { $0 } }

  var logger: Logger {
    var logger = Logger(label: "test") { _ in Handler(lines: self) }
    logger.logLevel = .trace
    return logger
  }

  private struct Handler: LogHandler {
    let lines: AccountLogRecorder
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.list.withLock { $0.append("\(metadata["category"] ?? "none"): \(event.message)") }
    }
  }
}
