import Localization
import OddsFeed

/// What is looked for among the rows.
struct FilterSearch: Sendable {
  /// As it was typed last, finished or not.
  private(set) var text = ""
  /// What is looked for; nil where that is nothing.
  private(set) var filter: MatchFilter?
  /// What is wrong with the text.
  private(set) var error: FilterError?
  /// Other rows are shown too.
  var showsAll = false
  /// How many rows fit where all are shown.
  var found = 0
  /// Grows with each filter: what was found before is drawn anew.
  private(set) var revision = 0
  private var context = FilterContext()

  /// What the rows are filtered by; nil where all are shown.
  var hiding: MatchFilter? { showsAll ? nil : filter }

  /// Looks for another text; of one that is not finished, for what it begins with.
  mutating func find(_ text: String, _ words: Catalog, pinned: Set<MatchID>, at now: FrameTime) {
    (context.wall, context.pinned) = (now.wall, pinned)
    self.text = text
    revision += 1
    do {
      filter = try MatchFilter(text, words, context)
      error = nil
    } catch {
      filter = MatchFilter(startOf: text, words, context)
      self.error = error
    }
  }

  mutating func clear() {
    (text, filter, error, showsAll) = ("", nil, nil, false)
    revision += 1
  }

  /// The same filter with what it asks for besides the rows; false where that changes nothing.
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

/// What is looked for, and how much of it there is.
struct FoundLine: Hashable {
  var text: String
  var found: Int
  var total: Int
  var showsAll: Bool
  /// How much of the channel that is chosen from; nil where it is all.
  var loaded: LoadedLine?
}

extension BoardState {
  /// Nil where nothing is looked for.
  var foundLine: FoundLine? {
    guard finder.filter != nil else { return nil }
    return FoundLine(
      text: finder.text, found: finder.showsAll ? finder.found : rows.count, total: rows.total,
      showsAll: finder.showsAll, loaded: loaded)
  }

  /// By which filter a row has been found; 0 for one that has not.
  func filterRevision(of row: MatchRow) -> Int {
    guard let filter = finder.filter, !finder.showsAll || filter.fits(row) else { return 0 }
    return finder.revision
  }
}
