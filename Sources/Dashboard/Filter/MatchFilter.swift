import Localization
import OddsFeed

/// Which rows are to be shown: what somebody has typed, read.
struct MatchFilter: Sendable {
  /// As it is written.
  let text: String
  private let node: FilterNode
  var context: FilterContext

  /// Nil where the text is blank, and every row fits.
  init?(_ text: String, _ words: Catalog, _ context: FilterContext) throws(FilterError) {
    guard let node = try FilterParser.node(text, words) else { return nil }
    (self.text, self.node, self.context) = (text, node, context)
  }

  /// What can be read already of a text that is no filter yet; nil where that is nothing.
  init?(startOf text: String, _ words: Catalog, _ context: FilterContext) {
    guard let node = FilterParser.start(text, words) else { return nil }
    (self.text, self.node, self.context) = (text, node, context)
  }

  func fits(_ row: MatchRow) -> Bool { node.fits(row, context) }

  /// Whether rows may begin or cease to fit as time goes by.
  var isTimed: Bool { node.isTimed }

  /// Whether it asks for pins.
  var isOfPins: Bool { node.isOfPins }

  /// The scalars of a match's names that have been found, by their places. Without words to be found, nil.
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
