/// One place on the screen: a character, its style, and how many cells it takes.
package struct Cell: Hashable, Sendable {
  /// The character's first scalar; 0 in the right half of a wide character.
  package var scalar: UInt32
  /// A combining mark upon it, or 0. A second mark on one character is not kept.
  package var mark: UInt32
  /// How it looks.
  package var style: Style
  /// 1, 2 for a wide character's left half, 0 for its right half.
  package var width: UInt8

  /// A cell with a character of that width (in terminal cells).
  package init(_ scalar: UInt32, mark: UInt32 = 0, style: Style = .plain, width: UInt8 = 1) {
    self.scalar = scalar
    self.mark = mark
    self.style = style
    self.width = width
  }

  /// An empty place.
  package static let blank = Cell(0x20)

  /// The right half of a wide character.
  package static func rightHalf(_ style: Style) -> Cell { Cell(0, style: style, width: 0) }
}

/// A position or extent in terminal cells.
package struct Size: Hashable, Sendable {
  /// Lines from the top.
  package var rows: Int
  /// Cells from the left.
  package var columns: Int

  /// An extent of that many rows and columns.
  package init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
  }
}
