import Localization
import OddsModel
import TerminalCore

extension RowFormatter {
  /// The widths of an amount and of the widest depth bar.
  private static let sizeWidth = 5
  private static let maxBar = 10

  /// Writes a level as `size bar price | price bar size`, or the summary of a ladder.
  func ladder(_ ladder: DetailLadder, into row: inout Row, _ places: DetailLayout) {
    let columns = places.columns.dropFirst(2)
    switch ladder.content {
    case .summary(let lastTraded, let matched):
      var parts: [String] = []
      if let lastTraded { parts.append(words(.ladderLastTraded, "\(price(lastTraded, ladder))")) }
      if let matched { parts.append(words(.ladderMatched, words.amount(matched))) }
      let text = words.text(parts.map(LocalizedMessage.verbatim), joinedBy: .joinedWords)
      clip(text, into: &row, columns, style: Style(.muted))
    case .level(let back, let lay):
      let half = columns.count / 2
      guard half > ShortText.priceWidth else { return }
      let bar = max(0, min(Self.maxBar, half - ShortText.priceWidth - Self.sizeWidth - 4))
      let middle = columns.lowerBound + min(half, ShortText.priceWidth + Self.sizeWidth + bar + 4)
      row.write(glyphs.separator.styled(Style(.muted)), at: middle)
      if let back { side(back, ladder, into: &row, columns.lowerBound..<middle, bar: bar, isBack: true) }
      if let lay { side(lay, ladder, into: &row, middle + 1..<columns.upperBound, bar: bar, isBack: false) }
    }
  }

  /// Writes one side: the price beside the middle, then the bar, then the amount.
  private func side(
    _ side: DetailLadder.Side, _ ladder: DetailLadder, into row: inout Row, _ columns: Range<Int>, bar: Int,
    isBack: Bool
  ) {
    let style = Style(ladder.isTrusted ? .plain : .muted)
    let text = price(side.odds, ladder)
    // The cell of the doubt mark, right after the price. On the left, a blank is between it and the separator.
    let end = isBack ? columns.upperBound - 2 : columns.lowerBound + 1 + ShortText.priceWidth
    row.write(text, at: end - text.count, style: style)
    if !ladder.isTrusted { row.write(Cell(glyphs.doubt.value, style: style), at: end) }
    let filled = side.depth > 0 ? max(1, Int((side.depth * Double(bar)).rounded())) : 0
    for index in 0..<min(bar, filled) {
      let column = isBack ? end - ShortText.priceWidth - 2 - index : end + 2 + index
      if columns.contains(column) { row.write(glyphs.bar.styled(Style(.muted)), at: column) }
    }
    let size = words.size(side.size)
    let first = isBack ? end - ShortText.priceWidth - 2 - bar - size.cellWidth : end + 3 + bar
    if first >= columns.lowerBound, first + size.cellWidth <= columns.upperBound {
      row.write(size, at: first, style: style, limit: columns.upperBound)
    }
  }

  /// Returns the text of a price; a line is a number and is never converted to an odds format.
  private func price(_ odds: DecimalOdds, _ ladder: DetailLadder) -> ShortText {
    words.price(odds, ladder.hasLines ? .decimal : setup.odds)
  }
}
