import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

@Suite("User settings")
struct SettingsTests {
  private var board = Board()

  private func changed(_ change: (inout BoardSettings) -> Void) -> BoardSettings {
    var settings = board.state.configured
    change(&settings)
    return settings
  }

  @Test("A new configuration applies what differs from the last one, and keeps what keys have changed")
  mutating func difference() {
    board.state.settings.odds = .american
    board.type("t")
    let throttle = board.state.list.throttle.interval
    let light = changed { $0.theme = Theme.light }
    _ = board.state.reduce(.settingsChanged(light), now: board.now)
    #expect(board.state.settings.theme.name == "light" && board.state.settings.odds == .american)
    #expect(board.state.list.throttle.interval == throttle)
    let more = changed {
      ($0.odds, $0.throttle, $0.usesMouse) = (.malay, .seconds(1), false)
      $0.order.key = .mover
    }
    _ = board.state.reduce(.settingsChanged(more), now: board.now)
    #expect(board.state.settings == more && board.state.list.throttle.interval == .seconds(1))
  }

  @Test("When the channels change, the open one stays open if it is still there; otherwise the first opens")
  mutating func channels() {
    let old = board.state.channels
    board.type("3")
    board.paint()
    _ = board.state.reduce(.channelsChanged([old[5], old[2]]), now: board.now)
    board.paint()
    #expect(board.line(0).hasPrefix(" 1 Popular  2 Tennis "))
    #expect(board.state.tab == .channel(1) && board.state.channels.count == 2)
    board.update(.football())
    #expect(board.state.reduce(.channelsChanged([old[0]]), now: board.now) == [.openChannel(old[0].topic)])
    #expect(board.state.tab == .channel(0) && board.state.list.rows.count == 0)
    let other = BoardChannel(title: "Live", topic: Topic(path: "/other"))
    #expect(board.state.reduce(.channelsChanged([old[1], other]), now: board.now) == [.openChannel(other.topic)])
    #expect(board.state.reduce(.channelsChanged([]), now: board.now) == [])
  }

  @Test("Rebound keys work, in the help too, and are shown in the footer and the help")
  mutating func keys() throws {
    let keys = try KeyMap([("quit", ["F3"]), ("help", ["q"]), ("open", []), ("find", ["Ctrl-F"]), ("channel-2", ["x"])])
    _ = board.state.reduce(.settingsChanged(changed { $0.keys = keys }), now: board.now)
    board.type("2?")
    #expect(board.effects.isEmpty && board.state.overlay == nil)
    board.type("x")
    #expect(board.effects == [board.open(1)])
    board.paint()
    #expect(board.line(23).hasPrefix("Ctrl-F find s sort") && board.line(23).hasSuffix("q help F3 quit"))
    board.type("q")
    board.paint()
    #expect(board.isHelpOpen(scroll: 0))
    #expect(board.line(3).hasPrefix("  1 x 3 4 5 6"))
    #expect(board.text.contains("  PgUp PgDn    ") && board.text.contains("  Ctrl-F        "))
    #expect(!board.text.contains("Open the match"))
    board.press(.function(3))
    #expect(board.effects.last == .quit)
  }

  @Test("Open help shows rebound keys at once")
  mutating func openHelp() throws {
    board.type("?")
    board.paint()
    let keys = try KeyMap([("next-channel", ["F9"])])
    _ = board.state.reduce(.settingsChanged(changed { $0.keys = keys }), now: board.now)
    #expect(board.paint().map(\.row) == [4])
    #expect(board.line(4).contains("F9 Shift-Tab"))
  }

  @Test(
    "Names of keys are parsed as they are printed, in upper or lower case",
    arguments: ["a", "A", "é", "北", "Space", "Ctrl-D", "F1", "F12", "PgUp", "Shift-Tab", "Esc", "-", "?", "\""])
  func names(name: String) {
    #expect(Key(name: name)?.name == name)
    if name.count > 1 { #expect(Key(name: name.uppercased()) == Key(name: name)) }
  }

  @Test(
    "A key that no terminal sends is refused",
    arguments: ["", "ab", " ", "F0", "F13", "F01", "Ctrl-", "Ctrl-1", "Ctrl-I", "Ctrl-Z", "\t", "e\u{301}", "Space "])
  func none(name: String) { #expect(Key(name: name) == nil) }

  @Test("w writes the screen to a file that is named by the local time")
  mutating func write() {
    board.now.zone = 5400
    board.type("w")
    board.press(.enter)
    #expect(board.effects == [.write(path: "~/toteboard-20250624-093000.txt")])
  }

  @Test("A board restores the last session, except for what the configuration has changed since")
  mutating func session() {
    board.state.settings.odds = .fractional
    board.state.settings.theme = Theme.light
    board.state.settings.order.isReversed = true
    board.type("3c")
    let session = board.state.session
    let next = Board(session: session)
    #expect(next.state.session == session && next.state.tab == .channel(2))
    #expect(next.state.settings == board.state.settings && next.state.statusBar.foldsCounters)
    var settings = BoardSettings()
    settings.odds = .malay
    settings.theme = Theme.monochrome
    let other = BoardState(
      size: Size(rows: 24, columns: 80), channels: [board.state.channels[0]], feedName: "", settings: settings,
      session: session, now: board.now)
    #expect(other.tab == .channel(0) && other.settings.odds == .malay && other.settings.theme.name == "monochrome")
    #expect(other.settings.order.isReversed)
  }
}
