import OddsFeed
import Wording

/// Which rows are to be shown: what somebody has typed, read.
struct RowFilter: Sendable {
  /// As it is written.
  let text: String
  private let node: QueryNode
  var context: QueryContext

  /// Nil where the text is blank, and every row fits.
  init?(_ text: String, _ words: Catalog, _ context: QueryContext) throws(QueryError) {
    guard let node = try QueryParser.node(text, words) else { return nil }
    (self.text, self.node, self.context) = (text, node, context)
  }

  /// What can be read already of a text that is no filter yet; nil where that is nothing.
  init?(startOf text: String, _ words: Catalog, _ context: QueryContext) {
    guard let node = QueryParser.start(text, words) else { return nil }
    (self.text, self.node, self.context) = (text, node, context)
  }

  func fits(_ row: MatchRow) -> Bool { node.fits(row, context) }

  /// Whether rows may begin or cease to fit as time goes by.
  var isTimed: Bool { node.isTimed }

  /// Whether it asks for pins.
  var isOfPins: Bool { node.isOfPins }

  /// The scalars of a match's names that have been found, by their places. Without words to be found, nil.
  func found(in labels: Match.Labels) -> [FoldedNames.Part: Set<Int>]? {
    let marks = node.marks
    if marks.isEmpty { return nil }
    var found: [FoldedNames.Part: Set<Int>] = [:]
    for part in FoldedNames.Part.searched {
      let text = FoldedText(labels[part])
      for (word, only) in marks where only == nil || only == part {
        let places = word.places(in: Array(text.letters.prefix(FoldedNames.mostLetters))) ?? []
        found[part, default: []].formUnion(places.map { text.places[$0] })
      }
    }
    return found
  }
}
