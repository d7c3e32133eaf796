import OddsFeed
import TerminalCore

extension BoardState {
  /// True where a match's pane is open, and nothing over it.
  var isDetailShown: Bool { detail != nil && overlay == nil }

  /// Where things stand on the screen.
  var layout: Layout { Layout(size: size, hasPane: isDetailShown, hasTrend: !settings.isLowBandwidth) }

  /// How far the prices in a match's pane can be trusted, the match's own word aside.
  var detailGrade: Freshness.Grade {
    guard let detail else { return staleness.grade }
    if detail.isGone { return .closed }
    return detail.isOwn ? detail.line?.staleness ?? .locked : staleness.grade
  }

  /// Whether the prices in a match's pane are known: as they are, or as they were when the feed ended.
  var isDetailKnown: Bool { detailGrade.isTrusted || connection == .ended && detail?.isGone != true }

  /// How many lines of a match's pane list its markets.
  var detailLines: Int { detailLayout?.list.count ?? 0 }

  private var detailLayout: DetailLayout? {
    detail.map { DetailLayout(Layout(size: size, hasPane: true), hasNotice: $0.notice != nil) }
  }

  /// The outcome on a line of the screen.
  func outcome(at row: Int) -> OutcomeKey? {
    guard let detail, let layout = detailLayout, isDetailShown, layout.list.contains(row) else { return nil }
    let position = detail.top + row - layout.list.lowerBound
    return position < detail.list.count ? detail.list.key(position) : nil
  }
}
