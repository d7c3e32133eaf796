import TerminalCore

/// A picture of a terminal's screen as SVG: text, not pixels, in the reader's own monospaced font.
struct ScreenPicture {
  /// The text for readers who do not see the picture.
  let title: String
  let rows: [[PictureCell]]
  let palette: PicturePalette

  // Lengths are in tenths of a pixel: all of them are then exact.
  static let (cellWidth, rowHeight) = (84, 180)
  private static let (baseline, underlineTop, lineWidth, margin) = (132, 150, 10, 140)

  /// The document.
  var svg: String {
    let columns = rows.map { $0.reduce(0) { $0 + $1.width } }.max() ?? 0
    let width = columns * Self.cellWidth + 2 * Self.margin
    let height = rows.count * Self.rowHeight + 2 * Self.margin
    let (w, h) = (Self.text(width), Self.text(height))
    let frame = "width=\"\(Self.text(width - 10))\" height=\"\(Self.text(height - 10))\" rx=\"8\""
    let fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
    let parts =
      [
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(w)" height="\(h)" viewBox="0 0 \(w) \(h)" role="img" \
        font-family="\(fonts)" font-size="14" fill="\(palette.foreground.text)">
        """, "<title>\(Self.escaped(title))</title>",
        "<rect x=\".5\" y=\".5\" \(frame) fill=\"\(palette.background.text)\" stroke=\"\(palette.border.text)\"/>",
        "<g transform=\"translate(\(Self.text(Self.margin)) \(Self.text(Self.margin)))\">",
      ] + backgrounds + rows.indices.flatMap(texts) + strokes + ["</g>", "</svg>"]
    return parts.joined(separator: "\n") + "\n"
  }

  /// The backgrounds of cells, without antialiasing, so that there are no gaps between rows.
  private var backgrounds: [String] {
    let bars = rows.enumerated().flatMap { index, row in
      PictureBar.bars(of: row) { cell in
        let color = palette.colors(of: cell.appearance).background
        return color == palette.background ? nil : color
      }.map { rectangle($0, top: index * Self.rowHeight, height: Self.rowHeight) }
    }
    return bars.isEmpty ? [] : ["<g shape-rendering=\"crispEdges\">"] + bars + ["</g>"]
  }

  private func rectangle(_ bar: PictureBar, top: Int, height: Int) -> String {
    let (x, y) = (Self.text(bar.column * Self.cellWidth), Self.text(top))
    let size = "width=\"\(Self.text(bar.width * Self.cellWidth))\" height=\"\(Self.text(height))\""
    return "<rect x=\"\(x)\" y=\"\(y)\" \(size) fill=\"\(bar.color.text)\"/>"
  }

  /// The texts of a row, and the lines below them.
  private func texts(_ index: Int) -> [String] {
    let top = index * Self.rowHeight
    let lines = PictureBar.bars(of: rows[index]) { cell in
      cell.appearance.attributes.contains(.underline) ? palette.colors(of: cell.appearance).foreground : nil
    }
    return lines.map { rectangle($0, top: top + Self.underlineTop, height: Self.lineWidth) }
      + PictureRun.runs(of: rows[index], palette).filter { !$0.kind.isDrawn }.map { text($0, top: top) }
  }

  private func text(_ run: PictureRun, top: Int) -> String {
    var attributes = "x=\"\(Self.text(run.column * Self.cellWidth))\" y=\"\(Self.text(top + Self.baseline))\""
    // The text has the same width in every font. Symbols are stretched, so that no gaps remain between them.
    attributes += " textLength=\"\(Self.text(run.width * Self.cellWidth))\""
    if run.kind == .symbols { attributes += " lengthAdjust=\"spacingAndGlyphs\"" }
    if run.color != palette.foreground { attributes += " fill=\"\(run.color.text)\"" }
    if run.attributes.contains(.bold) { attributes += " font-weight=\"bold\"" }
    if run.attributes.contains(.italic) { attributes += " font-style=\"italic\"" }
    return "<text \(attributes)>\(Self.escaped(run.text))</text>"
  }

  // MARK: Text

  /// Returns a length in pixels.
  static func text(_ tenths: Int) -> String {
    tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns the text as XML, without characters that XML forbids.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{FFFE}", "\u{FFFF}": result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
