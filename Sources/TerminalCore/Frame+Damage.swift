/// The content of the whole screen at one moment.
package struct Frame: Hashable, Sendable {
  /// The rows from the top, each as wide as the screen.
  package var rows: [Row]
  package let columns: Int

  package init(size: Size) {
    rows = Array(repeating: Row(width: size.columns), count: max(0, size.rows))
    columns = max(0, size.columns)
  }

  package var size: Size { Size(rows: rows.count, columns: columns) }

  /// The frame as text, one line per row, without trailing blanks.
  package var text: String { rows.map(\.description).joined(separator: "\n") }

  /// Returns the differences from an older frame of the same size, at most one range per row; otherwise everything.
  package func damage(since old: Frame?) -> [RowDamage] {
    guard let old, old.size == size else {
      return columns == 0 ? [] : rows.indices.map { RowDamage(row: $0, columns: 0..<columns) }
    }
    return rows.indices.compactMap { at in
      rows[at].damage(since: old.rows[at]).map { RowDamage(row: at, columns: $0) }
    }
  }
}

/// The part of one row that differs between two frames.
package struct RowDamage: Hashable, Sendable {
  /// The index of the row, from 0.
  package let row: Int
  /// The range of columns that differ. Never cuts a wide character of either frame.
  package let columns: Range<Int>

  package init(row: Int, columns: Range<Int>) {
    self.row = row
    self.columns = columns
  }
}

extension Row {
  /// Returns the smallest range of cells that differs from an older row; all if the widths differ, nil if none does.
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
