/// A cell of the screen: a character, its style and its width in terminal cells.
package struct Cell: Hashable, Sendable {
  /// The first scalar of the character; 0 in the right half of a wide character.
  package var scalar: UInt32
  /// The scalar of the combining mark on the character; 0 for none. A second mark on the same character is dropped.
  package var mark: UInt32
  package var style: Style
  /// The number of terminal cells: 1, 2 for the left half of a wide character, 0 for its right half.
  package var width: UInt8

  package init(_ scalar: UInt32, mark: UInt32 = 0, style: Style = .plain, width: UInt8 = 1) {
    self.scalar = scalar
    self.mark = mark
    self.style = style
    self.width = width
  }

  package static let blank = Cell(0x20)

  /// Returns the right half of a wide character.
  package static func rightHalf(_ style: Style) -> Cell { Cell(0, style: style, width: 0) }
}

/// A position or extent in terminal cells.
package struct Size: Hashable, Sendable {
  /// The number of rows, or the row from the top.
  package var rows: Int
  /// The number of columns, or the column from the left.
  package var columns: Int

  package init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
  }
}
