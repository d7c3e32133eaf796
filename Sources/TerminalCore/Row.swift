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
    for place in 0..<text.count where cells.indices.contains(column + place) {
      put(Cell(UInt32(text[place]), style: style), at: column + place)
    }
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
    if cells[column].width == 0, column > 0 { cells[column - 1] = Cell(0x20, style: cells[column - 1].style) }
    let last = column + Int(cell.width) - 1
    if cells[last].width == 2, last + 1 < cells.count { cells[last + 1] = Cell(0x20, style: cells[last + 1].style) }
    cells[column] = cell
    if cell.width == 2 { cells[column + 1] = .rightHalf(cell.style) }
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
