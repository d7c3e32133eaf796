import Localization
import OddsFeed

/// The state of the search for rows: the typed text and the filter that it makes.
struct FilterSearch: Sendable {
  /// The text as it was typed last, complete or not.
  private(set) var text = ""
  /// The filter in force, or nil if there is none.
  private(set) var filter: MatchFilter?
  /// The error in the text, if any.
  private(set) var error: FilterError?
  /// True if rows that do not match are shown too.
  var showsAll = false
  /// The number of matching rows while `showsAll` is true.
  var found = 0
  /// The words to highlight in the names of matching rows.
  private var marks: [FilterMark] = []
  private var context = FilterContext()

  /// The filter that hides rows, or nil if all rows are shown.
  var hiding: MatchFilter? { showsAll ? nil : filter }

  /// Replaces the filter. If the text is invalid, applies its longest valid prefix.
  mutating func find(_ text: String, _ words: Catalog, pinned: Set<MatchID>, at now: FrameTime) {
    (context.wall, context.pinned) = (now.wall, pinned)
    self.text = text
    do {
      filter = try MatchFilter(text, words, context)
      error = nil
    } catch {
      filter = MatchFilter(startOf: text, words, context)
      self.error = error
    }
    marks = filter?.marks ?? []
  }

  mutating func clear() {
    self = FilterSearch()
  }

  /// Returns what to highlight in a row.
  func highlight(of row: borrowing MatchRow) -> Highlight {
    guard let filter, !showsAll || filter.fits(row) else { return .none }
    return !marks.isEmpty ? .words(marks) : showsAll ? .name : .none
  }

  /// Updates the time and the pins that the filter depends on. Returns false if this cannot change the result.
  mutating func renew(pinned: Set<MatchID>, at now: FrameTime) -> Bool {
    guard var filter else { return false }
    let isLater = filter.isTimed && filter.context.wall / 60_000 != now.wall / 60_000
    let isPinnedElse = filter.isOfPins && filter.context.pinned != pinned
    guard isLater || isPinnedElse else { return false }
    (context.wall, context.pinned) = (now.wall, pinned)
    filter.context = context
    self.filter = filter
    return true
  }
}

/// The filter text and the number of matching rows.
struct FoundLine: Hashable {
  var text: String
  var found: Int
  var total: Int
  var showsAll: Bool
  /// The part of the channel that is loaded, or nil if all of it is.
  var loaded: LoadedLine?
}

extension BoardState {
  /// The filter text and the number of matching rows, or nil if there is no filter.
  var foundLine: FoundLine? {
    guard finder.filter != nil else { return nil }
    return FoundLine(
      text: finder.text, found: finder.showsAll ? finder.found : rows.count, total: rows.total,
      showsAll: finder.showsAll, loaded: loaded)
  }
}
