import TerminalCore

/// A writer of small changes, which go to the terminal without ncurses.
///
/// ncurses looks at the whole screen for each frame. The writer compares the damaged cells with those on the screen and
/// sends the spans that differ, grouped by style. It knows simple cells only (`PackedCell`); it refuses a frame in
/// which another cell has changed, or much of a row, so that ncurses paints it.
///
/// The writer leaves ordinary text on, and the cursor anywhere. ncurses does not know what the writer has sent: before
/// it paints again, it must be told (`takeChanges`).
struct SpanWriter {
  /// Changed cells side by side, all in one style.
  private struct Span {
    let row: Int
    var columns: Range<Int>
    let style: Int
  }

  /// The most changed cells of a row. A row that is new or has moved has more; ncurses may scroll it.
  private static let maxCells = 32
  /// The most unchanged cells to send again between two spans, where a movement of the cursor would be longer.
  private static let maxGap = 3

  let size: Size
  private let glyphs: GlyphSet
  private let sequences: StyleSequences
  private var cursor: CursorPath
  /// The cells on the screen, row by row.
  private var shown: [PackedCell]
  /// The columns of each row that ncurses does not know of, and the rows that have some.
  private var unknown: [Range<Int>]
  private var unknownRows: [Int] = []
  private var spans: [Span] = []
  /// The bytes of the last frame.
  private(set) var bytes: [UInt8] = []

  /// Creates a writer that knows no cell of the screen.
  init(size: Size, glyphs: GlyphSet, sequences: StyleSequences, cursor: CursorPath) {
    self.size = size
    self.glyphs = glyphs
    self.sequences = sequences
    self.cursor = cursor
    shown = Array(repeating: .notSimple, count: max(0, size.rows * size.columns))
    unknown = Array(repeating: 0..<0, count: max(0, size.rows))
  }

  /// Makes the bytes of a frame; they are to be sent. Returns false, without any change, if ncurses has to paint it.
  /// With `bracketed`, encloses a large frame in the marks of synchronized output.
  mutating func write(_ frame: Frame, _ damage: [RowDamage], bracketed: Bool = false) -> Bool {
    spans.removeAll(keepingCapacity: true)
    var styles: UInt64 = 0
    for part in damage where part.row < size.rows {
      let columns = part.columns.clamped(to: 0..<min(size.columns, frame.columns))
      guard findSpans(in: frame.rows[part.row], part.row, columns, &styles) else { return false }
    }
    bytes.removeAll(keepingCapacity: true)
    var style: Int?
    // Ordinary text has the lowest index and comes last: then its spans are often to the right of the cursor, and no
    // further bytes switch back to it.
    while styles != 0 {
      let next = UInt64.bitWidth - 1 - styles.leadingZeroBitCount
      styles &= ~(1 << UInt64(next))
      for span in spans where span.style == next {
        cursor.move(to: Size(rows: span.row, columns: span.columns.lowerBound), &bytes)
        sequences.append(from: style, to: next, to: &bytes)
        style = next
        send(span, of: frame)
      }
    }
    sequences.append(from: style, to: nil, to: &bytes)
    if bracketed, bytes.count >= FrameCapture.minBracketed {
      bytes.insert(contentsOf: TerminalTraits.beginFrame, at: 0)
      bytes += TerminalTraits.endFrame
    }
    return true
  }

  /// Appends the spans of a row. Returns false if the row is not for this writer.
  private mutating func findSpans(in row: Row, _ at: Int, _ columns: Range<Int>, _ styles: inout UInt64) -> Bool {
    row.cells.withUnsafeBufferPointer { cells in
      let first = at * size.columns
      var changes = 0
      // The end of the last span, if a further cell of its style continues it.
      var end = -1
      for column in columns {
        let (new, old) = (PackedCell(cells[column], glyphs), shown[first + column])
        guard new.isSimple, old.isSimple else { return false }
        if new == old {
          if !new.isASCII || end >= 0 && (new.style != spans[spans.count - 1].style || column - end >= Self.maxGap) {
            end = -1
          }
          continue
        }
        changes += 1
        if changes > Self.maxCells { return false }
        // NB: Some terminals scroll after a character in the last cell.
        if column == size.columns - 1, at == size.rows - 1 { return false }
        if end >= 0, spans[spans.count - 1].style == new.style {
          spans[spans.count - 1].columns = spans[spans.count - 1].columns.lowerBound..<column + 1
        } else {
          spans.append(Span(row: at, columns: column..<column + 1, style: new.style))
          styles |= 1 << UInt64(new.style)
        }
        end = column + 1
      }
      return true
    }
  }

  private mutating func send(_ span: Span, of frame: Frame) {
    let first = span.row * size.columns
    frame.rows[span.row].cells.withUnsafeBufferPointer { cells in
      for column in span.columns {
        let cell = PackedCell(cells[column], glyphs)
        cell.append(to: &bytes)
        shown[first + column] = cell
      }
    }
    // After the last column, the position of the cursor depends on the terminal.
    let end = span.columns.upperBound
    cursor.position = end < size.columns ? Size(rows: span.row, columns: end) : nil
    let old = unknown[span.row]
    if old.isEmpty { unknownRows.append(span.row) }
    unknown[span.row] =
      old.isEmpty ? span.columns : min(old.lowerBound, span.columns.lowerBound)..<max(old.upperBound, end)
  }

  /// Records cells that ncurses has painted, after which the cursor may be anywhere.
  mutating func painted(_ row: Row, at: Int, _ columns: Range<Int>) {
    cursor.position = nil
    let first = at * size.columns
    for column in columns { shown[first + column] = PackedCell(row.cells[column], glyphs) }
  }

  /// True if ncurses does not know of some cells.
  var hasChanges: Bool { !unknownRows.isEmpty }

  /// Calls `body` with the cells that ncurses does not know of, and considers them known.
  mutating func takeChanges(_ body: (_ row: Int, _ column: Int, _ cells: [Cell]) -> Void) {
    for row in unknownRows {
      // NB: A cell that is not simple among them has not been changed.
      for run in unknown[row].split(whereSeparator: { !shown[row * size.columns + $0].isSimple }) {
        body(row, run.lowerBound, run.map { shown[row * size.columns + $0].cell })
      }
      unknown[row] = 0..<0
    }
    unknownRows.removeAll(keepingCapacity: true)
  }
}
