import Platform
import TerminalCore
import Testing

@testable import Dashboard

/// The account while the process is stopped, and the terminal's input modes.
struct AccountRuntimeTests {
  @Test("The account suspends before the process stops and resumes when the process continues")
  func suspends() async {
    let stage = RuntimeHarness()
    await stage.run { stage in
      stage.input.send(.suspending)
      await stage.said("stopped")
      stage.input.send(.resumed)
      await stage.said("resume")
    }
    #expect(stage.log.withLock { $0 } == ["start", "suspend", "stopped", "resume", "stop"])
  }

  @Test(
    "An account that is slow to suspend delays the stop by at most half a second, and no key is lost")
  func suspendsSlowly() async {
    let stage = RuntimeHarness(isSlow: true)
    await stage.run { stage in
      stage.input.send(.suspending)
      await stage.said("suspend")
      stage.input.send(.key(.character("X")))
      #expect(stage.log.withLock { !$0.contains("stopped") })
      stage.input.advance(by: .milliseconds(500))
      await stage.said("stopped")
      stage.input.send(.resumed)
      await stage.said("resume")
    }
    #expect(stage.log.withLock { $0 } == ["start", "suspend", "stopped", "end", "resume", "stop"])
  }

  @Test("Suspensions and resumptions reach the account in the order in which they happen")
  func order() async {
    let stage = RuntimeHarness()
    let turns = 500
    await stage.run { stage in
      stage.input.send(.suspending)
      for turn in 1..<turns {
        await stage.said("stopped", times: turn)
        stage.input.send(.resumed)
        stage.input.send(.suspending)
      }
      await stage.said("stopped", times: turns)
      stage.input.send(.resumed)
      await stage.said("resume", times: turns)
    }
    let calls = stage.log.withLock { $0.filter { $0 == "suspend" || $0 == "resume" } }
    #expect(calls == (0..<turns).flatMap { _ in ["suspend", "resume"] })
  }

  @Test("Reconnecting the feed also retries the account")
  func retries() async {
    let stage = RuntimeHarness(canReconnect: true)
    await stage.run { stage in
      stage.input.send(.key(.character("r")))
      await stage.said("retry")
    }
    #expect(stage.log.withLock { $0 } == ["start", "retry", "stop"])
  }

  @Test("Input modes are set once and again after a stop, with paste only while a text field is open")
  func reports() async {
    let stage = RuntimeHarness(settings: BoardSettings())
    await stage.run { stage in
      stage.account.become(.live().ended())
      await stage.said("reports 1")
      stage.input.send(.suspending)
      await stage.said("stopped")
      stage.input.send(.resumed)
      await stage.said("reports 1", times: 2)
      stage.input.send(.mouse(MousePress(row: 0, column: 0)))
      stage.input.advance(by: BoardAccount.inputGuardInterval)
      stage.input.send(.key(.tab))
      stage.input.send(.key(.enter))
      await stage.said("reports 3")
      stage.input.send(.key(.escape))
      await stage.said("reports 1", times: 3)
    }
    let reports = stage.log.withLock { $0.filter { $0.hasPrefix("reports") } }
    #expect(reports == ["reports 1", "reports 1", "reports 3", "reports 1"])
  }
}
