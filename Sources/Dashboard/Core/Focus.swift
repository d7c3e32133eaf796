/// A part that is open over the match rows. The topmost receives the keys.
enum Focus: Sendable {
  /// The open match. An overlay covers its pane.
  case detail(DetailPane)
  case overlay(Overlay)
  case prompt(Prompt)
  case dialog(Dialog)

  /// The rank in the stack. Each part is open at most once.
  fileprivate var rank: Int {
    switch self {
    case .detail: 0
    case .overlay: 1
    case .prompt: 2
    case .dialog: 3
    }
  }
}

/// A view that covers the match rows.
struct Overlay: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    /// The key table.
    case help
    /// The health of the current channel.
    indirect case inspector(Inspector)
    case account
    /// The alerts and their log.
    case alerts
  }

  var content: Content
  /// The index of the selected entry, in an overlay that has entries to select.
  var selected = 0
  var scroll = ScrollPosition()

  init(_ content: Content) { self.content = content }
}

extension BoardState {
  var detail: DetailPane? {
    get { if case .detail(let detail)? = focus.first { detail } else { nil } }
    // NB: takes the pane out of the stack while it changes, so that its collections are not copied.
    _modify {
      var detail = self.detail
      if detail != nil { focus.removeFirst() }
      defer { if let detail { focus.insert(.detail(detail), at: 0) } }
      yield &detail
    }
  }

  var overlay: Overlay? {
    get { focus.lazy.compactMap { if case .overlay(let overlay) = $0 { overlay } else { nil } }.first }
    set { setFocus(newValue.map(Focus.overlay), rank: 1) }
  }

  var prompt: Prompt? {
    get { focus.lazy.compactMap { if case .prompt(let prompt) = $0 { prompt } else { nil } }.first }
    set { setFocus(newValue.map(Focus.prompt), rank: 2) }
  }

  var dialog: Dialog? {
    get { if case .dialog(let dialog)? = focus.last { dialog } else { nil } }
    set { setFocus(newValue.map(Focus.dialog), rank: 3) }
  }

  private mutating func setFocus(_ part: Focus?, rank: Int) {
    focus.removeAll { $0.rank == rank }
    if let part { focus.insert(part, at: focus.firstIndex { $0.rank > rank } ?? focus.count) }
  }

  /// The inspector, or nil if it is not open.
  var inspector: Inspector? {
    get { if case .inspector(let inspector)? = overlay?.content { inspector } else { nil } }
    // NB: optional chaining on a nil value writes nil back. That must not close another overlay.
    set { if let newValue { overlay?.content = .inspector(newValue) } }
  }

  /// Opens an overlay in place of the one that is open. Closes it if it is open itself.
  ///
  /// - Returns: True if it is open now.
  @discardableResult
  mutating func toggle(_ content: Overlay.Content) -> Bool {
    let isOpen =
      switch (overlay?.content, content) {
      case (.inspector, .inspector): true
      case (let open, _): open == content
      }
    overlay = isOpen ? nil : Overlay(content)
    return !isOpen
  }

  /// Moves the selection of the open overlay, or scrolls it if it has none.
  mutating func moveInOverlay(_ movement: Movement, now: FrameTime) {
    guard var overlay else { return }
    let pane = pane(of: overlay.content, now: now)
    let height = max(1, list.height)
    overlay.selected = movement.target(from: overlay.selected, count: pane.entryCount)
    if pane.entryCount > 0 {
      overlay.scroll.reveal(pane.rows(ofEntry: overlay.selected), height: height)
    } else {
      overlay.scroll.move(movement, count: pane.count, height: height)
    }
    self.overlay = overlay
  }
}
