/// The characters that are drawn, because fonts differ in them: the dots of charts, and lines, which would have gaps.
extension ScreenPicture {
  /// The paths of all drawn characters, one for each kind and colour.
  var strokes: [String] {
    var paths: [(kind: PictureRun.Kind, color: PicturePalette.RGB, path: String)] = []
    for (index, row) in rows.enumerated() {
      for run in PictureRun.runs(of: row, palette) where run.kind.isDrawn {
        let top = index * Self.rowHeight
        let path = run.kind == .dots ? Self.dots(run, top: top) : Self.lines(run, top: top)
        if let known = paths.firstIndex(where: { $0.kind == run.kind && $0.color == run.color }) {
          paths[known].path += path
        } else {
          paths.append((run.kind, run.color, path))
        }
      }
    }
    return paths.filter { !$0.path.isEmpty }.map { kind, color, path in
      let style = kind == .dots ? "stroke-width=\"2.4\" stroke-linecap=\"round\"" : "shape-rendering=\"crispEdges\""
      return "<path stroke=\"\(color.text)\" \(style) d=\"\(path)\"/>"
    }
  }

  // MARK: Dots

  /// The bits of a braille pattern, by row and column of its dots.
  private static let bits: [[UInt32]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

  private static func dots(_ run: PictureRun, top: Int) -> String {
    var path = ""
    for (index, scalar) in run.text.unicodeScalars.enumerated() {
      let left = (run.column + index) * cellWidth
      for (row, bits) in bits.enumerated() {
        for (column, bit) in bits.enumerated() where (scalar.value - 0x2800) & bit != 0 {
          let x = left + (2 * column + 1) * cellWidth / 4
          let y = top + (2 * row + 1) * rowHeight / 8
          path += "M\(text(x)) \(text(y))h.1"
        }
      }
    }
    return path
  }

  // MARK: Lines

  /// The arms of a line's character, which meet in the middle of its cell.
  struct Arms: OptionSet {
    let rawValue: UInt8

    static let left = Arms(rawValue: 1)
    static let right = Arms(rawValue: 2)
    static let up = Arms(rawValue: 4)
    static let down = Arms(rawValue: 8)
  }

  static let arms: [Unicode.Scalar: Arms] = [
    "─": [.left, .right], "│": [.up, .down], "┌": [.right, .down], "┐": [.left, .down], "└": [.right, .up],
    "┘": [.left, .up], "├": [.right, .up, .down], "┤": [.left, .up, .down], "┬": [.left, .right, .down],
    "┴": [.left, .right, .up], "┼": [.left, .right, .up, .down],
  ]

  private static func lines(_ run: PictureRun, top: Int) -> String {
    var path = ""
    let middle = top + rowHeight / 2
    // The horizontal line that is not yet part of the path.
    var line: Range<Int>?
    func endLine() {
      if let line { path += "M\(text(line.lowerBound)) \(text(middle))H\(text(line.upperBound))" }
      line = nil
    }
    for (index, scalar) in run.text.unicodeScalars.enumerated() {
      let arms = arms[scalar] ?? []
      let left = (run.column + index) * cellWidth
      let center = left + cellWidth / 2
      if !arms.contains(.left) { endLine() }
      let start = arms.contains(.left) ? line?.lowerBound ?? left : center
      let end = arms.contains(.right) ? left + cellWidth : center
      if start < end { line = start..<end }
      if !arms.contains(.right) { endLine() }
      if !arms.isDisjoint(with: [.up, .down]) {
        let (first, last) = (arms.contains(.up) ? top : middle, arms.contains(.down) ? top + rowHeight : middle)
        path += "M\(text(center)) \(text(first))V\(text(last))"
      }
    }
    endLine()
    return path
  }
}
