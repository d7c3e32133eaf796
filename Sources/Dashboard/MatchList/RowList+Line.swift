import OddsFeed

extension RowList {
  /// What the row at a position says in a channel whose prices can be trusted so far. NB: asked for each row of each frame,
  /// so only what is said is taken out of the row.
  func line(_ position: Int, isSelected: Bool, in channel: Freshness.Grade) -> MatchLine {
    let id = self[position].id
    return MatchLine(
      id: id, revision: self[position].revision, isSelected: isSelected,
      isPinned: !pinned.isEmpty && pinned.contains(id), showsMove: order.key == .mover,
      isTrusted: channel.isTrusted && self[position].own.isTrusted,
      odds: MatchLine.Odds(
        first: self[position].prices.first.odds, middle: self[position].prices.middle.odds,
        last: self[position].prices.last.odds))
  }
}
