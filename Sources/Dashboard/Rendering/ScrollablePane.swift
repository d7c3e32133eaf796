import Localization
import TerminalCore

/// A movement of a selection or of a scrolled view.
enum Movement: Hashable, Sendable {
  /// By a number of rows; towards the first row if negative.
  case by(Int)
  case toFirst, toLast

  /// Returns the index moved to, within `0..<count`. Returns 0 if `count` is 0.
  func target(from index: Int, count: Int) -> Int {
    let last = max(0, count - 1)
    return switch self {
    case .by(let step): max(0, min(index + step, last))
    case .toFirst: 0
    case .toLast: last
    }
  }
}

/// The first visible row of a list that scrolls.
struct ScrollPosition: Hashable, Sendable {
  private(set) var first = 0

  /// Returns the visible rows. The position is limited so that the view is full if there are enough rows.
  func visible(of count: Int, height: Int) -> Range<Int> {
    let first = max(0, min(first, count - height))
    return first..<max(first, min(first + height, count))
  }

  mutating func move(_ movement: Movement, count: Int, height: Int) {
    let most = max(0, count - height)
    first = movement.target(from: min(first, most), count: most + 1)
  }

  /// Scrolls as little as possible so that rows are visible. If not all fit, the last one is.
  mutating func reveal(_ rows: Range<Int>, height: Int) {
    first = max(min(first, rows.lowerBound), rows.upperBound - height)
  }

  /// Limits the position so that the view is full if there are enough rows.
  mutating func limit(to count: Int, height: Int) { first = max(0, min(first, count - height)) }
}

/// A row of an overlay: texts and their columns.
struct PaneRow: Equatable {
  struct Piece: Equatable {
    let column: Int
    /// The end of the piece's columns, or nil for the right edge.
    let end: Int?
    let text: String
    let role: Style.Role
    /// The indices of the Unicode scalars that a search highlights.
    fileprivate(set) var marks: Set<Int> = []
  }

  private(set) var pieces: [Piece] = []
  var isSelected = false

  static let gap = PaneRow()

  init() {}

  /// Creates a row with one text from a column to the right edge.
  init(_ text: String, at column: Int, _ role: Style.Role = .plain) { add(text, at: column, role) }

  /// Adds a text at a column. If it does not fit before `end`, its end is cut off.
  mutating func add(_ text: String, at column: Int, to end: Int? = nil, _ role: Style.Role = .plain) {
    if text.isEmpty { return }
    if let end, end <= column { return }
    pieces.append(Piece(column: column, end: end, text: text, role: role))
  }

  /// Highlights all occurrences of folded letters.
  mutating func mark(_ pattern: [UInt16]) {
    for index in pieces.indices { pieces[index].marks = FoldedText(pieces[index].text).occurrences(of: pattern) }
  }
}

/// The title above an overlay: the visible range of its rows, their number, and a note.
struct PaneTitle: Equatable {
  var shown: Range<Int>
  var count: Int
  var note: String?
}

/// The content of an overlay, computed once per frame.
protocol ScrollablePane {
  /// The number of rows.
  var count: Int { get }
  /// The number of entries of which one is selected.
  var entryCount: Int { get }
  /// False if the titles of the columns stay above the pane.
  var hasTitle: Bool { get }
  /// The note in the title; nil if there is none.
  var note: String? { get }
  func row(_ index: Int) -> PaneRow
  /// Returns the rows to show for a selected entry.
  func rows(ofEntry index: Int) -> Range<Int>
}

extension ScrollablePane {
  var entryCount: Int { 0 }
  var hasTitle: Bool { true }
  var note: String? { nil }
  func rows(ofEntry index: Int) -> Range<Int> { 0..<0 }
}

/// The message in place of match rows.
struct EmptyStatePane: ScrollablePane {
  private let lines: [String]

  init(_ text: String, width: Int) { lines = text.wrapped(to: width - 2) }

  var count: Int { lines.count }
  var hasTitle: Bool { false }
  func row(_ index: Int) -> PaneRow { PaneRow(lines[index], at: 1, .muted) }
}

/// A pane that covers the match rows or stands in their place, and its rows in view.
struct OpenPane {
  let pane: any ScrollablePane
  let visible: Range<Int>

  /// The title; nil if the titles of the columns stay.
  var title: RowContent? {
    pane.hasTitle ? .paneTitle(PaneTitle(shown: visible, count: pane.count, note: pane.note)) : nil
  }

  /// Returns the row at an index of the view; blank below the last row.
  func content(_ index: Int) -> RowContent {
    index < visible.count ? .pane(pane.row(visible.lowerBound + index)) : .blank
  }
}

extension BoardState {
  /// Returns the open overlay, or else the message in place of match rows; nil if there are rows.
  func openPane(now: FrameTime) -> OpenPane? {
    if overlay == nil, list.rows.count > 0 { return nil }
    let pane: any ScrollablePane =
      overlay.map { self.pane(of: $0.content, now: now) }
      ?? EmptyStatePane(emptyText, width: layout.list.size.columns)
    let scroll = overlay?.scroll ?? ScrollPosition()
    return OpenPane(pane: pane, visible: scroll.visible(of: pane.count, height: list.height))
  }

  func pane(of content: Overlay.Content, now: FrameTime) -> any ScrollablePane {
    switch content {
    case .help: HelpTable(of: self)
    case .inspector(let inspector): InspectorTable(inspector, of: self, now: now)
    case .account: AccountTable(of: self, now: now)
    case .alerts: AlertTable(of: self, now: now)
    case .columns(let chooser): ColumnTable(chooser, of: self)
    case .history(let chooser): HistoryTable(chooser, of: self, now: now)
    }
  }
}

extension RowFormatter {
  func paneTitle(_ title: PaneTitle) -> Row {
    var row = Row(width: width)
    var at = 2
    if title.shown.count < title.count {
      let lines = words(.inspectorLines, title.shown.lowerBound + 1, title.shown.upperBound, title.count)
      at = row.write(lines, at: at, style: Style(.muted)) + 2
    }
    if let note = title.note, at < width { clip(note, into: &row, at..<width, style: Style(.muted)) }
    return row
  }

  func pane(_ content: PaneRow) -> Row {
    var row = Row(width: width)
    write(content, into: &row, 0..<width)
    if content.isSelected { row.lay(.selected) }
    return row
  }

  func write(_ content: PaneRow, into row: inout Row, _ columns: Range<Int>) {
    for piece in content.pieces where columns.lowerBound + piece.column < columns.upperBound {
      let end = piece.end.map { columns.lowerBound + $0 } ?? columns.upperBound
      let range = columns.lowerBound + piece.column..<end
      clip(piece.text, into: &row, range, style: Style(piece.role))
      mark(piece.marks, of: piece.text, in: &row, range)
    }
  }
}
