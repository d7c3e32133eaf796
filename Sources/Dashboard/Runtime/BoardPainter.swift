package import TerminalCore

/// Draws states into frames: formats the rows whose content changed, and finds the cells that differ.
package struct BoardPainter {
  /// The time for which a repainted row stays highlighted in the damage view.
  static let damageLength = Duration.milliseconds(150)

  package private(set) var frame = Frame(size: Size(rows: 0, columns: 0))
  private let glyphs: Glyphs
  private var contents: [RowContent] = []
  /// The key of each row's content; nil for a content without one.
  private var keys: [MatchContentKey?] = []
  /// The setup with which the rows were drawn.
  private var setup: RowFormatter.Setup?
  /// The source of the setup's layout.
  private var layoutSource: LayoutSource?
  /// The rows highlighted as damaged, and the uptime at which each highlight ends.
  private var highlightEnds: [Int: Duration] = [:]
  private var detailDeadline: Duration?
  private var charts = ChartCache()

  package init(glyphs: GlyphSet) { self.glyphs = Glyphs(glyphs) }

  /// The uptime at which the next highlight ends or the pane of the open match changes by itself; nil if there is none.
  var nextDeadline: Duration? { [highlightEnds.values.min(), detailDeadline].compactMap(\.self).min() }

  /// Draws the state. If `whole` is true, formats every row and damages every cell, as after a resize.
  @discardableResult
  package mutating func draw(
    _ state: BoardState, now: FrameTime, whole: Bool
  ) -> (damage: [RowDamage], report: FrameReport) {
    let isNew = frame.size != state.size
    if isNew {
      frame = Frame(size: state.size)
      contents = Array(repeating: .blank, count: frame.rows.count)
      keys = Array(repeating: nil, count: frame.rows.count)
      highlightEnds = [:]
    }
    let layout = layout(of: state)
    let formatter = RowFormatter(of: state, layout, glyphs, now: now)
    let isStyledAnew = setup != formatter.setup
    setup = formatter.setup
    var report = FrameReport()
    var damage: [RowDamage] = []
    let box = DialogBox(of: state)
    let pane = state.openPane(now: now)
    let detail = DetailTable(of: state, layout, glyphs.shape, &charts, now: now)
    detailDeadline = detail?.nextDeadline
    let isCovered = pane != nil || detail != nil || box != nil
    let newKeys = isCovered ? nil : MatchContentKeys(of: state, body: layout.body)
    let skips = !whole && !isStyledAnew
    for at in contents.indices {
      // NB: Making and comparing the contents of all rows costs more than drawing the few that have changed.
      let key = newKeys?.key(at: at)
      if skips, let key, key == keys[at], highlightEnds.isEmpty || highlightEnds[at] == nil { continue }
      keys[at] = key
      var content = state.rowContent(at, layout, pane, now: now)
      if let part = detail?.content(at) { content = layout.isSplit ? .split(content, part) : .detail(part) }
      if let part = box?.part(at) { content = .covered(content, part) }
      let isDifferent = contents[at] != content
      let isHighlightOver = highlightEnds[at].map { $0 <= now.uptime } ?? false
      guard isDifferent || isHighlightOver || whole || isNew || isStyledAnew else { continue }
      if isHighlightOver { highlightEnds[at] = nil }
      var row = formatter.row(content)
      if state.statusBar.showsDamage, layout.body.contains(at), isDifferent, !isNew, row != frame.rows[at] {
        highlightEnds[at] = now.uptime + Self.damageLength
      }
      if highlightEnds[at] != nil { row.lay(.damaged) }
      report.changes += content.changes(since: contents[at])
      contents[at] = content
      let columns = whole || isNew ? 0..<state.size.columns : row.damage(since: frame.rows[at])
      guard let columns, !columns.isEmpty else { continue }
      damage.append(RowDamage(row: at, columns: columns))
      frame.rows[at] = row
    }
    report.rows = damage.count
    report.isStatusOnly = damage.allSatisfy { !layout.body.contains($0.row) }
    return (damage, report)
  }

  /// Returns the layout of a state: that of the last frame if its source is the same.
  private mutating func layout(of state: borrowing BoardState) -> Layout {
    let source = state.layoutSource
    if let setup, layoutSource == source { return setup.layout }
    layoutSource = source
    return Layout(source)
  }
}

/// Returns the whole screen for a state, drawn from nothing.
package func view(_ state: BoardState, now: FrameTime, glyphs: GlyphSet = .unicode) -> Frame {
  var painter = BoardPainter(glyphs: glyphs)
  painter.draw(state, now: now, whole: false)
  return painter.frame
}
