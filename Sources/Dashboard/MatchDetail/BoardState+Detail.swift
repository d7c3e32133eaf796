import OddsFeed
import TerminalCore

extension BoardState {
  /// True if the detail pane is open and no overlay covers it.
  var isDetailShown: Bool { detail != nil && overlay == nil }

  /// The layout of the screen.
  var layout: Layout { Layout(size: size, hasPane: isDetailShown, hasTrend: !settings.isLowBandwidth) }

  /// The freshness of the prices in the detail pane, apart from the trading status of the match.
  var detailGrade: Freshness.Grade {
    guard let detail else { return staleness.grade }
    if detail.isGone { return .closed }
    return detail.isOwn ? detail.line?.staleness ?? .locked : staleness.grade
  }

  /// True if the prices in the detail pane are known: they can be trusted, or are the last ones of a feed that has
  /// ended.
  var isDetailKnown: Bool { detailGrade.isTrusted || connection == .ended && detail?.isGone != true }

  /// The number of rows for the list of markets in the detail pane.
  var detailLines: Int { detailLayout?.list.count ?? 0 }

  private var detailLayout: DetailLayout? {
    detail.map { DetailLayout(Layout(size: size, hasPane: true), hasNotice: $0.notice != nil) }
  }

  /// Returns the outcome in a row of the screen.
  func outcome(at row: Int) -> OutcomeKey? {
    guard let detail, let layout = detailLayout, isDetailShown, layout.list.contains(row) else { return nil }
    let position = detail.scroll.first + row - layout.list.lowerBound
    return position < detail.list.count ? detail.list.key(position) : nil
  }
}
