package import Localization
import TerminalCore

extension BoardState {
  /// Applies a filter to the rows. A blank text removes the filter.
  mutating func find(_ text: String, at now: FrameTime) {
    if text == finder.text { return }
    finder.find(text, words, pinned: list.rows.pinned, at: now)
    showFound(at: now)
  }

  /// Returns the error in the text of a filter, or nil if it is valid.
  package static func problem(ofFilter text: String, _ words: Catalog) -> FilterError? {
    do throws(FilterError) {
      try FilterParser.node(text, words)
      return nil
    } catch { return error }
  }

  mutating func clearFound(at now: FrameTime) {
    if finder.text.isEmpty { return }
    finder.clear()
    showFound(at: now)
  }

  /// Toggles whether rows that do not match are shown too.
  mutating func toggleShowAll(at now: FrameTime) {
    guard finder.filter != nil else { return show(StatusMessage(LocalizedMessage(.findNothing)), at: now) }
    finder.showsAll.toggle()
    showFound(at: now)
  }

  /// Applies the filter again if it depends on the time or on pins that have changed.
  mutating func renewFilter(at now: FrameTime) {
    if finder.renew(pinned: list.rows.pinned, at: now) { showFound(at: now) }
  }

  /// Hides the rows that do not match.
  private mutating func showFound(at now: FrameTime) {
    if let filter = finder.hiding {
      list.show(only: { filter.matches($0) }, at: now)
    } else {
      list.show(only: nil, at: now)
    }
    countFound()
  }

  mutating func countFound() {
    guard finder.showsAll, let filter = finder.filter else { return }
    var found = 0
    for row in list.rows.all where filter.matches(row) { found += 1 }
    finder.found = found
  }

  /// Moves the cursor to the next or previous matching row, and wraps around at the ends.
  mutating func jump(backwards: Bool, at now: FrameTime) {
    guard let filter = finder.filter else { return show(StatusMessage(LocalizedMessage(.findNothing)), at: now) }
    let count = list.rows.count
    let steps = (1..<count + 1).lazy.map { backwards ? count - $0 : $0 }
    let (rows, start) = (list.rows, list.cursor)
    guard let step = steps.first(where: { filter.matches(rows[(start + $0) % count]) }) else {
      return show(StatusMessage(noMatchMessage, isWarning: true), at: now)
    }
    let index = (start + step) % count
    let isAround = backwards ? index >= start : index <= start
    list.moveCursor(to: index, at: now)
    if isAround { show(StatusMessage(LocalizedMessage(backwards ? .findFromStart : .findFromEnd)), at: now) }
  }
}
