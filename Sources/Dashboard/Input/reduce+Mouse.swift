import Localization
import OddsFeed
import TerminalCore

extension BoardState {
  /// The maximum time between the clicks of a double click, which opens the row.
  static let doubleClick = Duration.milliseconds(400)
  /// The number of rows scrolled by a step of the wheel.
  static let wheelStep = 3

  /// The input modes that the terminal needs besides keys.
  var reports: InputModes {
    let mouse: InputModes = settings.usesMouse ? .mouse : []
    if let dialog { return mouse.union(dialog.reports) }
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
      switch spot(at: mouse, at: now) {
      case .tab(let tab): return open(tab, at: now)
      case .title: sort(byTitleAt: mouse.column, at: now)
      case .hint(let command): return perform(command, at: now)
      case .outcome(let line): chooseOutcome(at: line)
      case .row(let position):
        let id = rows[position].id
        moveCursor(to: position, at: now)
        if let last, last.match == id, now.uptime <= last.at + Self.doubleClick { return perform(.open, at: now) }
        clicked = (id, now.uptime)
      case nil: break
      }
    }
    return []
  }

  /// Scrolls the pane under the pointer, or the rows. The cursor stays on its row while that is visible.
  private mutating func turn(by step: Int, over mouse: MousePress, at now: FrameTime) {
    if overlay != nil { return move(.by(step), at: now) }
    if isDetailShown, layout.pane.contains(mouse.column) { return move(.by(step), at: now) }
    let height = max(1, visibleRows)
    top = max(0, min(top + step, rows.count - height))
    moveCursor(to: cursor < held ? cursor : min(max(cursor, top + held), top + height - 1), at: now)
  }

  mutating func toggleMouse(at now: FrameTime) {
    settings.usesMouse.toggle()
    show(StatusMessage(LocalizedMessage(settings.usesMouse ? .noteMouseOn : .noteMouseOff)), at: now)
  }
}
