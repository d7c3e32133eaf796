import Localization
import OddsModel

/// The content of one row of the detail pane.
enum DetailContent: Equatable {
  case blank
  /// The name of the match and its current state.
  case name(DetailHead)
  case about(DetailHead, grade: Freshness.Grade)
  case notice(DetailNotice)
  /// The titles of the columns. True if there is a column of stakes.
  case titles(hasStakes: Bool)
  case market(DetailMarket)
  case outcome(DetailOutcome)
  case ladder(DetailLadder)
  case chartTitle(ChartTitle)
  case chart(ChartRow)
  /// The axis: for each column, true if the price was suspended.
  case axis([Bool], cursor: Int?)
  case times(ChartTimes)
  case calculator(BetCalculator.Row)
}

struct DetailHead: Equatable {
  /// True if nothing is known of the match.
  var isUnknown = false
  var labels: Match.Names?
  var startTime: Int64?
  var status = MatchStatus.unknown
  var score: Score?
  var minute: Int?
  var serving: Side?
}

/// A notice that data in the pane is missing, wrong or still loading.
enum DetailNotice: Equatable {
  case gone
  case loading
  /// The match is one of the history, whose prices were known up to a time in milliseconds since 1970.
  case fromHistory(until: Int64)
  case channelOnly
  /// The match's topic has no content, for this reason.
  case problem(LocalizedMessage)
}

struct DetailMarket: Equatable {
  var name: String
  /// The handicap in ten-millionths.
  var handicap: Int64?
  /// The margin in tenths of a per cent.
  var margin: Int?
  /// The stakes matched on an exchange.
  var matched: Amount?
  var isSuspended: Bool
  var isClosed: Bool
  var isTrusted: Bool
}

struct DetailOutcome: Equatable {
  var key: OutcomeKey
  var name: String
  var cell: PriceCell
  /// The price without the margin; nil if there is none, or if the prices may be out of date.
  var fair: DecimalOdds?
  /// The changes in tenths of a per cent, for each of `DetailLayout.spans`. Nil if not known.
  var changes: [Int?]
  /// The stake of a dutch bet; empty if the outcome has none. Nil without a dutch bet.
  var stake: String?
  var isMarked: Bool
  var isChosen: Bool
  var isTrusted: Bool
}

/// The content of the detail pane for one frame. NB: A structure of this size would cost 3,000 instructions in each frame
/// without a pane, to be written as nil.
final class DetailTable {
  private let pane: DetailPane
  private let layout: DetailLayout
  private let histories: PriceHistories
  private let openings: RecordedOpenings
  private let grade: Freshness.Grade
  private let isTrusted: Bool
  /// True if changes from earlier prices are shown.
  private let isKnown: Bool
  private let clock: FeedClock
  private let isFrozen: Bool
  private let now: FrameTime
  private let chart: DetailChart?
  private let calculator: BetCalculator?
  private let words: Catalog
  /// The fair prices of the markets in view, by their indices in the match.
  private var fair: [Int32: FairPrices] = [:]

  /// Returns nil if the pane is not shown.
  init?(
    of state: borrowing BoardState, _ layout: Layout, _ shape: GlyphShape, _ cache: inout ChartCache, now: FrameTime
  ) {
    guard !layout.pane.isEmpty, let pane = state.detail.pane else { return nil }
    self.pane = pane
    self.layout = DetailLayout(layout, hasNotice: pane.notice != nil, hasCalculator: state.detail.ticket != nil)
    histories = state.detail.histories
    openings = state.list.rows.openings[pane.id] ?? RecordedOpenings()
    grade = pane.grade(state.connection)
    isTrusted = pane.showsLivePrices(state.connection)
    isKnown = pane.isKnown(state.connection) && pane.match?.tradingStatus.isTrusted ?? true
    clock = state.clock
    isFrozen = state.list.isFrozen
    self.now = now
    chart = DetailChart(of: state, pane, self.layout, shape, &cache, isKnown: isKnown, isTrusted: isTrusted)
    calculator = BetCalculator(of: state, pane)
    words = state.words
    if isTrusted, !self.layout.fair.isEmpty { findFairPrices(state.settings.marginMethod) }
  }

  /// The positions of the list that are in view.
  private var visible: Range<Int> {
    let first = min(pane.scroll.first, pane.list.count)
    return first..<min(first + layout.list.count, pane.list.count)
  }

  /// Computes the fair prices of each market in view once.
  private func findFairPrices(_ method: MarginMethod) {
    guard let match = pane.match else { return }
    for index in Set(pane.list.entries[visible].map(\.market)) {
      fair[index] = FairPrices(match.markets[Int(index)], method)
    }
  }

