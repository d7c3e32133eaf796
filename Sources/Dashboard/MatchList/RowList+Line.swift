import OddsModel

extension RowList {
  /// Returns the content of the row at a position, in a channel with the given grade. NB: Called for each row of each
  /// frame; it reads single properties so that no row is copied.
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
