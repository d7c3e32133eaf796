import TerminalCore
import Testing

@testable import Dashboard

/// The requests of a running board to its terminal, apart from frames.
@Suite(.timeLimit(.minutes(45)))
struct TerminalRuntimeTests {
  private static func light(_ isLight: Bool) -> TerminalEvent {
    .answer(.background(isLight ? .rgb(255, 255, 255) : .rgb(0, 0, 0)))
  }

  @Test(
    "The board repaints when the terminal reports a light background within a second, but not later")
  func themes() async throws {
    let harness = RuntimeHarness(logsScreen: true)
    try await harness.run { harness in
      try await harness.waitFor("use dark")
      harness.input.send(Self.light(true))
      try await harness.waitFor("use light")
      try await harness.waitFor("whole")
      harness.input.advance(by: .milliseconds(1))
      harness.input.send(Self.light(false))
      harness.input.send(.key(.character("T")))
      try await harness.waitFor("use high-contrast")
      try await harness.waitFor("whole", times: 2)
    }
    let log = harness.log
    #expect(log.first == "answers")
    #expect(
      log.filter { $0.hasPrefix("use") || $0 == "whole" } == [
        "use dark", "use light", "whole", "use high-contrast", "whole",
      ])
  }

  @Test("The title and the terminal queries are sent once, and again after a suspension")
  func title() async throws {
    let title = #"title("Live - Toteboard")"#
    let harness = RuntimeHarness(logsScreen: true)
    try await harness.run { harness in
      try await harness.waitFor(title)
      harness.input.send(.key(.character("j")))
      harness.input.send(.suspending)
      try await harness.waitFor("stopped")
      harness.input.send(.resumed)
      try await harness.waitFor(title, times: 2)
    }
    let log = harness.log.filter { $0.hasPrefix("title") || $0 == "answers" }
    #expect(log == ["answers", title, "answers", title])
  }

  @Test("Without a row y copies nothing, and M changes only the mouse reports")
  func keys() async throws {
    var settings = BoardSettings()
    settings.theme = .monochrome
    let harness = RuntimeHarness(settings: settings, logsScreen: true)
    try await harness.run { harness in
      try await harness.waitFor("reports 1")
      for key in "yM" { harness.input.send(.key(.character(key))) }
      try await harness.waitFor("reports 0")
    }
    let log = harness.log.filter { $0.hasPrefix("reports") || $0.hasPrefix("copy") }
    #expect(log == ["reports 1", "reports 0"])
  }
}
