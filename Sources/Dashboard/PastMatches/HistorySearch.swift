import OddsModel

/// A search for matches of the history.
package struct HistorySearch: Hashable, Sendable {
  /// The maximum number of matches that a search finds.
  package static let limit = 200

  /// The number of the search. A later one has a higher number.
  let number: Int
  /// The filter as it was typed; empty for all matches.
  let text: String
}

/// The matches of the history that a search has found, of which the user opens one.
struct HistoryChooser: Hashable, Sendable {
  let search: HistorySearch
  /// The matches without their markets, the newest first; nil until they are read.
  var matches: [Match]?
}