  /// Returns the content of a row of the screen, or nil if the pane does not cover it.
  func content(_ row: Int) -> DetailContent? {
    guard layout.rows.contains(row) else { return nil }
    if layout.list.contains(row) { return entry(pane.scroll.first + row - layout.list.lowerBound) }
    if layout.chart.contains(row) { return chart.map { .chart($0.row(row - layout.chart.lowerBound)) } ?? .blank }
    if layout.calculator.contains(row) {
      let rows = calculator?.rows(fitting: layout.calculator.count) ?? []
      let index = row - layout.calculator.lowerBound
      return index < rows.count ? .calculator(rows[index]) : .blank
    }
    switch row {
    case layout.name: return .name(DetailHead(pane))
    case layout.about: return .about(DetailHead(pane), grade: grade)
    case layout.notice: return pane.notice.map(DetailContent.notice) ?? .blank
    case layout.titles: return .titles(hasStakes: !(calculator?.stakes.isEmpty ?? true))
    case layout.chartTitle: return chart.map { .chartTitle($0.title) } ?? .blank
    case layout.axis: return chart?.axis ?? .blank
    case layout.times: return chart.map { .times($0.times) } ?? .blank
    default: return .blank
    }
  }

  private func entry(_ position: Int) -> DetailContent {
    guard let match = pane.match, position < pane.list.count else { return .blank }
    let entry = pane.list.entries[position]
    let market = match.markets[Int(entry.market)]
    if let row = entry.ladder, let index = entry.outcome, let prices = market.outcomes[Int(index)].exchange {
      return .ladder(
        DetailLadder(Int(row), of: prices, market.outcomes[Int(index)], in: market, isTrusted: isTrusted))
    }
    guard let index = entry.outcome, let key = pane.list.key(position) else {
      return .market(
        DetailMarket(
          name: market.name, handicap: market.handicap, margin: market.margin.map { Int(($0 * 1000).rounded()) },
          matched: market.exchange?.totalMatched, isSuspended: !market.isAvailable,
          isClosed: market.isClosed || pane.isFromHistory, isTrusted: isTrusted))
    }
    let outcome = market.outcomes[Int(index)]
    var cell = PriceCell(outcome, in: market)
    if isTrusted, let flash = pane.flashes[key], flash.until > now.uptime { cell.flash = flash }
    let history = histories[pane.id, key]
    let opening = openings.opening(of: key, firstOfRun: history?.opening)
    let changes = DetailLayout.spans.map { span in
      isKnown ? history?.change(over: span, at: pane.second, opening: opening) : nil
    }
    return .outcome(
      DetailOutcome(
        key: key, name: outcome.name, cell: cell, fair: fair[entry.market]?.odds(ofOutcomeAt: Int(index)),
        changes: changes, stake: stake(key), isMarked: pane.marks.contains(key), isChosen: key == pane.chosen,
        isTrusted: isTrusted))
  }

  private func stake(_ key: OutcomeKey) -> String? {
    guard let calculator, !calculator.stakes.isEmpty else { return nil }
    return calculator.stakes[key].map { words.number($0, in: calculator.unit) } ?? ""
  }

  /// The uptime at which the content changes by itself, or nil if it is static.
  var nextDeadline: Duration? {
    var steps: [Duration] = pane.flashes.values.map(\.until).filter { $0 > now.uptime }
    if isFrozen { return steps.min() }
    func add(_ second: Int) { if let step = clock.uptime(of: second, after: now.uptime) { steps.append(step) } }
    // The chart of a match of the history does not move.
    if let chart, !pane.isFromHistory { add(chart.nextSecond) }
    for position in visible {
      guard isKnown, let key = pane.list.key(position), let history = histories[pane.id, key] else { continue }
      for case let span? in DetailLayout.spans {
        if let next = history.nextChange(over: span, after: pane.second) { add(next) }
      }
    }
    return steps.min()
  }
}

extension DetailHead {
  init(_ pane: DetailPane) {
    guard let match = pane.match else {
      isUnknown = true
      return
    }
    labels = match.labels
    startTime = match.startTime
    // A match of the history that left the board while it was in progress may be over.
    status = pane.isFromHistory && match.status == .inProgress ? .unknown : match.status
    score = match.score
    minute = match.minute
    serving = match.serving
  }
}

extension DetailPane {
  var notice: DetailNotice? {
    if isFromHistory { return knownUntil.map { DetailNotice.fromHistory(until: $0) } ?? .loading }
    if isGone { return .gone }
    if let problem = subscription?.topic.problem { return .problem(problem) }
    if hasTopic == false { return .channelOnly }
    return isOwn ? nil : .loading
  }
}
