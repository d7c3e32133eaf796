/// A row of the screen, exactly as wide as the screen.
package struct Row: Hashable, Sendable {
  /// The cells from the left.
  package private(set) var cells: [Cell]

  /// Creates an empty row of the given number of cells.
  package init(width: Int, style: Style = .plain) {
    cells = Array(repeating: Cell(0x20, style: style), count: max(0, width))
  }

  package var width: Int { cells.count }

  /// Writes text from a column on, clipped at the column `limit`, by default the end of the row.
  ///
  /// Cleans the text with `TextScanner`. Omits a wide character that does not fit completely.
  ///
  /// - Returns: The column after the last cell written.
  @discardableResult
  package mutating func write(_ text: String, at column: Int, style: Style = .plain, limit: Int? = nil) -> Int {
    let end = min(limit ?? cells.count, cells.count)
    var at = max(0, column)
    // A fast path: texts are written for every row that changes.
    let after = text.withPrintableASCII { bytes in
      let count = max(0, min(bytes.count, end - at))
      put(count, at: at, style: style) { bytes[$0] }
      return at + count
    }
    if let after { return after }
    for var cell in TextScanner(text) {
      if cell.width == 0 {
        if at > column, at <= end {
          let base = cells[at - 1].width == 0 ? at - 2 : at - 1
          if cells[base].mark == 0 { cells[base].mark = cell.mark }
        }
        continue
      }
      guard at + Int(cell.width) <= end else { break }
      cell.style = style
      put(cell, at: at)
      at += Int(cell.width)
    }
    return at
  }

  /// Writes a short text from a column on, clipped at the end of the row.
  package mutating func write(_ text: ShortText, at column: Int, style: Style = .plain) {
    let first = max(0, -column)
    put(min(text.count, cells.count - column) - first, at: column + first, style: style) { text[first + $0] }
  }

  /// Writes a cell at a column. Does nothing if the cell, with both halves of a wide one, does not fit in the row.
  package mutating func write(_ cell: Cell, at column: Int) {
    if column >= 0, column + Int(cell.width) <= cells.count { put(cell, at: column) }
  }

  /// Sets the background of a range of cells, by default of the whole row.
  package mutating func lay(_ ground: Style.Background, columns: Range<Int>? = nil) {
    for i in (columns ?? 0..<cells.count).clamped(to: 0..<cells.count) { cells[i].style.ground = ground }
  }

  /// Sets the role of a range of cells; their text is unchanged.
  package mutating func color(_ role: Style.Role, columns: Range<Int>) {
    for i in columns.clamped(to: 0..<cells.count) { cells[i].style.role = role }
  }

  /// Replaces a range of cells. The range must not cut a wide character.
  package mutating func replace(_ columns: Range<Int>, with new: ArraySlice<Cell>) {
    cells.replaceSubrange(columns, with: new)
  }

  private mutating func put(_ cell: Cell, at column: Int) {
    clearHalves(beside: column..<column + Int(cell.width))
    cells[column] = cell
    if cell.width == 2 { cells[column + 1] = .rightHalf(cell.style) }
  }

  /// Writes ASCII characters from a column on. Does nothing if `count` is not positive.
  @inline(__always)
  private mutating func put(_ count: Int, at column: Int, style: Style, _ character: (Int) -> UInt8) {
    guard count > 0 else { return }
    clearHalves(beside: column..<column + count)
    cells.withUnsafeMutableBufferPointer { cells in
      for index in 0..<count { cells[column + index] = Cell(UInt32(character(index)), style: style) }
    }
  }

  /// Blanks the other halves of wide characters that a range of columns cuts.
  private mutating func clearHalves(beside columns: Range<Int>) {
    let (first, end) = (columns.lowerBound, columns.upperBound)
    if cells[first].width == 0, first > 0 { cells[first - 1] = Cell(0x20, style: cells[first - 1].style) }
    if cells[end - 1].width == 2, end < cells.count { cells[end] = Cell(0x20, style: cells[end].style) }
  }
}

extension Row: CustomStringConvertible {
  /// The text of the row, without trailing blanks.
  package var description: String {
    var scalars = String.UnicodeScalarView()
    for cell in cells where cell.width > 0 {
      scalars.append(Unicode.Scalar(cell.scalar) ?? "\u{FFFD}")
      if cell.mark != 0, let mark = Unicode.Scalar(cell.mark) { scalars.append(mark) }
    }
    while scalars.last == " " { scalars.removeLast() }
    return String(scalars)
  }
}
