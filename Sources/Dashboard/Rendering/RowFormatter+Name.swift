import TerminalCore

/// The columns of a match's name as it is drawn.
struct NameColumns {
  /// The columns of the whole name, or of its first side if the name is shortened.
  let first: Range<Int>
  /// The columns of the separator and the second side if the name is shortened, and the number of UTF-8 bytes before
  /// them.
  var rest: (columns: Range<Int>, bytes: Int)?
}

extension RowFormatter {
  /// Writes a name, shortened so that both sides stay readable: `Manchester Un… - Wolverham…`.
  @discardableResult
  func name(
    _ name: MatchName, _ text: String, into row: inout Row, _ columns: Range<Int>, style: Style
  ) -> NameColumns {
    guard text.utf8.count > columns.count, let cells = name.homeCells(in: columns.count) else {
      clip(text, into: &row, columns, style: style)
      return NameColumns(first: columns)
    }
    var at: Int
    if cells < name.homeCells {
      at = row.write(text, at: columns.lowerBound, style: style, limit: columns.lowerBound + cells - 1)
      while at > columns.lowerBound, row.cells[at - 1].isBlank { at -= 1 }
      row.write(glyphs.ellipsis.styled(style), at: at)
      at += 1
    } else {
      at = row.write(text, at: columns.lowerBound, style: style, limit: columns.lowerBound + cells)
    }
    let bytes = Int(name.homeBytes)
    clip(Self.end(of: text, from: bytes), into: &row, at..<max(at, columns.upperBound), style: style)
    return NameColumns(first: columns.lowerBound..<at, rest: (at..<max(at, columns.upperBound), bytes))
  }

  private static func end(of text: String, from bytes: Int) -> String { String(text.utf8.dropFirst(bytes)) ?? "" }

  /// Highlights the Unicode scalars of a name at `indices`, as far as the name is visible.
  func mark(_ indices: Set<Int>, of text: String, in row: inout Row, _ columns: NameColumns) {
    guard let rest = columns.rest else { return mark(indices, of: text, in: &row, columns.first) }
    let home = String(text.utf8.prefix(rest.bytes)) ?? ""
    mark(indices, of: home, in: &row, columns.first)
    let count = home.unicodeScalars.count
    let after = Set(indices.lazy.map { $0 - count }.filter { $0 >= 0 })
    mark(after, of: Self.end(of: text, from: rest.bytes), in: &row, rest.columns)
  }
}

extension Cell {
  fileprivate var isBlank: Bool { scalar == 0x20 && mark == 0 }
}
