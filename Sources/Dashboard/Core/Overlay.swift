import TerminalCore

/// A part that can be open over the match rows.
enum Focus {
  case detail, overlay, prompt, dialog
}

/// A view that covers the match rows.
struct Overlay: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case help, account, alerts
    indirect case inspector(Inspector)
    indirect case columns(ColumnChooser)
    indirect case history(HistoryChooser)
  }

  var content: Content
  /// The index of the selected entry, in an overlay that has entries to select.
  private(set) var selected = 0
  private(set) var scroll = ScrollPosition()
  /// The search in the help; nil if there is none.
  var search: HelpSearch?

  init(_ content: Content) { self.content = content }

  /// Moves the selection, or scrolls the rows if the overlay has no entries to select.
  mutating func move(_ movement: Movement, in pane: any ScrollablePane, height: Int) {
    selected = movement.target(from: selected, count: pane.entryCount)
    if pane.entryCount > 0 {
      scroll.reveal(pane.rows(ofEntry: selected), height: height)
    } else {
      scroll.move(movement, count: pane.count, height: height)
    }
  }

  /// Scrolls as little as possible so that rows are visible.
  mutating func reveal(_ rows: Range<Int>, height: Int) { scroll.reveal(rows, height: height) }
}

extension BoardState {
  /// The parts that are open over the match rows, from the bottom to the top. The topmost receives the keys.
  var focus: [Focus] {
    let parts: [Focus?] = [
      detail.pane == nil ? nil : .detail, overlay == nil ? nil : .overlay, promptBar.prompt == nil ? nil : .prompt,
      dialog == nil ? nil : .dialog,
    ]
    return parts.compactMap(\.self)
  }

  /// True if the open match's pane covers the rows, because the screen is too narrow for both.
  var detailCoversList: Bool { detail.pane != nil && size.columns < Layout.splitFrom }

  /// True if no pane covers the rows of the list.
  var isListShown: Bool { overlay == nil && !detailCoversList }

  var inspector: Inspector? {
    get { if case .inspector(let inspector)? = overlay?.content { inspector } else { nil } }
    // NB: optional chaining on a nil value writes nil back. That must not close another overlay.
    set { if let newValue { overlay?.content = .inspector(newValue) } }
  }

  /// Opens an overlay in place of the one that is open. Closes it if it is open itself.
  mutating func toggle(_ content: Overlay.Content) {
    let isOpen =
      switch (overlay?.content, content) {
      case (.inspector, .inspector): true
      case (let open, _): open == content
      }
    overlay = isOpen ? nil : Overlay(content)
  }

  mutating func moveInOverlay(_ movement: Movement, now: FrameTime) {
    guard let content = overlay?.content else { return }
    let pane = pane(of: content, now: now)
    overlay?.move(movement, in: pane, height: max(1, list.height))
  }

  /// Scrolls the open overlay so that its selected entry is visible on a screen of another size.
  mutating func revealSelectedEntry(now: FrameTime) {
    guard let overlay else { return }
    let pane = pane(of: overlay.content, now: now)
    if pane.entryCount == 0 { return }
    self.overlay?.reveal(pane.rows(ofEntry: overlay.selected), height: max(1, list.height))
  }

  /// Requests a health report from the channel if the inspector is open and a request is due.
  mutating func requestHealth(now: FrameTime) -> [Effect] {
    guard let due = inspector?.nextDeadline, due <= now.uptime else { return [] }
    lastRequestID += 1
    let id = lastRequestID
    inspector?.reduce(.requested(id: id), now: now.uptime)
    return [.requestHealth(id: id)]
  }
}
