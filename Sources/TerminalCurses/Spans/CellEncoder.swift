import CNCurses
import TerminalCore

/// An encoder from cells to the complex characters of ncurses.
struct CellEncoder {
  /// The result of the last `encode`.
  private(set) var cells: [cchar_t] = []
  let styles: StyleTable
  let glyphs: GlyphSet

  /// Encodes part of a row into `cells`, one element per character: the right half of a wide character has none.
  mutating func encode(_ line: ArraySlice<Cell>) {
    cells.removeAll(keepingCapacity: true)
    for cell in line where cell.width > 0 {
      let look = styles[cell.style]
      if isDrawable(cell) {
        append(cell.scalar, mark: isDrawable(mark: cell.mark) ? cell.mark : 0, look)
      } else {
        // ncurses would assume another width and shift the rest of the row.
        append(0x3F, mark: 0, look)
        if cell.width == 2 { append(0x20, mark: 0, look) }
      }
    }
  }

  private mutating func append(_ scalar: UInt32, mark: UInt32, _ look: StyleTable.Appearance) {
    var cell = cchar_t()
    _ = curses_set_cell(&cell, wchar_t(scalar), wchar_t(mark), look.attributes, look.pair)
    cells.append(cell)
  }

  private func isDrawable(_ cell: Cell) -> Bool {
    if 0x20..<0x7F ~= cell.scalar { return true }
    // NB: the C library returns -1 as the width of a control character.
    return glyphs == .unicode && curses_width(wchar_t(cell.scalar)) == Int32(cell.width)
  }

  private func isDrawable(mark: UInt32) -> Bool { mark != 0 && glyphs == .unicode && curses_width(wchar_t(mark)) == 0 }
}
