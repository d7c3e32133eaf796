import Localization
import OddsModel
import TerminalCore

/// An element of the board that can be clicked.
enum HitTarget: Hashable {
  case tab(Tab)
  /// The title of a sortable column.
  case title(RowOrder.Key)
  /// The line of the list: a row, or the heading of a group.
  case line(Int)
  /// The outcome in that row of the screen, in the detail pane.
  case outcome(Int)
  /// A key hint, a chip, or the mark of a frozen screen.
  case hint(Command)
  /// A cell of the bar that shows the position in a recording.
  case progress(cell: Int, of: Int)

  /// Creates the target at a column of a row of pieces; nil if the piece there has no command.
  fileprivate init?(_ pieces: [RowFormatter.HintPiece], at column: Int) {
    if column < 0 { return nil }
    var end = 0
    for piece in pieces {
      end += piece.text.cellWidth
      guard column < end else { continue }
      guard let command = piece.command else { return nil }
      self = .hint(command)
      return
    }
    return nil
  }
}

extension BoardState {
  /// Returns the target at a cell of the current layout, or nil if nothing there can be clicked.
  func hitTarget(at press: MousePress, now: FrameTime) -> HitTarget? {
    guard 0..<size.rows ~= press.row, 0..<size.columns ~= press.column else { return nil }
    let layout = layout
    if layout.body.contains(press.row), isDetailShown, layout.pane.contains(press.column) { return .outcome(press.row) }
    let formatter = RowFormatter(of: self, layout, Glyphs(glyphs), now: now)
    switch rowContent(press.row, layout, openPane(now: now), now: now) {
    case .header(let content):
      let parts = formatter.headerParts(content)
      if parts.frozen?.columns.contains(press.column) == true { return .hint(.freeze) }
      if parts.progress.contains(press.column) {
        return .progress(cell: press.column - parts.progress.lowerBound, of: parts.progress.count)
      }
      return parts.tabs.first { $0.columns.contains(press.column) }.map { .tab($0.tab) }
    case .titles where layout.pane.contains(press.column): return nil
    case .titles: return layout.list.key(ofTitleAt: press.column).map { .title($0) }
    case .match, .heading: return list.line(atRow: press.row - layout.body.lowerBound).map { .line($0) }
    case .counters(let content):
      let parts = formatter.counterParts(content)
      return HitTarget(parts.chips, at: press.column - parts.chipStart)
    case .hints(let content): return HitTarget(formatter.hintPieces(content), at: press.column)
    default: return nil
    }
  }

  /// The maximum time between the clicks of a double click, which opens the row.
  static let doubleClick = Duration.milliseconds(400)
  /// The number of lines that one step of the mouse wheel scrolls.
  static let wheelStep = 3

  /// The input modes that the terminal needs besides keys.
  var inputModes: InputModes {
    let mouse: InputModes = settings.usesMouse ? .mouse : []
    if let dialog { return mouse.union(dialog.inputModes) }
    return promptBar.prompt == nil ? mouse : mouse.union(.paste)
  }

  mutating func press(_ mouse: MousePress, now: FrameTime) -> [Effect] {
    if case .question = account?.dialog, mouse.button == .left, let answer = DialogBox(of: self)?.answer(at: mouse) {
      let context = context(now)
      return account?.reduce(.answered(answer), context) ?? []
    }
    if account?.dialog == nil, copyMenu != nil {
      return mouse.button == .left ? DialogBox(of: self)?.item(at: mouse).map { copy(itemAt: $0) } ?? [] : []
    }
    if dialog != nil { return [] }
    let last = clicked
    clicked = nil
    switch mouse.button {
    case .wheelUp: return turn(by: -Self.wheelStep, over: mouse, now: now)
    case .wheelDown: return turn(by: Self.wheelStep, over: mouse, now: now)
    case .middle, .right: return []
    case .left: break
    }
    switch hitTarget(at: mouse, now: now) {
    case .tab(let tab): return open(tab, now: now)
    case .title(let key):
      return sort(by: RowOrder(key, isReversed: key == settings.order.key && !settings.order.isReversed), now: now)
    case .hint(let command): return perform(command, now: now)
    case .progress(let cell, let count):
      return clock.playback.map { [.seekTo($0.position(ofCell: cell, of: count))] } ?? []
    case .outcome(let row): return detail.outcome(at: row, size).map { detail.reduce(.choose($0), context(now)) } ?? []
    case .line(let line):
      list.reduce(.moveCursor(to: line), context(now))
      guard let id = list.selected?.id else { return toggleFold(now: now) }
      if let last, last.match == id, now.uptime <= last.at + Self.doubleClick { return openDetail(by: 0, now: now) }
      clicked = (id, now.uptime)
      return []
    case nil: return []
    }
  }

  /// Scrolls the pane under the pointer, or the rows.
  private mutating func turn(by step: Int, over mouse: MousePress, now: FrameTime) -> [Effect] {
    if overlay != nil || isDetailShown && layout.pane.contains(mouse.column) { return move(.by(step), now: now) }
    list.reduce(.scroll(by: step), context(now))
    return []
  }
}

extension Layout {
  /// Returns the column whose title is at a column of cells; nil if there is none.
  func key(ofTitleAt column: Int) -> BoardColumn? {
    // The mark of the order is in the gap after its column, so the column's end is included.
    columns.placed.first { $0.cells.lowerBound <= column && column <= $0.cells.upperBound }?.column
  }
}
