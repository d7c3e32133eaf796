import Algorithms
import Dashboard
import OddsHistory
import OddsModel
import TerminalCore

extension HistoryChart {
  /// The number of rows of an outcome's chart.
  private static let rows = 8
  /// The number of columns of a chart that leave room for a scale.
  private static let minWidth = 10
  /// The bits of the points of a braille character, by column from the top.
  private static let bits: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

  /// Returns the chart as lines of a terminal: the outcomes below each other.
  func text(columns: Int) -> String {
    let head = [title, subtitle].flatMap { $0.wrapped(to: columns) }
    return ((head + lines.flatMap { text(of: $0, columns: columns) }).joined(separator: "\n")) + "\n"
  }

  private func text(of line: Line, columns: Int) -> [String] {
    let (low, high) = (line.summary.low, line.summary.high)
    var labels = ["\(high)", "\(low)"]
    // In a narrow terminal, the prices of the heading have to do.
    if columns - labels.map(\.count).max()! - 1 < Self.minWidth { labels = ["", ""] }
    let scale = labels[0].isEmpty ? 0 : labels.map(\.count).max()! + 1
    let width = max(1, columns - scale)
    let parts = line.series.columns(2 * width, of: range)
    var points = Array(repeating: Array(repeating: UInt32(0), count: width), count: Self.rows)
    let top = Self.rows * 4 - 1
    func level(_ odds: DecimalOdds) -> Int {
      if low == high { return top / 2 }
      return top - Int((Double(odds.units - low.units) / Double(high.units - low.units) * Double(top)).rounded())
    }
    for (column, part) in parts.enumerated() {
      guard let candle = part.candle else { continue }
      for y in level(candle.high)...level(candle.low) {
        points[y / 4][column / 2] |= Self.bits[column % 2][y % 4]
      }
    }
    let heading = "\(line.name)  \(line.prices)  (\(line.summary.low)–\(line.summary.high))"
    var text = [""] + (heading.cellWidth <= columns ? [heading] : heading.wrapped(to: columns))
    for (index, row) in points.enumerated() {
      let label = index == 0 ? labels[0] : index == Self.rows - 1 ? labels[1] : ""
      let cells = String(String.UnicodeScalarView(row.map { $0 == 0 ? " " : Unicode.Scalar(0x2800 | $0)! }))
      text.append(
        String(repeating: " ", count: max(0, scale - 1 - label.count)) + label + (scale > 0 ? " " : "") + cells)
    }
    let axis = (0..<width).map { parts[2 * $0].isSuspended || parts[2 * $0 + 1].isSuspended ? "━" : "─" }
    text.append(String(repeating: " ", count: scale) + axis.joined())
    return text.map { $0.trimmingSuffix { $0 == " " } }.map(String.init)
  }
}
