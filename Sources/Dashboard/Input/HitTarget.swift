import Localization
import TerminalCore

/// An element of the board that can be clicked.
enum HitTarget: Hashable {
  case tab(Tab)
  /// The title of a sortable column.
  case title(RowOrder.Key)
  /// The row at that position.
  case row(Int)
  /// The outcome in that row of the screen, in the detail pane.
  case outcome(Int)
  /// The hint of a command in the footer.
  case hint(Command)
}

extension BoardState {
  /// Returns the target at a cell of the current layout, or nil if nothing there can be clicked.
  func hitTarget(at press: MousePress, at now: FrameTime) -> HitTarget? {
    guard 0..<size.rows ~= press.row, 0..<size.columns ~= press.column else { return nil }
    let layout = layout
    if layout.body.contains(press.row), isDetailShown, layout.pane.contains(press.column) { return .outcome(press.row) }
    let formatter = RowFormatter(of: self, layout, Glyphs(glyphs), at: now)
    switch rowContent(press.row, layout, openPane(at: now), at: now) {
    case .header(let line):
      return formatter.headerParts(line).tabs.first { $0.columns.contains(press.column) }.map { .tab($0.tab) }
    case .titles: return layout.list.key(ofTitleAt: press.column).map { .title($0) }
    case .match: return list.position(atRow: press.row - layout.body.lowerBound).map { .row($0) }
    case .hints(let line):
      var at = 0
      for piece in formatter.hintPieces(line) {
        at += piece.text.cellWidth
        if press.column < at { return piece.command.map { .hint($0) } }
      }
      return nil
    default: return nil
    }
  }

  /// The maximum time between the clicks of a double click, which opens the row.
  static let doubleClick = Duration.milliseconds(400)
  /// The number of rows scrolled by a step of the wheel.
  static let wheelStep = 3

  /// The input modes that the terminal needs besides keys.
  var inputModes: InputModes {
    let mouse: InputModes = settings.usesMouse ? .mouse : []
    if let dialog { return mouse.union(dialog.inputModes) }
    return prompt == nil ? mouse : mouse.union(.paste)
  }

  mutating func press(_ mouse: MousePress, at now: FrameTime) -> [Effect] {
    if dialog != nil { return press(mouse) }
    let last = clicked
    clicked = nil
    switch mouse.button {
    case .wheelUp: turn(by: -Self.wheelStep, over: mouse, at: now)
    case .wheelDown: turn(by: Self.wheelStep, over: mouse, at: now)
    case .middle, .right: break
    case .left:
      switch hitTarget(at: mouse, at: now) {
      case .tab(let tab): return open(tab, at: now)
      case .title: sort(byTitleAt: mouse.column, at: now)
      case .hint(let command): return perform(command, at: now)
      case .outcome(let line): chooseOutcome(at: line)
      case .row(let position):
        let id = list.rows[position].id
        list.moveCursor(to: position, at: now)
        if let last, last.match == id, now.uptime <= last.at + Self.doubleClick { return perform(.open, at: now) }
        clicked = (id, now.uptime)
      case nil: break
      }
    }
    return []
  }

  /// Scrolls the pane under the pointer, or the rows.
  private mutating func turn(by step: Int, over mouse: MousePress, at now: FrameTime) {
    if overlay != nil { return move(.by(step), at: now) }
    if isDetailShown, layout.pane.contains(mouse.column) { return move(.by(step), at: now) }
    list.scroll(by: step, at: now)
  }

  mutating func toggleMouse(at now: FrameTime) {
    settings.usesMouse.toggle()
    show(StatusMessage(LocalizedMessage(settings.usesMouse ? .noteMouseOn : .noteMouseOff)), at: now)
  }
}
