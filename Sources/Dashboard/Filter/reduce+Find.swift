package import Localization
import OddsFeed
import TerminalCore

extension BoardState {
  /// Looks for a text among the rows; for nothing where it is blank.
  package mutating func find(_ text: String, at now: FrameTime) {
    if text == finder.text { return }
    finder.find(text, words, pinned: rows.pinned, at: now)
    showFound(at: now)
  }

  /// What is wrong with a text that is to be looked for; nil where nothing is.
  package static func problem(ofFilter text: String, _ words: Catalog) -> FilterError? {
    do throws(FilterError) {
      _ = try MatchFilter(text, words, FilterContext())
      return nil
    } catch { return error }
  }

  mutating func clearFound(at now: FrameTime) {
    if finder.text.isEmpty { return }
    finder.clear()
    showFound(at: now)
  }

  /// Shows the other rows too, or hides them.
  mutating func toggleShowAll(at now: FrameTime) {
    guard finder.filter != nil else { return tell(StatusMessage(LocalizedMessage(.findNothing)), at: now) }
    finder.showsAll.toggle()
    showFound(at: now)
  }

  /// What a filter asks for besides rows is looked up again where that is due.
  mutating func renewFilter(at now: FrameTime) {
    if finder.renew(pinned: rows.pinned, at: now) { showFound(at: now) }
  }

  /// Hides rows that do not fit. The cursor stays on its match; where that goes, on the one that comes next.
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

  /// Goes to the next row that fits, or the one before; from the last to the first.
  mutating func jump(backwards: Bool, at now: FrameTime) {
    guard let filter = finder.filter else { return tell(StatusMessage(LocalizedMessage(.findNothing)), at: now) }
    let count = rows.count
    let steps = (1..<count + 1).lazy.map { backwards ? count - $0 : $0 }
    let (rows, start) = (rows, cursor)
    guard let step = steps.first(where: { filter.fits(rows[(start + $0) % count]) }) else {
      return tell(StatusMessage(nothingFound, isWarning: true), at: now)
    }
    let place = (cursor + step) % count
    let isAround = backwards ? place >= cursor : place <= cursor
    moveCursor(to: place, at: now)
    if isAround { tell(StatusMessage(LocalizedMessage(backwards ? .findFromStart : .findFromEnd)), at: now) }
  }
}
