import Localization
import OddsModel

/// A parsed filter for rows.
struct MatchFilter: Sendable {
  /// The text of the filter as typed.
  let text: String
  private let node: FilterNode
  var context: FilterContext

  /// Parses a filter. Returns nil if the text is blank, so that every row matches.
  init?(_ text: String, _ words: Catalog, _ context: FilterContext) throws(FilterError) {
    guard let node = try FilterParser.node(text, words) else { return nil }
    (self.text, self.node, self.context) = (text, node, context)
  }

  /// Parses the longest valid prefix of an incomplete filter. Returns nil if there is none.
  init?(startOf text: String, _ words: Catalog, _ context: FilterContext) {
    guard let node = FilterParser.start(text, words) else { return nil }
    (self.text, self.node, self.context) = (text, node, context)
  }

  func fits(_ row: MatchRow) -> Bool { node.fits(row, context) }

  /// True if the result for a row can change with time.
  var isTimed: Bool { node.isTimed }

  /// True if the filter depends on the pinned matches.
  var isOfPins: Bool { node.isOfPins }

  /// Returns the indices of the matched Unicode scalars in each name, or nil if the filter has no words to highlight.
  func found(in labels: Match.Names) -> [SearchIndex.Part: Set<Int>]? {
    let marks = node.marks
    if marks.isEmpty { return nil }
    var found: [SearchIndex.Part: Set<Int>] = [:]
    for part in SearchIndex.Part.searched {
      let text = FoldedText(labels[part])
      for (word, only) in marks where only == nil || only == part {
        let places = word.places(in: Array(text.letters.prefix(SearchIndex.mostLetters))) ?? []
        found[part, default: []].formUnion(places.map { text.places[$0] })
      }
    }
    return found
  }
}
