package import Localization
import OddsModel

/// An error in a filter, a command or an alert rule.
package struct FilterError: LocalizedMessageError, Hashable {
  /// The position of the error, in characters from the start of the text.
  package let position: Int
  package let sentence: LocalizedMessage

  package init(at position: Int, _ sentence: LocalizedMessage) {
    self.position = position
    self.sentence = sentence
  }
}

struct MatchFilter: Sendable {
  let node: FilterNode
  var context: FilterContext

  func matches(_ row: MatchRow) -> Bool { node.matches(row, context) }
}

extension MatchFilter {
  /// Parses a filter. Returns nil if the text is blank, so that every row matches.
  init?(_ text: String, _ words: Catalog, _ context: FilterContext) throws(FilterError) {
    guard let node = try FilterParser.node(text) else { return nil }
    self.init(node: node, context: context)
  }
}

/// A word of a filter to highlight.
struct FilterMark: Hashable, Sendable {
  let word: FuzzyWord
  /// The only name to highlight the word in, or nil for all names.
  var part: SearchIndex.Part?
}

/// The part of a row that a filter highlights.
enum Highlight: Equatable {
  case none
  /// The whole name of the match.
  case name
  /// The letters that the words match.
  case words([FilterMark])
}

extension [FilterMark] {
  /// Returns the indices of the matched Unicode scalars in each name.
  func matchedIndices(in labels: Match.Names) -> [SearchIndex.Part: Set<Int>] {
    var indices: [SearchIndex.Part: Set<Int>] = [:]
    for part in SearchIndex.Part.searched {
      let text = FoldedText(labels[part])
      for mark in self where mark.part == nil || mark.part == part {
        let found = mark.word.matchedIndices(in: Array<UInt16>(text.letters.prefix(SearchIndex.maxLetters))) ?? []
        indices[part, default: []].formUnion(found.map { text.scalarIndices[$0] })
      }
    }
    return indices
  }
}

/// The search for rows: the typed text and the filter that it makes.
struct FilterSearch: Sendable {
  enum Action {
    /// Another text was typed. An invalid text has the effect of its longest valid prefix.
    case find(String)
    case clear
    /// Shows or hides the rows that do not match.
    case toggleShowAll
    /// A frame is due. The time or the pins may have changed.
    case frameDue
  }

  /// The text as it was typed last, complete or not.
  private(set) var text = ""
  private(set) var filter: MatchFilter?
  private(set) var error: FilterError?
  /// True if rows that do not match are shown too.
  private(set) var showsAll = false
  /// The number of matching rows while `showsAll` is true.
  private(set) var found = 0
  /// The words to highlight in the names of matching rows.
  private var marks: [FilterMark] = []

  /// True if the filter has words to highlight.
  var hasMarks: Bool { !marks.isEmpty }

  /// The filter that hides rows, or nil if all rows are shown.
  var hiding: MatchFilter? { showsAll ? nil : filter }

  /// Returns true if the rows are to be filtered again.
  mutating func reduce(_ action: Action, pinned: Set<MatchID>, words: Catalog, now: FrameTime) -> Bool {
    switch action {
    case .find(let text):
      if text == self.text { return false }
      self.text = text
      let context = FilterContext(wall: now.wall, pinned: pinned)
      do {
        filter = try MatchFilter(text, words, context)
        error = nil
      } catch {
        filter = FilterParser.start(text).map { MatchFilter(node: $0, context: context) }
        self.error = error
      }
      marks = filter?.node.marks ?? []
    case .clear:
      if text.isEmpty { return false }
      self = FilterSearch()
    case .toggleShowAll:
      if filter == nil { return false }
      showsAll.toggle()
    case .frameDue:
      guard let filter else { return false }
      let isLater = filter.node.isStepOver(from: filter.context.wall, to: now.wall)
      let isPinnedElse = filter.node.isOfPins && filter.context.pinned != pinned
      guard isLater || isPinnedElse else { return false }
      self.filter?.context = FilterContext(wall: now.wall, pinned: pinned)
    }
    return true
  }

  /// Returns the uptime at which the rows are to be filtered again because of the time; nil if the filter does not
  /// depend on the time.
  func nextDeadline(after now: FrameTime) -> Duration? { filter?.node.nextDeadline(after: now) }

  /// Counts the matching rows, if the others are shown too.
  mutating func count(in rows: RowList) {
    guard showsAll, let filter else { return }
    found = rows.all.count { filter.matches($0) }
  }

  /// Returns the names of a row in which words occur that occur in no visible name. Empty if the row does not match.
  func hiddenParts(of row: borrowing MatchRow, visible: [SearchIndex.Part]) -> Set<SearchIndex.Part> {
    guard let filter, !showsAll || filter.matches(row) else { return [] }
    let names = row.names
    var hidden: Set<SearchIndex.Part> = []
    for mark in marks {
      let parts = mark.part.map { [$0] } ?? SearchIndex.Part.searched
      let found = parts.filter { names.with($0, having: mark.word.mask, mark.word.matches) }
      if !found.contains(where: visible.contains) { hidden.formUnion(found) }
    }
    return hidden
  }

  func highlight(of row: borrowing MatchRow) -> Highlight {
    guard let filter, !showsAll || filter.matches(row) else { return .none }
    if !marks.isEmpty { return .words(marks) }
    return showsAll ? .name : .none
  }
}

struct FilterResult: Hashable {
  var text: String
  var found: Int
  var total: Int
  /// The part of the channel that is loaded, or nil if all of it is.
  var loaded: LoadedPart?
  /// The names without a column on this screen in which words of the filter occur, in rows on the screen.
  var hidden: [SearchIndex.Part] = []
}

extension BoardState {
  /// The filter text and the number of matching rows, or nil if there is no filter.
  var filterResult: FilterResult? {
    guard filterState.filter != nil else { return nil }
    return FilterResult(
      text: filterState.text, found: filterState.showsAll ? filterState.found : list.rows.count, total: list.rows.total,
      loaded: loaded, hidden: hiddenParts)
  }

  /// The names without a column in which words of the filter occur, in the rows on the screen.
  private var hiddenParts: [SearchIndex.Part] {
    guard filterState.hasMarks else { return [] }
    let shown = layout.columns.shown
    let visible = SearchIndex.Part.searched.filter { shown.contains($0.column) }
    if visible.count == SearchIndex.Part.searched.count { return [] }
    var hidden: Set<SearchIndex.Part> = []
    for lines in [list.visible.sticky, list.visible.scrolled] {
      for position in lines.compactMap({ list.rows.position(atLine: $0) }) {
        hidden.formUnion(list.rows.withRow(at: position) { filterState.hiddenParts(of: $0, visible: visible) })
      }
    }
    return SearchIndex.Part.searched.filter(hidden.contains)
  }
}
