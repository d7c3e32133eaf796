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
  func hitTarget(at press: MousePress, now: FrameTime) -> HitTarget? {
    guard 0..<size.rows ~= press.row, 0..<size.columns ~= press.column else { return nil }
    let layout = layout
    if layout.body.contains(press.row), isDetailShown, layout.pane.contains(press.column) { return .outcome(press.row) }
    let formatter = RowFormatter(of: self, layout, Glyphs(glyphs), now: now)
    switch rowContent(press.row, layout, openPane(now: now), now: now) {
    case .header(let content):
      return formatter.headerParts(content).tabs.first { $0.columns.contains(press.column) }.map { .tab($0.tab) }
    case .titles: return layout.list.key(ofTitleAt: press.column).map { .title($0) }
    case .match: return list.position(atRow: press.row - layout.body.lowerBound).map { .row($0) }
    case .hints(let content):
      var at = 0
      for piece in formatter.hintPieces(content) {
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

  mutating func press(_ mouse: MousePress, now: FrameTime) -> [Effect] {
    if dialog != nil { return press(mouse) }
    let last = clicked
    clicked = nil
    switch mouse.button {
    case .wheelUp: turn(by: -Self.wheelStep, over: mouse, now: now)
    case .wheelDown: turn(by: Self.wheelStep, over: mouse, now: now)
    case .middle, .right: break
    case .left:
      switch hitTarget(at: mouse, now: now) {
      case .tab(let tab): return open(tab, now: now)
      case .title: sort(byTitleAt: mouse.column, now: now)
      case .hint(let command): return perform(command, now: now)
      case .outcome(let content): chooseOutcome(at: content)
      case .row(let position):
        let id = list.rows[position].id
        list.moveCursor(to: position, now: now)
        if let last, last.match == id, now.uptime <= last.at + Self.doubleClick { return perform(.open, now: now) }
        clicked = (id, now.uptime)
      case nil: break
      }
    }
    return []
  }

  /// Scrolls the pane under the pointer, or the rows.
  private mutating func turn(by step: Int, over mouse: MousePress, now: FrameTime) {
    if overlay != nil { return move(.by(step), now: now) }
    if isDetailShown, layout.pane.contains(mouse.column) { return move(.by(step), now: now) }
    list.scroll(by: step, now: now)
  }

  mutating func toggleMouse(now: FrameTime) {
    settings.usesMouse.toggle()
    show(StatusMessage(LocalizedMessage(settings.usesMouse ? .noteMouseOn : .noteMouseOff)), now: now)
  }
}
