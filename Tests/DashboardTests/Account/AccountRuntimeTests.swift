import TerminalCore
import Testing

@testable import Dashboard

/// The account while the process is stopped, and the terminal's input modes.
@Suite(.timeLimit(.minutes(45)))
struct AccountRuntimeTests {
  @Test("The account suspends before the process stops and resumes when the process continues")
  func suspends() async throws {
    let harness = RuntimeHarness()
    try await harness.run { harness in
      harness.input.send(.suspending)
      try await harness.waitFor("stopped")
      harness.input.send(.resumed)
      try await harness.waitFor("resume")
    }
    #expect(harness.log == ["start", "suspend", "stopped", "resume", "stop"])
  }

  @Test(
    "An account that is slow to suspend delays the stop by at most half a second, and no key is lost")
  func suspendsSlowly() async throws {
    let harness = RuntimeHarness(isSlow: true)
    try await harness.run { harness in
      harness.input.send(.suspending)
      try await harness.waitFor("suspend")
      harness.input.send(.key(.character("X")))
      #expect(!harness.log.contains("stopped"))
      harness.input.advance(by: .milliseconds(500))
      try await harness.waitFor("stopped")
      harness.input.send(.resumed)
      try await harness.waitFor("resume")
    }
    #expect(harness.log == ["start", "suspend", "stopped", "end", "resume", "stop"])
  }

  @Test("Suspensions and resumptions reach the account in the order in which they happen")
  func order() async throws {
    let harness = RuntimeHarness()
    let turns = 500
    try await harness.run { harness in
      harness.input.send(.suspending)
      for turn in 1..<turns {
        try await harness.waitFor("stopped", times: turn)
        harness.input.send(.resumed)
        harness.input.send(.suspending)
      }
      try await harness.waitFor("stopped", times: turns)
      harness.input.send(.resumed)
      try await harness.waitFor("resume", times: turns)
    }
    let calls = harness.log.filter { $0 == "suspend" || $0 == "resume" }
    #expect(calls == (0..<turns).flatMap { _ in ["suspend", "resume"] })
  }

  @Test("Reconnecting the feed also retries the account")
  func retries() async throws {
    let harness = RuntimeHarness(canReconnect: true)
    try await harness.run { harness in
      harness.input.send(.key(.character("r")))
      try await harness.waitFor("retry")
    }
    #expect(harness.log == ["start", "retry", "stop"])
  }

  @Test("Input modes are set once and again after a stop, with paste only while a text field is open")
  func reports() async throws {
    let harness = RuntimeHarness(settings: BoardSettings())
    try await harness.run { harness in
      harness.account.change(to: .live().ended())
      try await harness.waitFor("reports 1")
      harness.input.send(.suspending)
      try await harness.waitFor("stopped")
      harness.input.send(.resumed)
      try await harness.waitFor("reports 1", times: 2)
      harness.input.send(.mouse(MousePress(row: 0, column: 0)))
      harness.input.advance(by: BoardAccount.inputGuardInterval)
      harness.input.send(.key(.tab))
      harness.input.send(.key(.enter))
      try await harness.waitFor("reports 3")
      harness.input.send(.key(.escape))
      try await harness.waitFor("reports 1", times: 3)
    }
    let reports = harness.log.filter { $0.hasPrefix("reports") }
    #expect(reports == ["reports 1", "reports 1", "reports 3", "reports 1"])
  }
}
