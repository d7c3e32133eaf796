import OddsModel
import TerminalCore

/// The last chart drawn, and the limits in it. They are computed again when their input changes.
struct ChartCache {
  private var last: (input: Chart.Input, chart: Chart)?
  private var lastLimits: (generation: Int, match: Match, outcome: OutcomeKey, limits: [DecimalOdds])?

  mutating func chart(_ input: Chart.Input) -> Chart {
    if let last, last.input == input { return last.chart }
    let chart = Chart(input)
    last = (input, chart)
    return chart
  }

  mutating func limits(of outcome: OutcomeKey, in match: Match, _ rules: AlertRules) -> [DecimalOdds] {
    if let lastLimits, lastLimits.generation == rules.generation, lastLimits.outcome == outcome,
      lastLimits.match == match
    {
      return lastLimits.limits
    }
    let limits = rules.limits(of: outcome, in: match)
    lastLimits = (rules.generation, match, outcome, limits)
    return limits
  }
}

extension DetailPane {
  /// Returns the window of the chart in a number of columns, or nil if no price of the selected outcome is known.
  func chartWindow(_ history: PriceHistory?, _ frame: ChartFrame, columns: Int) -> ChartWindow? {
    guard columns > 0, let first = history?.steps.first else { return nil }
    let newest = max(second, Int(first.second))
    return ChartWindow(
      columns: columns, length: frame.length(first: Int(first.second), newest: newest), newest: newest,
      earliest: min(0, Int(first.second)))
  }
}

/// The chart of the selected outcome, for one frame.
struct DetailChart {
  private let chart: Chart
  private let input: Chart.Input
  private let name: String
  private let current: ChartPrice
  private let frame: ChartFrame
  /// The second of the cursor.
  private let cursor: Int?
  /// The column of the cursor.
  private let column: Int?
  /// True if the match has ended or was removed.
  private let isOver: Bool
  private let opening: DecimalOdds?
  private let closing: DecimalOdds?
  private let last: DecimalOdds?
  private let format: OddsFormat
  private let pane: DetailPane
  private let clock: FeedClock
  private let isFrozen: Bool

  /// Returns nil if there is no room for a chart, or no price to draw. `isKnown` is true if the current price is known,
  /// and `isTrusted` if it is not out of date either.
  init?(
    of state: borrowing BoardState, _ pane: DetailPane, _ layout: DetailLayout, _ shape: GlyphShape,
    _ cache: inout ChartCache, isKnown: Bool, isTrusted: Bool
  ) {
    frame = state.detail.frame
    guard !layout.chart.isEmpty, let key = pane.chosen, let history = state.detail.chartHistory,
      let window = pane.chartWindow(history, frame, columns: layout.plot.count)
    else { return nil }
    let rules = state.alerts.rules
    let limits = pane.match.map { cache.limits(of: key, in: $0, rules) } ?? []
    input = Chart.Input(
      history: history, window: window, limits: limits, height: layout.chart.count, shape: shape)
    chart = cache.chart(input)
    let chosen = pane.chosenOutcome
    name = chosen?.outcome.name ?? ""
    current =
      chosen.flatMap { isKnown ? ChartPrice(PriceCell($0.outcome, in: $0.market), isTrusted: isTrusted) : nil }
      ?? .unknown
    cursor = pane.cursor.map { window.cursor(at: $0) }
    column = cursor.map { window.column(of: $0) }
    isOver = pane.isOver
    let seen = state.detail.histories[pane.id, key]
    // NB: the opening price of a recording may be later than its position. There is no price then.
    let hasOpening = state.clock.playback == nil || history.steps.contains { $0.odds != nil }
    let openings = state.list.rows.openings[pane.id, default: RecordedOpenings()]
    let recorded = state.detail.recording.prices
    // NB: The list forgets the recorded opening prices of a match that is gone.
    let firstOfRun = recorded?.opening ?? seen?.opening
    opening = hasOpening ? openings.opening(of: key, firstOfRun: firstOfRun) : nil
    closing = recorded?.closing
    last = state.detail.recording.last(seen: seen)
    format = state.settings.odds
    self.pane = pane
    clock = state.clock
    isFrozen = state.list.isFrozen
  }

  var title: ChartTitle {
    ChartTitle(
      name: name, current: current, opening: opening, closing: isOver ? closing : nil, last: isOver ? last : nil,
      cursor: cursor.map { ChartTitle.Cursor(time: time(of: $0), price: ChartPrice(input.history.step(at: $0))) },
      frame: frame)
  }

  func row(_ row: Int) -> ChartRow {
    let (label, isLimit) = label(row)
    return ChartRow(
      cells: chart.rows[row], candles: chart.candles, label: label, isLimitLabel: isLimit,
      hasLimit: chart.limits[row] != nil, cursor: column)
  }

  var axis: DetailContent { .axis(chart.suspended, cursor: column) }

  var times: ChartTimes {
    let isNow = clock.isRunning && !isFrozen && !pane.isFromHistory
    return ChartTimes(
      length: input.window.length, end: isNow ? .now : time(of: input.window.newest),
      isSuspended: chart.suspended.contains(true))
  }

  private func time(of second: Int) -> ChartTime {
    if let playback = clock.playback {
      return .position(second, of: max(second, playback.duration.wholeSeconds))
    }
    return .wall(pane.wall(of: second))
  }

  /// Returns the price beside a row. The label of a limit replaces those between the highest and the lowest price, and
  /// labels between them that read the same as these are omitted.
  private func label(_ row: Int) -> (price: DecimalOdds?, isLimit: Bool) {
    let (label, limit) = (chart.labels[row], chart.limits[row])
    guard let bounds = chart.bounds else { return (nil, false) }
    let isEnd = label == bounds.lowerBound || label == bounds.upperBound
    if let limit, !isEnd || limit == label { return (limit, true) }
    guard let label, !isEnd else { return (label, false) }
    let text = ShortText(label, format)
    let isRepeated = [bounds.lowerBound, bounds.upperBound].contains { ShortText($0, format) == text }
    return (isRepeated ? nil : label, false)
  }

  /// The next second at which the chart changes by itself.
  var nextSecond: Int {
    let (window, first) = (input.window, input.history.steps.first.map { Int($0.second) })
    guard frame == .all, let first, first + window.length > window.newest else { return window.nextSecond }
    return min(window.nextSecond, first + window.length)
  }
}
