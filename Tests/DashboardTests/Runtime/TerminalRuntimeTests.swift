import Platform
import TerminalCore
import Testing

@testable import Dashboard

/// The requests of a running board to its terminal, apart from frames.
struct TerminalRuntimeTests {
  private static func light(_ isLight: Bool) -> TerminalEvent {
    .answer(.background(isLight ? .rgb(255, 255, 255) : .rgb(0, 0, 0)))
  }

  @Test(
    "The board repaints when the terminal reports a light background within a second, but not later")
  func themes() async {
    let stage = RuntimeHarness(logsScreen: true)
    await stage.run { stage in
      await stage.said("use dark")
      stage.input.send(Self.light(true))
      await stage.said("use light")
      await stage.said("whole")
      stage.input.advance(by: .milliseconds(1))
      stage.input.send(Self.light(false))
      stage.input.send(.key(.character("T")))
      await stage.said("use high-contrast")
      await stage.said("whole", times: 2)
    }
    let log = stage.log.withLock { $0 }
    #expect(log.first == "answers")
    #expect(
      log.filter { $0.hasPrefix("use") || $0 == "whole" } == [
        "use dark", "use light", "whole", "use high-contrast", "whole",
      ])
  }

  @Test("The title and the terminal queries are sent once, and again after a suspension")
  func title() async {
    let title = #"title("Live - Toteboard")"#
    let stage = RuntimeHarness(logsScreen: true)
    await stage.run { stage in
      await stage.said(title)
      stage.input.send(.key(.character("j")))
      stage.input.send(.suspending)
      await stage.said("stopped")
      stage.input.send(.resumed)
      await stage.said(title, times: 2)
    }
    let log = stage.log.withLock { $0.filter { $0.hasPrefix("title") || $0 == "answers" } }
    #expect(log == ["answers", title, "answers", title])
  }

  @Test("Without a row y copies nothing, and M changes only the mouse reports")
  func keys() async {
    var settings = BoardSettings()
    settings.theme = .monochrome
    let stage = RuntimeHarness(settings: settings, logsScreen: true)
    await stage.run { stage in
      await stage.said("reports 1")
      for key in "yM" { stage.input.send(.key(.character(key))) }
      await stage.said("reports 0")
    }
    let log = stage.log.withLock { $0.filter { $0.hasPrefix("reports") || $0.hasPrefix("copy") } }
    #expect(log == ["reports 1", "reports 0"])
  }
}
