import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

struct ChartTests {
  private func history(_ script: [(Int, Double?)]) -> PriceHistory {
    var history = PriceHistory()
    for (second, odds) in script {
      if let odds {
        history.record(DecimalOdds(units: Int64((odds * 1e7).rounded())), .live, at: second)
      } else {
        history.record(history.steps.last?.odds, .suspended, at: second)
      }
    }
    return history
  }

  /// The chart as it stands on the screen, a mark for each cell of the axis below it.
  private func picture(
    _ history: PriceHistory, until second: Int, cells: Int, lines: Int, _ shape: GlyphShape = .stars
  ) -> String {
    let window = ChartWindow(
      points: cells * shape.across, first: Int(history.steps[0].second), newest: second)
    let chart = Chart(history, window, until: second, lines: lines, shape)
    var rows = chart.rows.map { line in
      String(String.UnicodeScalarView(line.map { $0 ?? " " }))
    }
    rows.append(chart.suspended.map { $0 ? "x" : "-" }.joined())
    return rows.map { row in String(row.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
  }

  @Test("A price stands until it changes, and a change is a line up or down")
  func steps() {
    let history = history([(0, 2), (4, 3), (8, 2.5), (10, 2)])
    #expect(
      picture(history, until: 15, cells: 16, lines: 3) == """
            *****
            *   ***
        *****     ******
        ----------------
        """)
  }

  @Test("A price that rests is a line in the middle")
  func flat() {
    #expect(
      picture(history([(0, 2)]), until: 5, cells: 10, lines: 3) == """

        ******

        ----------
        """)
  }

  @Test("While a price cannot be bet on there is no line, and a mark on the axis; a moment of it is marked, too")
  func suspended() {
    let history = history([(0, 2), (3, nil), (6, 3), (9, nil), (9, 3)])
    #expect(
      picture(history, until: 11, cells: 12, lines: 2) == """
              ******
        ****
        ---xxx---x--
        """)
  }

  @Test("Nobody knows: no line, and no mark")
  func unknown() {
    var history = history([(0, 2)])
    history.markUnknown(at: 3)
    history.record(DecimalOdds(units: 20_000_000), .live, at: 6)
    #expect(
      picture(history, until: 7, cells: 8, lines: 1) == """
        ****  **
        --------
        """)
  }

  @Test("In braille two by four points are a cell")
  func braille() {
    let history = history([(0, 2), (4, 3), (8, 2.5), (10, 2)])
    #expect(
      picture(history, until: 15, cells: 8, lines: 1, .braille) == """
        ⣀⣀⡏⠉⠓⣆⣀⣀
        --------
        """)
  }

  @Test("The window grows with the history, and then moves on by a quarter")
  func window() {
    var units: Set<Int> = []
    var starts: Set<Int> = []
    for newest in stride(from: 5, to: 20_000, by: 7) {
      let window = ChartWindow(points: 100, first: 5, newest: newest)
      #expect(window.seconds.contains(newest), "\(newest)")
      #expect(newest < 2000 || newest - window.start >= 1800)
      units.insert(window.unit)
      if newest > 4000 { starts.insert(window.start) }
    }
    #expect(units == [1, 2, 5, 10, 15, 20, 30])
    #expect(starts.count < 40)
  }

  @Test("At rest, a chart changes one cell at a time")
  func quiet() {
    let history = history([(0, 2), (7, 3), (30, 2.5)])
    var before = picture(history, until: 31, cells: 50, lines: 4, .braille)
    for second in 32..<99 {
      let now = picture(history, until: second, cells: 50, lines: 4, .braille)
      let different = zip(
        now.split(separator: "\n", omittingEmptySubsequences: false),
        before.split(separator: "\n", omittingEmptySubsequences: false)
      ).count { $0 != $1 }
      #expect(different <= 1, "second \(second)")
      before = now
    }
  }
}

struct SparklineTests {
  private func row(_ odds: [[String]], then update: String? = nil) -> MatchRow {
    var row = MatchRow(.football(odds: odds[0], then: update), now: .zero, newest: nil)
    for (step, odds) in odds.enumerated().dropFirst() {
      row.apply(.football(odds: odds, then: update), now: .seconds(step), newest: nil, odds: .decimal)
    }
    return row
  }

