import CVTerm
import TerminalCore

extension VTermScreen {
  /// The rows of the screen as they are drawn.
  var pictureRows: [[PictureCell]] {
    (0..<size.rows).map { row in
      (0..<size.columns).compactMap { column in
        let cell = cell(row, column)
        if cell.is_right_half { return nil }
        let isWide = column + 1 < size.columns && self.cell(row, column + 1).is_right_half
        return PictureCell(
          text: text(row, column..<column + 1), width: isWide ? 2 : 1, appearance: Theme.Appearance(cell))
      }
    }
  }
}

extension Theme.Appearance {
  fileprivate init(_ cell: vterm_cell) {
    self.init(
      [], Color(index: cell.foreground, components: cell.true_foreground),
      on: Color(index: cell.background, components: cell.true_background))
    if cell.is_bold { attributes.insert(.bold) }
    if cell.font == FaintAsFont.font { attributes.insert(.dim) }
    if cell.is_underlined { attributes.insert(.underline) }
    if cell.is_italic { attributes.insert(.italic) }
    if cell.is_reversed { attributes.insert(.reverse) }
  }
}

extension Color {
  /// Creates a colour from an index in the palette or from components as `0xRRGGBB`; the absent one is -1.
  fileprivate init(index: CInt, components: CInt) {
    if let index = UInt8(exactly: index) {
      self = .palette(index)
    } else if components >= 0 {
      self = .rgb(
        UInt8(truncatingIfNeeded: components >> 16), UInt8(truncatingIfNeeded: components >> 8),
        UInt8(truncatingIfNeeded: components))
    } else {
      self = .standard
    }
  }
}
