package import Localization
import TerminalCore

extension BoardState {
  /// Applies a filter to the rows. A blank text removes the filter.
  mutating func find(_ text: String, now: FrameTime) {
    if text == filterState.text { return }
    filterState.find(text, words, pinned: list.rows.pinned, now: now)
    showFound(now: now)
  }

  /// Returns the error in the text of a filter, or nil if it is valid.
  package static func problem(ofFilter text: String, _ words: Catalog) -> FilterError? {
    do throws(FilterError) {
      try FilterParser.node(text, words)
      return nil
    } catch { return error }
  }

  mutating func clearFound(now: FrameTime) {
    if filterState.text.isEmpty { return }
    filterState.clear()
    showFound(now: now)
  }

  /// Toggles whether rows that do not match are shown too.
  mutating func toggleShowAll(now: FrameTime) {
    guard filterState.filter != nil else { return show(StatusMessage(LocalizedMessage(.findNothing)), now: now) }
    filterState.showsAll.toggle()
    showFound(now: now)
  }

  /// Applies the filter again if it depends on the time or on pins that have changed.
  mutating func renewFilter(now: FrameTime) {
    if filterState.renew(pinned: list.rows.pinned, now: now) { showFound(now: now) }
  }

  /// Hides the rows that do not match.
  private mutating func showFound(now: FrameTime) {
    if let filter = filterState.hiding {
      list.show(only: { filter.matches($0) }, now: now)
    } else {
      list.show(only: nil, now: now)
    }
    countFound()
  }

  mutating func countFound() {
    guard filterState.showsAll, let filter = filterState.filter else { return }
    var found = 0
    for row in list.rows.all where filter.matches(row) { found += 1 }
    filterState.found = found
  }

  /// Moves the cursor to the next or previous matching row, and wraps around at the ends.
  mutating func jump(backwards: Bool, now: FrameTime) {
    guard let filter = filterState.filter else { return show(StatusMessage(LocalizedMessage(.findNothing)), now: now) }
    let count = list.rows.count
    let steps = (1..<count + 1).lazy.map { backwards ? count - $0 : $0 }
    let (rows, start) = (list.rows, list.cursor)
    guard let step = steps.first(where: { filter.matches(rows[(start + $0) % count]) }) else {
      return show(StatusMessage(noMatchMessage, isWarning: true), now: now)
    }
    let index = (start + step) % count
    let isAround = backwards ? index >= start : index <= start
    list.moveCursor(to: index, now: now)
    if isAround { show(StatusMessage(LocalizedMessage(backwards ? .findFromStart : .findFromEnd)), now: now) }
  }
}
