package import Localization
package import OddsModel

/// A filter for matches that are not on a board.
package struct MatchQuery {
  private let filter: MatchFilter?

  /// Parses a filter. A blank text matches all.
  ///
  /// - Parameter wall: The current time in milliseconds since 1970.
  package init(_ text: String, _ words: Catalog, wall: Int64) throws(FilterError) {
    filter = try MatchFilter(text, words, FilterContext(wall: wall))
  }

  package func matches(_ match: Match) -> Bool {
    filter?.matches(MatchRow(match, now: .zero, newest: nil)) ?? true
  }
}
