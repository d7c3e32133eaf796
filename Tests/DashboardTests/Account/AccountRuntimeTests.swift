import Platform
import TerminalCore
import Testing

@testable import Dashboard

/// The account while the process is stopped, and the terminal's input modes.
struct AccountRuntimeTests {
  @Test("The account suspends before the process stops and resumes when the process continues")
  func suspends() async {
    let harness = RuntimeHarness()
    await harness.run { harness in
      harness.input.send(.suspending)
      await harness.waitFor("stopped")
      harness.input.send(.resumed)
      await harness.waitFor("resume")
    }
    #expect(harness.log.withLock { $0 } == ["start", "suspend", "stopped", "resume", "stop"])
  }

  @Test(
    "An account that is slow to suspend delays the stop by at most half a second, and no key is lost")
  func suspendsSlowly() async {
    let harness = RuntimeHarness(isSlow: true)
    await harness.run { harness in
      harness.input.send(.suspending)
      await harness.waitFor("suspend")
      harness.input.send(.key(.character("X")))
      #expect(harness.log.withLock { !$0.contains("stopped") })
      harness.input.advance(by: .milliseconds(500))
      await harness.waitFor("stopped")
      harness.input.send(.resumed)
      await harness.waitFor("resume")
    }
    #expect(harness.log.withLock { $0 } == ["start", "suspend", "stopped", "end", "resume", "stop"])
  }

  @Test("Suspensions and resumptions reach the account in the order in which they happen")
  func order() async {
    let harness = RuntimeHarness()
    let turns = 500
    await harness.run { harness in
      harness.input.send(.suspending)
      for turn in 1..<turns {
        await harness.waitFor("stopped", times: turn)
        harness.input.send(.resumed)
        harness.input.send(.suspending)
      }
      await harness.waitFor("stopped", times: turns)
      harness.input.send(.resumed)
      await harness.waitFor("resume", times: turns)
    }
    let calls = harness.log.withLock { $0.filter { $0 == "suspend" || $0 == "resume" } }
    #expect(calls == (0..<turns).flatMap { _ in ["suspend", "resume"] })
  }

  @Test("Reconnecting the feed also retries the account")
  func retries() async {
    let harness = RuntimeHarness(canReconnect: true)
    await harness.run { harness in
      harness.input.send(.key(.character("r")))
      await harness.waitFor("retry")
    }
    #expect(harness.log.withLock { $0 } == ["start", "retry", "stop"])
  }

  @Test("Input modes are set once and again after a stop, with paste only while a text field is open")
  func reports() async {
    let harness = RuntimeHarness(settings: BoardSettings())
    await harness.run { harness in
      harness.account.change(to: .live().ended())
      await harness.waitFor("reports 1")
      harness.input.send(.suspending)
      await harness.waitFor("stopped")
      harness.input.send(.resumed)
      await harness.waitFor("reports 1", times: 2)
      harness.input.send(.mouse(MousePress(row: 0, column: 0)))
      harness.input.advance(by: BoardAccount.inputGuardInterval)
      harness.input.send(.key(.tab))
      harness.input.send(.key(.enter))
      await harness.waitFor("reports 3")
      harness.input.send(.key(.escape))
      await harness.waitFor("reports 1", times: 3)
    }
    let reports = harness.log.withLock { $0.filter { $0.hasPrefix("reports") } }
    #expect(reports == ["reports 1", "reports 1", "reports 3", "reports 1"])
  }
}
