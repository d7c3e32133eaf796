import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The chart in the pane of a match: its title, its keys and its labels.
struct DetailChartTests {
  private var board = Board(rows: 40, columns: 120)

  init() { open() }

  /// Opens a match whose home price rises from 2.45 to 2.60 after a minute, and then stays for a minute.
  private mutating func open() {
    board.fill()
    var rich = RichMatch()
    board.openMatch(rich.match)
    board.updateMatch(rich.match)
    board.wait(.seconds(60))
    rich.result[0] = "2.6"
    board.updateMatch(rich.match)
    board.wait(.seconds(60))
    board.paint()
  }

  /// The rows of the chart: its title, the plot, the axis and the times.
  private func rows() -> [String] {
    let layout = DetailLayout(board.state.layout, hasNotice: false)
    guard let title = layout.chartTitle, let times = layout.times else { return [] }
    return (title...times).map { board.paintedPane()[$0] }
  }

  private func styles(_ row: Int, of character: Unicode.Scalar) -> Set<Style.Role> {
    Set(board.screen.content.rows[row].cells.filter { $0.scalar == character.value }.map(\.style.role))
  }

  private mutating func press(_ keys: String) {
    board.type(keys)
    board.paint()
  }

  @Test("The title has the outcome, its price and the time frames; the axes have five and three labels")
  func labels() {
    let rows = rows()
    #expect(rows[0].hasPrefix(" home 2.60 ") && rows[0].hasSuffix(" 5m 1h 6h 1d [all]"), "\(rows[0])")
    let scale = rows.dropFirst().dropLast(2).map { $0.prefix(9).filter { $0 != " " } }
    #expect(scale == ["2.60", "", "2.56", "", "2.53", "", "2.49", "", "2.45"], "\(scale)")
    let times = rows[rows.count - 1]
    #expect(times.contains(" -03:00 ") && times.contains(" -01:30 ") && times.hasSuffix(" now"), "\(times)")
  }

  @Test("The price is drawn up to the right edge, and not while it is unknown")
  mutating func rightEdge() {
    #expect(rows()[1].last == "⠉", "\(rows()[1])")
    board.updateMatch(grade: .locked)
    board.wait(.seconds(60))
    board.paint()
    #expect(rows()[1...9].allSatisfy { $0.count < 55 } && rows()[0].contains("home — "))
    board.updateMatch(grade: .live)
    board.paint()
    #expect(rows()[0].contains("home 2.60 "))
  }

  @Test("The last price of a feed that has ended is marked as possibly out of date")
  mutating func endedFeed() {
    board.updateFreshness(.closed)
    board.updateMatch(grade: .closed)
    board.paint()
    #expect(rows()[0].hasPrefix(" home 2.60? "), "\(rows()[0])")
  }

