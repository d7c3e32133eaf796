import OddsFeed

extension RowList {
  /// What the row at a position says in a channel whose prices can be trusted so far.
  func line(_ position: Int, isSelected: Bool, in channel: Staleness.Grade) -> MatchLine {
    self[position].line(
      isSelected: isSelected, isPinned: !pinned.isEmpty && pinned.contains(self[position].id),
      showsMove: order.key == .mover, in: channel)
  }
}

extension MatchRow {
  fileprivate func line(
    isSelected: Bool, isPinned: Bool, showsMove: Bool, in channel: Staleness.Grade
  ) -> MatchLine {
    let odds = MatchLine.Odds(first: prices.first.odds, middle: prices.middle.odds, last: prices.last.odds)
    return MatchLine(
      id: id, revision: revision, isSelected: isSelected, isPinned: isPinned, showsMove: showsMove,
      isTrusted: channel.isTrusted && own.isTrusted, odds: odds)
  }
}
