import Algorithms
import Dashboard
import Localization
import OddsHistory
import OddsModel
import TerminalCore

extension HistoryChart {
  /// The number of rows of an outcome's chart.
  private static let rows = 8
  /// The least number of columns of a chart that has a scale.
  private static let minWidth = 10

  /// Returns the chart as lines of a terminal: the outcomes below each other.
  func text(columns: Int, glyphs: GlyphSet) -> String {
    let head = [title, subtitle].flatMap { glyphs.shown($0).wrapped(to: columns) }
    let charts = lines.flatMap { text(of: $0, columns: columns, glyphs: glyphs) }
    return (head + charts).joined(separator: "\n") + "\n"
  }

  private func text(of line: Line, columns: Int, glyphs: GlyphSet) -> [String] {
    let (low, high) = (line.summary.low, line.summary.high)
    var labels = ["\(high)", "\(low)"]
    // A narrow terminal has no room for a scale. The heading has the same prices.
    if columns - labels.map(\.count).max()! - 1 < Self.minWidth { labels = ["", ""] }
    let scale = labels[0].isEmpty ? 0 : labels.map(\.count).max()! + 1
    let width = max(1, columns - scale)
    let shape = GlyphShape(glyphs)
    let parts = line.series.columns(shape.across * width, of: range)
    var points = Array(repeating: Array(repeating: Unicode.Scalar?.none, count: width), count: Self.rows)
    let top = Self.rows * shape.down - 1
    func level(_ odds: DecimalOdds) -> Int {
      if low == high { return top / 2 }
      return top - Int((Double(odds.units - low.units) / Double(high.units - low.units) * Double(top)).rounded())
    }
    for (column, part) in parts.enumerated() {
      guard let candle = part.candle else { continue }
      for y in level(candle.high)...level(candle.low) {
        shape.put(column % shape.across, y % shape.down, into: &points[y / shape.down][column / shape.across])
      }
    }
    let words = glyphs == .unicode ? CLILanguage.words : CLILanguage.words.ascii
    let heading = glyphs.shown("\(line.name)  \(line.prices(words))  (\(low)–\(high))")
    var text = [""] + (heading.cellWidth <= columns ? [heading] : heading.wrapped(to: columns))
    for (index, row) in points.enumerated() {
      let label = index == 0 ? labels[0] : index == Self.rows - 1 ? labels[1] : ""
      let cells = String(String.UnicodeScalarView(row.map { $0 ?? " " }))
      text.append(
        String(repeating: " ", count: max(0, scale - 1 - label.count)) + label + (scale > 0 ? " " : "") + cells)
    }
    let axis = glyphs == .unicode ? (open: "─", suspended: "━") : (open: "-", suspended: "=")
    let isSuspended = parts.chunks(ofCount: shape.across).map { $0.contains(where: \.isSuspended) }
    text.append(
      String(repeating: " ", count: scale) + isSuspended.map { $0 ? axis.suspended : axis.open }.joined())
    return text.map { $0.trimmingSuffix { $0 == " " } }.map(String.init)
  }
}

extension GlyphSet {
  /// Returns the text in the characters of the set. A character without a similar one in ASCII is a question mark.
  fileprivate func shown(_ text: String) -> String {
    self == .unicode ? text : String(text.inASCII.map { $0.isASCII ? $0 : "?" })
  }
}
