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

  private func chart(
    _ history: PriceHistory, until second: Int, cells: Int, lines: Int, length: Int? = nil, limits: [Double] = [],
    _ shape: GlyphShape = .stars
  ) -> Chart {
    let window = ChartWindow(columns: cells, length: length ?? cells, newest: second)
    return Chart(
      Chart.Input(
        history: history, window: window, limits: limits.map { DecimalOdds(units: Int64(($0 * 1e7).rounded())) },
        height: lines, shape: shape))
  }

  /// The chart as shown on the screen, with limits as dots and the marks of the axis in the last row.
  private func picture(_ chart: Chart) -> String {
    var rows = zip(chart.rows, chart.limits).map { row, limit in
      String(String.UnicodeScalarView(row.map { $0 ?? (limit == nil ? " " : ".") }))
    }
    rows.append(chart.suspended.map { $0 ? "x" : "-" }.joined())
    return rows.map { row in String(row.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
  }

  private func labels(_ chart: Chart) -> [String] { chart.labels.map { $0?.description ?? "" } }

  @Test("A price is valid until it changes and up to the right edge; a change is a vertical line")
  func steps() {
    let history = history([(0, 2), (4, 3), (8, 2.5), (10, 2)])
    #expect(
      picture(chart(history, until: 15, cells: 16, lines: 3)) == """
            *****
            *   ***
        *****     ******
        ----------------
        """)
  }

  @Test("The right edge is the current time, even before the history fills the chart")
  func rightEdge() {
    #expect(
      picture(chart(history([(0, 2), (3, 3)]), until: 5, cells: 10, lines: 2)) == """
               ***
            ****
        ----------
        """)
    var random = SeededRandom(seed: 1)
    for _ in 0..<2000 {
      let window = ChartWindow(
        columns: Int.random(in: 1...200, using: &random), length: Int.random(in: 1...22_000, using: &random),
        newest: Int.random(in: 0...90_000, using: &random))
      #expect(window.column(of: window.newest) >= window.columns - 1 - window.columns / window.length)
      for across in [1, 2] {
        let seconds = (0..<window.columns * across).map { window.seconds(of: $0, across: across) }
        #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(seconds[0].lowerBound <= window.newest && window.newest < seconds[seconds.count - 1].upperBound)
      }
      #expect(window.nextSecond > window.newest)
      #expect(
        abs(window.seconds(of: 0).lowerBound - (window.newest - window.length)) <= window.length / window.columns + 1)
    }
  }

  @Test("A constant price is drawn as a line in the middle; without a price no line is drawn")
  func flat() {
    let flat = chart(history([(0, 2)]), until: 5, cells: 6, lines: 3)
    #expect(picture(flat) == "\n******\n\n------")
    #expect(labels(flat) == ["", "2.00", ""])
    let none = chart(PriceHistory(), until: 5, cells: 4, lines: 2, limits: [2])
    #expect(picture(none) == "\n\n----" && none.bounds == nil && labels(none) == ["", ""])
  }

  @Test("A suspension interrupts the line and is marked on the axis; within one second it is only marked")
  func suspended() {
    let history = history([(0, 2), (3, nil), (6, 3), (9, nil), (9, 3)])
    #expect(
      picture(chart(history, until: 11, cells: 12, lines: 2)) == """
              ******
        ****
        ---xxx---x--
        """)
    #expect(
      picture(chart(self.history([(0, 2), (3, nil)]), until: 7, cells: 8, lines: 1)) == """
        ****
        ---xxxxx
        """)
  }

  @Test("An unknown price has no line and no mark")
  func unknown() {
    var history = history([(0, 2)])
    history.markUnknown(at: 3)
    history.record(DecimalOdds(units: 20_000_000), .live, at: 6)
    #expect(
      picture(chart(history, until: 7, cells: 8, lines: 1)) == """
        ****  **
        --------
        """)
  }

  @Test("In braille a cell has two by four points")
  func braille() {
    let history = history([(0, 2), (4, 3), (8, 2.5), (10, 2)])
    #expect(
      picture(chart(history, until: 15, cells: 8, lines: 1, length: 16, .braille)) == """
        ⣀⣀⡏⠉⠓⣆⣀⣀
        --------
        """)
  }

  @Test("A limit is drawn as a line behind the prices and extends the scale, unless it is far from the prices")
  func limits() {
    let history = history([(0, 2), (4, 2.2)])
    #expect(
      picture(chart(history, until: 7, cells: 8, lines: 3, limits: [2.4, 9])) == """
        ........
            ****
        *****
        --------
        """)
    let chart = chart(history, until: 7, cells: 8, lines: 3, limits: [0.5, 2])
    #expect(picture(chart) == "    ****\n    *\n*****...\n--------")
    #expect(chart.limits.map { $0?.description } == [nil, nil, "2.00"] && labels(chart) == ["2.20", "2.10", "2.00"])
  }

  @Test("The scale has the highest, the middle and the lowest price, and two more from nine rows on", arguments: 1...12)
  func scale(lines: Int) {
    let labels = labels(chart(history([(0, 2), (4, 3)]), until: 7, cells: 8, lines: lines))
    let shown = labels.filter { !$0.isEmpty }
    #expect(labels.count == lines && shown.count == (lines < 3 ? lines : lines < 9 ? 3 : 5))
    #expect(labels[0] == "3.00" && (lines == 1 || labels[lines - 1] == "2.00") && shown.sorted(by: >) == shown)
    if lines.isMultiple(of: 2) == false, lines > 1 { #expect(labels[lines / 2] == "2.50") }
  }

  /// A history with changes at random intervals, some of them suspensions and gaps.
  private func random(_ seed: Int) -> PriceHistory {
    var random = SeededRandom(seed: UInt64(seed))
    var history = PriceHistory()
    var second = Int.random(in: 0...50, using: &random)
    for _ in 0..<Int.random(in: 0...300, using: &random) {
      let odds = DecimalOdds(units: Int64.random(in: 11_000_000...90_000_000, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: history.record(odds, .suspended, at: second)
      case 1: history.markUnknown(at: second)
      default: history.record(odds, .live, at: second)
      }
      second += Int.random(in: 0...[2, 10, 40][seed % 3], using: &random)
    }
    return history
  }

  @Test("Each point has the price range that a scan of every second finds")
  func law() {
    for seed in 0..<24 {
      let history = random(seed)
      var random = SeededRandom(seed: UInt64(seed))
      let newest = Int(history.steps.last?.second ?? 0) + Int.random(in: 0...100, using: &random)
      let shape: GlyphShape = seed % 2 == 0 ? .braille : .stars
      let window = ChartWindow(
        columns: Int.random(in: 1...90, using: &random),
        length: ChartFrame.allCases[seed % 5].length(first: Int(history.steps.first?.second ?? 0), newest: newest),
        newest: newest)
      let chart = Chart(
        Chart.Input(history: history, window: window, height: Int.random(in: 0...11, using: &random), shape: shape))
      #expect(chart.points.count == window.columns * shape.across)
      for (point, range) in chart.points.enumerated() {
        let seconds = window.seconds(of: point, across: shape.across)
        // The price before the point is valid at its beginning, and the newest price up to the right edge.
        let prices = (seconds.lowerBound - 1..<seconds.upperBound).compactMap { second in
          let step = history.steps.last { $0.second <= min(second, newest) }
          return step?.state == .live ? step?.odds : nil
        }
        #expect(range?.lowerBound == prices.min() && range?.upperBound == prices.max(), "seed \(seed), point \(point)")
      }
      for column in 0..<window.columns where !chart.rows.isEmpty {
        let isDrawn = chart.rows.contains { $0[column] != nil }
        let points = chart.points[column * shape.across..<(column + 1) * shape.across]
        #expect(isDrawn == points.contains { $0 != nil }, "seed \(seed), column \(column)")
      }
    }
  }

  @Test("A column keeps its content while it moves to the left")
  func moving() {
    let history = history((0..<60).map { (step: Int) -> (Int, Double?) in (step * 7, 2 + Double(step * 13 % 10) / 10) })
    for columns in [30, 50, 300] {
      var before = chart(history, until: 421, cells: columns, lines: 1, length: 300)
      var window = ChartWindow(columns: columns, length: 300, newest: 421)
      for second in 422..<500 {
        let now = chart(history, until: second, cells: columns, lines: 1, length: 300)
        let next = ChartWindow(columns: columns, length: 300, newest: second)
        let shift = (0..<columns).first {
          window.seconds(of: $0) == next.seconds(of: 0) && !next.seconds(of: 0).isEmpty
        }
        if let shift {
          #expect(before.points.dropFirst(shift).dropLast(1) == now.points.prefix(columns - shift - 1), "\(second)")
        }
        before = now
        window = next
      }
    }
  }

  @Test("A chart that a constant price fills no longer changes")
  func quiet() {
    let history = history([(0, 2), (7, 3), (30, 2.5)])
    let first = picture(chart(history, until: 400, cells: 50, lines: 4, length: 300, .braille))
    for second in 401..<900 {
      #expect(picture(chart(history, until: second, cells: 50, lines: 4, length: 300, .braille)) == first)
    }
  }

  @Test("The time frame of all prices covers them, and has one of a few lengths")
  func frames() {
    var lengths: Set<Int> = []
    for newest in stride(from: 5, to: 40_000, by: 7) {
      let length = ChartFrame.all.length(first: 5, newest: newest)
      #expect(length > newest - 5)
      #expect(length <= 60 || length <= 2 * (newest - 4))
      lengths.insert(length)
      #expect(ChartFrame.fiveMinutes.length(first: 5, newest: newest) == 300)
      #expect(ChartFrame.hour.length(first: 5, newest: newest) == 3600)
    }
    #expect(lengths.count == 20 && lengths.max() == 43_200)
  }

  @Test("The cursor moves by one column, but by at least a second, and stays in the chart")
  func cursor() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<300 {
      let window = ChartWindow(
        columns: Int.random(in: 1...120, using: &random), length: Int.random(in: 1...4000, using: &random),
        newest: Int.random(in: 0...9000, using: &random))
      var second = window.newest
      for _ in 0..<window.columns + 3 {
        let next = window.cursor(movedFrom: second, by: -1)
        #expect(next < second || next == window.cursor(at: .min / 2))
        #expect(window.column(of: next) <= window.column(of: second))
        second = next
      }
      #expect(second == window.cursor(at: -100_000))
      for _ in 0..<max(window.columns, window.length) + 3 {
        let next = window.cursor(movedFrom: second, by: 1)
        #expect(next > second || next == window.newest)
        second = next
      }
      #expect(second == window.newest)
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

  @Test("The sparkline shows the lowest price, so it does not jump when the favourite changes")
  func favourite() {
    let row = row([["1.8", "3.5", "4"], ["1.8", "3.6", "4"], ["2.0", "3.5", "2.1"], ["2.2", "3.5", "1.9"]])
    #expect(row.trend.prices == [1.8e7, 2.0e7, 1.9e7])
  }

  @Test("A suspended favourite adds no price to the trend; another main market starts a new trend")
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

  @Test("Only the newest prices are kept, up to a limit")
  func bounded() {
    let row = row((0..<500).map { ["1.\(100 + $0 % 333)", "3.5", "4"] })
    #expect(row.trend.prices.count == PriceTrend.limit && row.trend.count == 500)
    #expect(row.recent.changes.count == RecentPrices.limit)
  }

  @Test("A full sparkline shifts by half its width, so a change redraws at most three cells on average")
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

  @Test("The trend column is shown from 130 columns on, and not with low bandwidth")
  func column() {
    #expect(Layout(size: Size(rows: 24, columns: 129)).columns[.trend].isEmpty)
    #expect(Layout(size: Size(rows: 24, columns: 130)).columns[.trend].count == 10)
    #expect(Layout(size: Size(rows: 24, columns: 500)).columns[.trend].count == PriceTrend.limit)
    var board = Board(rows: 24, columns: 200)
    #expect(!board.state.layout.columns[.trend].isEmpty)
    var settings = BoardSettings()
    settings.isLowBandwidth = true
    _ = board.state.reduce(.settingsChanged(settings), now: board.now)
    #expect(board.state.layout.columns[.trend].isEmpty)
  }

  @Test("A sparkline without changes is empty; other sparklines do not exceed their cells")
  func edges() {
    #expect(Sparkline(PriceTrend(), cells: 20, levels: 8).heights == [])
    let row = row((0..<90).map { ["1.\(100 + $0)", "3.5", "4"] })
    for cells in 0...70 {
      let heights = Sparkline(row.trend, cells: cells, levels: 4).heights
      #expect(heights.count <= cells && (cells == 0 || !heights.isEmpty), "\(cells)")
    }
  }
}
