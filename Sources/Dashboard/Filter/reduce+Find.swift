package import Localization
import OddsFeed
import TerminalCore

extension BoardState {
  /// Applies a filter to the rows. A blank text removes the filter.
  mutating func find(_ text: String, at now: FrameTime) {
    if text == finder.text { return }
    finder.find(text, words, pinned: rows.pinned, at: now)
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
    if finder.renew(pinned: rows.pinned, at: now) { showFound(at: now) }
  }

  /// Hides the rows that do not match. The cursor stays on its match or, if that is hidden, moves to the next visible
  /// one.
  private mutating func showFound(at now: FrameTime) {
    let rest = (min(cursor, rows.count)..<rows.count).map { rows[$0].id }
    let line = cursor - top
    if let filter = finder.hiding { show(only: { filter.fits($0) }, at: now) } else { show(only: nil, at: now) }
    countFound()
    for id in rest {
      guard let position = rows.position(of: id) else { continue }
      (cursor, top) = (position, position - line)
      break
    }
    scroll()
  }

  mutating func countFound() {
    guard finder.showsAll, let filter = finder.filter else { return }
    var found = 0
    for row in rows.all where filter.fits(row) { found += 1 }
    finder.found = found
  }

  /// Moves the cursor to the next or previous matching row, and wraps around at the ends.
  mutating func jump(backwards: Bool, at now: FrameTime) {
    guard let filter = finder.filter else { return show(StatusMessage(LocalizedMessage(.findNothing)), at: now) }
    let count = rows.count
    let steps = (1..<count + 1).lazy.map { backwards ? count - $0 : $0 }
    let (rows, start) = (rows, cursor)
    guard let step = steps.first(where: { filter.fits(rows[(start + $0) % count]) }) else {
      return show(StatusMessage(nothingFound, isWarning: true), at: now)
    }
    let place = (cursor + step) % count
    let isAround = backwards ? place >= cursor : place <= cursor
    moveCursor(to: place, at: now)
    if isAround { show(StatusMessage(LocalizedMessage(backwards ? .findFromStart : .findFromEnd)), at: now) }
  }
}
