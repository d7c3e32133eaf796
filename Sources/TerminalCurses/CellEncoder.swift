import CNCurses
import TerminalCore

/// Turns cells into the ones of ncurses.
struct CellEncoder {
  /// The result of the last `encode`.
  private(set) var cells: [cchar_t] = []
  private let styles: StyleTable
  private let glyphs: GlyphSet

  init(styles: StyleTable, glyphs: GlyphSet) {
    self.styles = styles
    self.glyphs = glyphs
  }

  /// Encodes part of a line into `cells`, one for each character: a wide one has no second cell there.
  mutating func encode(_ line: ArraySlice<Cell>) {
    cells.removeAll(keepingCapacity: true)
    for cell in line where cell.width > 0 {
      let look = styles[cell.style]
      if isDrawable(cell) {
        append(cell.scalar, mark: isDrawable(mark: cell.mark) ? cell.mark : 0, look)
      } else {
        // ncurses would take another number of columns, and shift the rest of the line.
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
    // NB: to the C library, a control character is -1 wide.
    return glyphs == .unicode && curses_width(wchar_t(cell.scalar)) == Int32(cell.width)
  }

  private func isDrawable(mark: UInt32) -> Bool {
    mark != 0 && glyphs == .unicode && curses_width(wchar_t(mark)) == 0
  }
}
