import TerminalCore

// The parts of the pane on the screen.
extension MatchDetail {
  func layout(_ size: Size) -> DetailLayout? {
    pane.map {
      DetailLayout(Layout(size: size, hasPane: true), hasNotice: $0.notice != nil, hasCalculator: ticket != nil)
    }
  }

  /// Returns the window of the chart on a screen of that size, or nil if no chart is shown.
  func chartWindow(_ size: Size) -> ChartWindow? {
    guard let layout = layout(size), !layout.chart.isEmpty else { return nil }
    return pane?.chartWindow(chartHistory, frame, columns: layout.plot.count)
  }

  /// The prices of the selected outcome: those that the board has seen, and the recorded ones of other times.
  var chartHistory: PriceHistory? {
    recording.combined ?? pane.flatMap { pane in pane.chosen.flatMap { histories[pane.id, $0] } }
  }

  /// Returns the number of rows for the list of markets, on a screen of that size.
  func height(_ size: Size) -> Int { layout(size)?.list.count ?? 0 }

  /// Returns the outcome in a row of a screen of that size.
  func outcome(at row: Int, _ size: Size) -> OutcomeKey? {
    guard let pane, let rows = layout(size)?.list, rows.contains(row) else { return nil }
    let position = pane.scroll.first + row - rows.lowerBound
    return position < pane.list.count ? pane.list.key(position) : nil
  }
}