  @Test("It is the lowest price, whoever's: no jump where another becomes the favourite")
  func favourite() {
    let row = row([["1.8", "3.5", "4"], ["1.8", "3.6", "4"], ["2.0", "3.5", "2.1"], ["2.2", "3.5", "1.9"]])
    #expect(row.trend.prices == [1.8e7, 2.0e7, 1.9e7])
  }

  @Test("A favourite that is held has no price, whoever else is lowest; another main market begins anew")
  func suspended() {
    var row = row([["1.8", "3.5", "4"]])
    let suspended = Match.football(
      odds: ["1.7", "3.5", "4"], then: FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#))
    row.apply(suspended, now: .seconds(9), newest: nil, odds: .decimal)
    #expect(row.trend.prices == [1.8e7] && row.favourite == nil && row.move == nil)
    let another = Match.football(
      odds: ["1.7", "3.5", "4"], then: FeedText.change("BETTING_OFFER", 123, #""statusId":"7""#))
    row.apply(another, now: .seconds(9), newest: nil, odds: .decimal)
    #expect(row.trend.prices == [1.8e7, 1.7e7])
    let other = Match.football(
      odds: ["1.7", "3.5", "4"],
      then: FeedText.create("MARKET", 105, #"{"_type":"MARKET","id":"105","eventId":"100","name":"Other"}"#))
    row.apply(other, now: .seconds(9), newest: nil, odds: .decimal)
    #expect(row.trend.prices == [])
  }

  @Test("The last sixty are kept, and no more")
  func bounded() {
    let row = row((0..<500).map { ["1.\(100 + $0 % 333)", "3.5", "4"] })
    #expect(row.trend.prices.count == PriceTrend.limit && row.trend.count == 500)
    #expect(row.recent.changes.count == RecentPrices.limit)
  }

  @Test("What is drawn stays until the place is full; the newer half moves on: three cells a change on average")
  func stableAfter() {
    var row = row([["2.0", "3.5", "4"], ["1.2", "3.5", "4"]])
    var before: [Int] = []
    var drawn = 0
    for step in 0..<400 {
      let odds = ["1.2", "1.95", "1.4", "2.0"][step % 4]
      row.apply(.football(odds: [odds, "3.5", "4"]), now: .seconds(step), newest: nil, odds: .decimal)
      let now = Sparkline(row.trend, cells: 20, levels: 8).heights
      #expect(now.count <= 20 && now.allSatisfy { 0..<8 ~= $0 })
      #expect(step < 20 || now.count > 10)
      drawn += (0..<20).count {
        (now.indices.contains($0) ? now[$0] : -1) != (before.indices.contains($0) ? before[$0] : -1)
      }
      before = now
    }
    #expect(drawn < 1200, "\(drawn)")
  }

  @Test("It has its column from 130 cells on, and none on a line that is to be spared")
  func column() {
    #expect(Layout(size: Size(rows: 24, columns: 129)).trend.isEmpty)
    #expect(Layout(size: Size(rows: 24, columns: 130)).trend.count == 10)
    #expect(Layout(size: Size(rows: 24, columns: 500)).trend.count == PriceTrend.limit)
    var board = Board(rows: 24, columns: 200)
    #expect(!board.state.layout.trend.isEmpty)
    var settings = BoardSettings()
    settings.isLowBandwidth = true
    _ = board.state.reduce(.settingsChanged(settings), now: board.now)
    #expect(board.state.layout.trend.isEmpty)
  }

  @Test("Of no change there is nothing; of any number of cells no more than fit")
  func edges() {
    #expect(Sparkline(PriceTrend(), cells: 20, levels: 8).heights == [])
    let row = row((0..<90).map { ["1.\(100 + $0)", "3.5", "4"] })
    for cells in 0...70 {
      let heights = Sparkline(row.trend, cells: cells, levels: 4).heights
      #expect(heights.count <= cells && (cells == 0 || !heights.isEmpty), "\(cells)")
    }
  }
}
