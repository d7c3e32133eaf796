import Localization
import TerminalCore

/// A row of a pane over the match rows: texts and their columns.
struct PaneRow: Equatable {
  struct Piece: Equatable {
    let columns: Range<Int>
    let text: String
    let role: Style.Role
  }

  private(set) var pieces: [Piece] = []
  var isSelected = false

  static let gap = PaneRow()

  init() {}

  /// Creates a row with one text from a column to the right edge.
  init(_ text: String, at column: Int, _ role: Style.Role = .plain) { add(text, at: column, role) }

  mutating func add(_ text: String, at column: Int, _ role: Style.Role = .plain) { add(text, column..<Int.max, role) }

  mutating func add(_ text: String, _ columns: Range<Int>, _ role: Style.Role = .plain) {
    if !text.isEmpty, !columns.isEmpty { pieces.append(Piece(columns: columns, text: text, role: role)) }
  }
}

/// The title above a pane: the visible range of its rows, their number, and the hint of its keys.
struct PaneTitle: Equatable {
  var shown: Range<Int>
  var count: Int
  var keys: MessageKey?
}

/// The content of a pane over the match rows, computed once per frame.
protocol ScrollablePane {
  /// The number of rows.
  var count: Int { get }
  /// The number of rows to scroll down. Values beyond the end are limited when drawn.
  var scroll: Int { get }
  /// The hint of its keys; nil if there is none.
  var keys: MessageKey? { get }

  func row(_ line: Int) -> PaneRow
}

extension ScrollablePane {
  /// Returns the title above the visible rows.
  func title(_ visible: Int) -> Line { .paneTitle(PaneTitle(shown: shown(visible), count: count, keys: keys)) }

  /// Returns the visible row at an index; blank below the last row.
  func line(_ at: Int, _ visible: Int) -> Line {
    let line = shown(visible).lowerBound + at
    return line < shown(visible).upperBound ? .pane(row(line)) : .blank
  }

  private func shown(_ visible: Int) -> Range<Int> {
    let first = min(scroll, max(0, count - visible))
    return first..<min(first + visible, count)
  }
}

extension BoardState {
  /// Returns the content of the open pane; nil if none is open.
  func paneTable(at now: FrameTime) -> (any ScrollablePane)? {
    switch overlay {
    case .account(let scroll): AccountTable(of: self, scroll: scroll, at: now)
    case .alerts(let pane): AlertTable(of: self, pane, at: now)
    case .help, .inspector, nil: nil
    }
  }
}

extension LineFormatter {
  func paneTitle(_ title: PaneTitle) -> Row {
    let width = layout.size.columns
    var row = Row(width: width)
    var at = 2
    if title.shown.count < title.count {
      let lines = words(.inspectorLines, title.shown.lowerBound + 1, title.shown.upperBound, title.count)
      at = row.write(lines, at: at, style: Style(.muted)) + 2
    }
    if let keys = title.keys, at < width { clip(words(keys), into: &row, at..<width, style: Style(.muted)) }
    return row
  }

  func pane(_ line: PaneRow) -> Row {
    var row = Row(width: layout.size.columns)
    for piece in line.pieces {
      clip(piece.text, into: &row, piece.columns.clamped(to: 0..<row.width), style: Style(piece.role))
    }
    if line.isSelected { row.lay(.selected) }
    return row
  }
}
