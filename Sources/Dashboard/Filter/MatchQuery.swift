package import Localization
package import OddsModel

/// A filter for the matches of the history.
package struct MatchQuery: Sendable {
  /// The fields and flags that the history does not record.
  private static let unrecorded: (fields: Set<FilterField>, flags: Set<FilterFlag>) = ([.move, .minute], [.pinned])
  /// The fields and flags that need the markets of a match.
  private static let priced: (fields: Set<FilterField>, flags: Set<FilterFlag>) = (
    [.odds, .favourite, .home, .draw, .away, .margin], [.suspended]
  )
  /// The words for fields and flags that a filter without prices cannot have.
  static let unusable = Set(
    unrecorded.fields.union(priced.fields).map(\.rawValue) + unrecorded.flags.union(priced.flags).map(\.rawValue))

  private let filter: MatchFilter?

  /// Parses a filter. A blank text matches all.
  ///
  /// - Parameters:
  ///   - wall: The current time in milliseconds since 1970.
  ///   - hasPrices: False for a filter of matches that are read without their markets.
  /// - Throws: `FilterError`, also for a field or a flag that the history does not record, or that needs the prices.
  package init(_ text: String, _ words: Catalog, wall: Int64, hasPrices: Bool = true) throws(FilterError) {
    filter = try MatchFilter(text, words, FilterContext(wall: wall))
    if let name = filter?.node.firstName(of: Self.unrecorded.fields, or: Self.unrecorded.flags) {
      throw FilterError(at: 0, LocalizedMessage(.historyNoField, name))
    }
    if !hasPrices, let name = filter?.node.firstName(of: Self.priced.fields, or: Self.priced.flags) {
      throw FilterError(at: 0, LocalizedMessage(.historyNoPriceField, name))
    }
  }

  package func matches(_ match: Match) -> Bool {
    filter?.matches(MatchRow(match, now: .zero, newest: nil)) ?? true
  }
}
