/// A whole screen's content at one moment.
package struct Frame: Hashable, Sendable {
  /// The lines from the top, each as wide as the screen.
  package var rows: [Row]
  /// How wide the screen is, in cells.
  package let columns: Int

  /// An empty screen.
  package init(size: Size) {
    rows = Array(repeating: Row(width: size.columns), count: max(0, size.rows))
    columns = max(0, size.columns)
  }

  /// The screen's extent.
  package var size: Size { Size(rows: rows.count, columns: columns) }

  /// The frame as text, a line each, without trailing blanks.
  package var text: String { rows.map(\.description).joined(separator: "\n") }
}

/// The part of one line that differs between two frames.
package struct RowDamage: Hashable, Sendable {
  /// Which line, from 0.
  package let row: Int
  /// Which of its cells; never cuts a wide character of either frame.
  package let columns: Range<Int>

  /// Cells of a line.
  package init(row: Int, columns: Range<Int>) {
    self.row = row
    self.columns = columns
  }
}

extension Row {
  /// The smallest range of cells that differ from another line of the same width, or nil.
  package func damage(since old: Row) -> Range<Int>? {
    guard cells.count == old.cells.count else { return cells.isEmpty ? nil : 0..<cells.count }
    guard var first = cells.indices.first(where: { cells[$0] != old.cells[$0] }),
      var last = cells.indices.last(where: { cells[$0] != old.cells[$0] })
    else { return nil }
    while first > 0, cells[first].width == 0 || old.cells[first].width == 0 { first -= 1 }
    while last + 1 < cells.count, cells[last + 1].width == 0 || old.cells[last + 1].width == 0 { last += 1 }
    return first..<last + 1
  }
}

extension Frame {
  /// What differs from an older frame, line by line; everything where the sizes differ or there is none.
  package func damage(since old: Frame?) -> [RowDamage] {
    guard let old, old.size == size else {
      return columns == 0 ? [] : rows.indices.map { RowDamage(row: $0, columns: 0..<columns) }
    }
    return rows.indices.compactMap { at in
      rows[at].damage(since: old.rows[at]).map { RowDamage(row: at, columns: $0) }
    }
  }

  /// Copies the damaged cells from a newer frame: afterwards the two are equal.
  package mutating func apply(_ damage: [RowDamage], from new: Frame) {
    guard size == new.size else {
      self = new
      return
    }
    for part in damage { rows[part.row].replace(part.columns, with: new.rows[part.row].cells[part.columns]) }
  }
}