  private static let end = FeedText.change("MATCH", 100, #""statusId":"3""#)

  @Test("The price is not drawn after the end of the match")
  mutating func endedMatch() {
    var rich = RichMatch()
    rich.result[0] = "2.6"
    rich.updates = [Self.end]
    board.updateMatch(rich.match)
    board.wait(.seconds(60))
    board.paint()
    #expect(rows()[1...9].allSatisfy { $0.count < 55 } && rows()[0].contains("home — "), "\(rows())")
    rich.updates = []
    board.updateMatch(rich.match)
    board.paint()
    #expect(rows()[0].contains("home 2.60 "))
  }

  @Test("A match that has ended before it is opened has no price after the opening")
  func endedBefore() {
    var board = Board(rows: 40, columns: 120)
    board.update(.football())
    board.wait(.seconds(60))
    let ended = Match.football(then: Self.end)
    board.update(ended)
    board.paint()
    board.openMatch(ended, hasTopic: false)
    board.wait(.seconds(60))
    board.paint()
    let history = board.state.detail.histories[100, OutcomeKey(market: 110, outcome: 111)]
    #expect(history?.step(at: 10)?.state == .live && history?.step(at: 130)?.state == .unknown)
  }

  @Test(
    "A match that is opened while or after the provider's own prices or list are out of date has no price of that time",
    arguments: [Freshness.Cause.sourceStale, .catalogueStale], [true, false])
  func staleBefore(cause: Freshness.Cause, isOver: Bool) {
    var board = Board(rows: 40, columns: 120)
    board.update(.football())
    board.wait(.seconds(60))
    let moved = Match.football(odds: ["2.6", "3.1", "2.9"])
    board.updateFreshness(.delayed, cause: cause, changed: moved)
    board.wait(.seconds(60))
    if isOver { board.updateFreshness(.live) }
    board.paint()
    board.openMatch(moved, hasTopic: false)
    let history = board.state.detail.histories[100, OutcomeKey(market: 110, outcome: 111)]
    #expect(history?.step(at: 100)?.state != .live)
    #expect((history?.step(at: 130)?.state == .live) == isOver)
  }

  @Test("< and > choose a shorter and a longer time frame, which the next match keeps")
  mutating func frames() {
    for (key, frame, time) in [
      ("<", "5m 1h 6h [1d] all", "-24:00:00"), ("<", "5m 1h [6h] 1d all", "-6:00:00"),
      ("<", "5m [1h] 6h 1d all", "-1:00:00"), ("<", "[5m] 1h 6h 1d all", "-05:00"),
      ("<", "[5m] 1h 6h 1d all", "-05:00"), (">>>", "5m 1h 6h [1d] all", "-24:00:00"),
      (">", "5m 1h 6h 1d [all]", "-03:00"), (">", "5m 1h 6h 1d [all]", "-03:00"),
    ] {
      press(key)
      #expect(rows()[0].hasSuffix(frame) && rows()[rows().count - 1].contains(time), "\(key)")
    }
    press("<<<]")
    _ = board.state.reduce(.matchOpened(200, known: .football(200, "北京国安 - 上海海港"), hasTopic: true), now: board.now)
    board.paint()
    #expect(rows()[0].hasSuffix("5m [1h] 6h 1d all"))
  }

  @Test("The cursor shows a time and the price at that time; Esc removes it before it closes the match")
  mutating func cursor() {
    press(",")
    // One column of a few seconds before 08:02:00.
    #expect(rows()[0].contains("home 2.60 ") && rows()[0].contains(" 08:01:5") && rows()[0].contains(" 2.60  5m"))
    #expect(rows()[10].contains("▲") && rows()[5].contains("│"))
    for _ in 0..<24 { press(",") }
    #expect(rows()[0].contains(" 08:00:") && rows()[0].contains(" 2.45  5m"), "\(rows()[0])")
    for _ in 0..<60 { press(",") }
    #expect(rows()[0].contains(" 07:59:") && rows()[0].contains(" —  5m"), "\(rows()[0])")
    for _ in 0..<90 { press(".") }
    #expect(rows()[0].contains(" 08:02:00 2.60  5m"), "\(rows()[0])")
    board.press(.escape)
    board.paint()
    #expect(!rows()[0].contains("08:02") && !rows()[10].contains("▲") && board.state.detail.pane != nil)
    board.press(.escape)
    #expect(board.state.detail.pane == nil)
  }

  @Test("The cursor keeps its time while the chart moves, and is removed when another outcome is selected")
  mutating func cursorStays() {
    press(",,,,")
    let column = rows()[10].prefix { $0 != "▲" }.count
    let title = rows()[0]
    board.wait(.seconds(30))
    board.paint()
    #expect(rows()[0] == title && rows()[10].prefix { $0 != "▲" }.count < column)
    press("jk")
    #expect(!rows()[10].contains("▲") && board.state.detail.pane?.cursor == nil)
  }

  @Test("A cursor is removed when the screen becomes too low for the chart")
  mutating func cursorWithoutChart() {
    press(",")
    board.resize(rows: 10, columns: 120)
    #expect(board.state.detail.pane != nil && board.state.detail.pane?.cursor == nil)
    board.press(.escape)
    #expect(board.state.detail.pane == nil)
  }

  @Test("In a narrow pane the price at the cursor is shown in full, without its time if necessary")
  mutating func narrowCursor() {
    board.resize(rows: 40, columns: 22)
    var rich = RichMatch()
    rich.result[0] = "1000"
    board.updateMatch(rich.match)
    board.wait(.seconds(60))
    board.paint()
    press(",")
    #expect(board.state.detail.pane?.cursor != nil && rows()[0].contains("1000.00"), "\(rows()[0])")
  }

  @Test("Limits of alert rules for the selected outcome are drawn as labelled lines, others are not drawn")
  mutating func alerts() throws {
    for rule in [
      "1 >= 2.7", #"match 100 market "Match Result" outcome "home" <= 2.5"#, "2 >= 2.55", "any move 5% in 10m",
    ] {
      _ = board.state.reduceAlerts(.add(try AlertRule(rule)), now: board.now)
    }
    board.paint()
    let lines = rows().indices.filter { rows()[$0].contains("┄") }
    #expect(lines.count == 2 && lines[0] == 1, "\(rows())")
    #expect(lines.allSatisfy { index in ["2.70", "2.50"].contains { rows()[index].contains(" \($0) ") } })
    let top = DetailLayout(board.state.layout, hasNotice: false).chart.lowerBound
    #expect(styles(top, of: "┄") == [.warning])
    let id = board.state.alerts.rules.active[0].id
    _ = board.state.reduceAlerts(.remove(id: id), now: board.now)
    board.paint()
    #expect(rows().count { $0.contains("┄") } == 1)
    press("j")
    #expect(!rows().contains { $0.contains("┄") })
  }

  @Test("A rule has limits only for the outcomes whose prices it evaluates")
  func limits() throws {
    let match = RichMatch().match
    for text in [
      "1 >= 2", "X >= 2", "2 >= 2", "any >= 2", #"market "Match Result" outcome "draw" >= 2"#,
      #"market "Total Goals 1.5" outcome "over" >= 2"#, #"market "None" outcome "over" >= 2"#, "porto 1 >= 2",
      "other 1 >= 2", "favourite >= 2", "1 move 5% in 10m", "suspended",
    ] {
      let rule = try AlertRule(text)
      var rules = AlertRules()
      let isAdded = rules.add(rule)
      #expect(isAdded)
      var owners: Set<AlertTarget.Owner> = []
      if case .price(let selection, _, _) = rule.event, !rules.indices(for: match).isEmpty {
        owners.formUnion(selection.targets(in: match).map(\.owner))
      }
      for market in match.markets {
        for outcome in market.outcomes {
          let isFavourite = owners.contains(AlertTarget.Owner(market: market.id, outcome: nil))
          let expected =
            owners.contains(AlertTarget.Owner(market: market.id, outcome: outcome.id))
            || isFavourite && PriceCell(outcome, in: market).bettable == market.favourite
          let limits = rules.limits(of: OutcomeKey(market: market.id, outcome: outcome.id), in: match)
          #expect(limits == (expected ? [DecimalOdds(units: 20_000_000)] : []), "\(text), \(outcome.name)")
        }
      }
      rules.remove(rules.active[0].id)
      #expect(rules.limits(of: OutcomeKey(market: 110, outcome: 111), in: match).isEmpty)
    }
  }

  @Test("The labels are in the format of the odds", arguments: OddsFormat.allCases)
  mutating func formats(format: OddsFormat) {
    _ = board.state.set(\.odds, to: format, now: board.now)
    board.paint()
    for (row, units) in [(1, 26_000_000), (9, 24_500_000)] as [(Int, Int64)] {
      #expect(rows()[row].contains(" \(ShortText(DecimalOdds(units: units), format)) "), "\(rows()[row])")
    }
    #expect(rows()[0].contains("home \(ShortText(DecimalOdds(units: 26_000_000), format)) "))
  }

  @Test("The chart is shown only where it fits; elsewhere its keys show a message")
  mutating func sizes() {
    for rows in [1, 5, 15, 18, 19, 24, 60] {
      for columns in [1, 19, 20, 21, 30, 41, 80, 119, 120, 200] {
        board.resize(rows: rows, columns: columns)
        if board.state.detail.pane?.cursor != nil { board.press(.escape) }
        let layout = DetailLayout(board.state.layout, hasNotice: false)
        for key in ["", ",", "<", ">"] {
          press(key)
          #expect(board.screen.content.rows.allSatisfy { $0.width == columns }, "\(columns)x\(rows)")
          #expect(layout.chart.isEmpty == (board.state.detail.pane?.cursor == nil) || key == "")
        }
        #expect(layout.chart.isEmpty || layout.chart.count >= 3 && layout.list.count >= 5)
        #expect(layout.chart.isEmpty == (board.state.statusBar.message != nil), "\(columns)x\(rows)")
        board.wait(.seconds(60))
      }
    }
  }

  @Test("On a frozen screen the right edge is labelled with its time")
  mutating func frozen() {
    press("p")
    #expect(rows()[rows().count - 1].hasSuffix(" 08:02:00"), "\(rows())")
  }
}
