import Localization
import OddsFeed

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

  /// The words to highlight in the names of matching rows.
  var marks: [FilterMark] { node.marks }
}

/// A word of a filter to highlight.
struct FilterMark: Hashable, Sendable {
  let word: FuzzyWord
  /// The only name to highlight the word in, or nil for all names.
  var part: SearchIndex.Part?
}

/// What a filter highlights in a row.
enum Highlight: Equatable {
  case none
  /// The whole name of the match.
  case name
  /// The letters that the words match.
  case words([FilterMark])
}

extension [FilterMark] {
  /// Returns the indices of the matched Unicode scalars in each name.
  func places(in labels: Match.Names) -> [SearchIndex.Part: Set<Int>] {
    var places: [SearchIndex.Part: Set<Int>] = [:]
    for part in SearchIndex.Part.searched {
      let text = FoldedText(labels[part])
      for mark in self where mark.part == nil || mark.part == part {
        let found = mark.word.places(in: Array<UInt16>(text.letters.prefix(SearchIndex.mostLetters))) ?? []
        places[part, default: []].formUnion(found.map { text.places[$0] })
      }
    }
    return places
  }
}
