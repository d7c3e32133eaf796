/// A text table with right-aligned columns.
struct Table {
  private var rows: [[String]]

  init(_ head: [String]) { rows = [head] }

  mutating func add(_ row: [String]) { rows.append(row) }

  func show() {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max()! }
    for (index, row) in rows.enumerated() {
      let cells = zip(row, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }
      print("| \(cells.joined(separator: " | ")) |")
      if index == 0 { print("|\(widths.map { String(repeating: "-", count: $0 + 1) + ":" }.joined(separator: "|"))|") }
    }
  }
}
