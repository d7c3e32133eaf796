package import Localization
package import OddsModel

/// A filter for the matches of the history.
package struct MatchQuery: Sendable {
  private let filter: MatchFilter?

  /// Parses a filter. A blank text matches all.
  ///
  /// - Parameters:
  ///   - wall: The current time in milliseconds since 1970.
  ///   - hasPrices: False for a filter of matches that are read without their markets.
  /// - Throws: `FilterError`, also for a field or a flag that the history does not record, or that needs the prices.
  package init(_ text: String, _ words: Catalog, wall: Int64, hasPrices: Bool = true) throws(FilterError) {
    filter = try MatchFilter(text, words, FilterContext(wall: wall))
    if let name = filter?.node.firstName(of: [.move, .minute], or: [.pinned]) {
      throw FilterError(at: 0, LocalizedMessage(.historyNoField, name))
    }
    let priceFields: Set<FilterField> = [.odds, .favourite, .home, .draw, .away, .margin]
    if !hasPrices, let name = filter?.node.firstName(of: priceFields, or: [.suspended]) {
      throw FilterError(at: 0, LocalizedMessage(.historyNoPriceField, name))
    }
  }

  package func matches(_ match: Match) -> Bool {
    filter?.matches(MatchRow(match, now: .zero, newest: nil)) ?? true
  }
}
