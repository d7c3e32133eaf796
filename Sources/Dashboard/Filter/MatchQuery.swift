package import Localization
package import OddsModel

/// A filter for the matches of the history.
package struct MatchQuery {
  private let filter: MatchFilter?

  /// Parses a filter. A blank text matches all.
  ///
  /// - Parameter wall: The current time in milliseconds since 1970.
  /// - Throws: `FilterError`, also for a field or a flag that the history does not record.
  package init(_ text: String, _ words: Catalog, wall: Int64) throws(FilterError) {
    filter = try MatchFilter(text, words, FilterContext(wall: wall))
    if let name = filter?.node.firstName(of: [.move, .minute], or: [.pinned]) {
      throw FilterError(at: 0, LocalizedMessage(.historyNoField, name))
    }
  }

  package func matches(_ match: Match) -> Bool {
    filter?.matches(MatchRow(match, now: .zero, newest: nil)) ?? true
  }
}
