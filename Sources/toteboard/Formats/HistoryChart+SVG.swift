import Localization
import OddsHistory
import OddsModel
import TerminalCore

extension HistoryChart {
  private static let width = 960
  private static let height = 480
  private static let plot = (left: 64, top: 72, right: 944, bottom: 420)
  /// The height of a row of the legend.
  private static let legendRow = 18
  /// The least distance between two labels above the plot.
  private static let labelDistance = 30.0
  private static let style = """
    svg { background: #ffffff; color: #1f2328; font: 13px system-ui, sans-serif; }
    text { fill: currentColor; } .title { font-size: 18px; font-weight: 600; } .muted { opacity: 0.65; }
    .grid { stroke: currentColor; opacity: 0.15; } .goal, .start { stroke: currentColor; stroke-dasharray: 4 3; opacity: 0.6; }
    .suspended { fill: currentColor; opacity: 0.5; } path { fill: none; stroke-width: 1.5; }
    .c0 { stroke: #0969da; } .c1 { stroke: #8250df; } .c2 { stroke: #bc4c00; } .c3 { stroke: #1a7f37; }
    .c4 { stroke: #cf222e; } .c5 { stroke: #6e7781; }
    @media (prefers-color-scheme: dark) {
      svg { background: #0d1117; color: #e6edf3; }
      .c0 { stroke: #58a6ff; } .c1 { stroke: #bc8cff; } .c2 { stroke: #ffa657; } .c3 { stroke: #3fb950; }
      .c4 { stroke: #ff7b72; } .c5 { stroke: #8b949e; }
    }
    """

  /// The chart as an SVG document, which follows the reader's light or dark scheme.
  var svg: String {
    let (legend, rows) = legend
    let body = [axes, marks] + lines.enumerated().map { line($1, $0) } + [legend]
    let height = Self.height + (rows - 1) * Self.legendRow
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(height)" width="\(Self.width)" \
      height="\(height)" role="img" aria-label="\(Self.escaped(title))">
      <style>
      \(Self.style)
      </style>
      <text class="title" x="16" y="28">\(Self.escaped(title))</text>
      <text class="muted" x="16" y="48">\(Self.escaped(subtitle))</text>
      \(body.joined())</svg>

      """
  }

  private func x(_ time: Int64) -> Double {
    let share = Double(time - range.lowerBound) / Double(range.upperBound - range.lowerBound)
    return Double(Self.plot.left) + share * Double(Self.plot.right - Self.plot.left)
  }

  private func y(_ odds: DecimalOdds) -> Double {
    let size = bounds.upperBound.units - bounds.lowerBound.units
    let share = size == 0 ? 0.5 : Double(odds.units - bounds.lowerBound.units) / Double(size)
    return Double(Self.plot.bottom) - share * Double(Self.plot.bottom - Self.plot.top)
  }

  private var axes: String {
    var text = ""
    for level in Self.levels(6, in: bounds) {
      let y = y(level).roundedToTenths
      text += "<line class=\"grid\" x1=\"\(Self.plot.left)\" x2=\"\(Self.plot.right)\" y1=\"\(y)\" y2=\"\(y)\"/>"
      text += "<text x=\"\(Self.plot.left - 8)\" y=\"\(y)\" dy=\"4\" text-anchor=\"end\">\(level)</text>\n"
    }
    let (step, times) = ticks(9)
    for time in times {
      let x = x(time).roundedToTenths
      text += "<line class=\"grid\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(Self.plot.top)\" y2=\"\(Self.plot.bottom)\"/>"
      let label = Self.tick(time, step: step)
      text += "<text x=\"\(x)\" y=\"\(Self.plot.bottom + 20)\" text-anchor=\"middle\">\(label)</text>\n"
    }
    return text
  }

  /// The goals and the begin of the match, without labels that are too near to the one before.
  private var marks: String {
    var text = ""
    var lastLabel = -Self.labelDistance
    func mark(_ time: Int64, _ name: String, _ label: String) {
      let place = x(time)
      let x = place.roundedToTenths
      text += "<line class=\"\(name)\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(Self.plot.top)\" y2=\"\(Self.plot.bottom)\"/>\n"
      if place - lastLabel < Self.labelDistance { return }
      lastLabel = place
      text += "<text x=\"\(x)\" y=\"\(Self.plot.top - 6)\" text-anchor=\"middle\">\(label)</text>\n"
    }
    if let kickOff { mark(kickOff, "start", "▶") }
    for goal in goals { mark(goal.time, "goal", "\(goal.score.home)-\(goal.score.away)") }
    return text
  }

  /// The line of an outcome: the range of prices within each point, and bars below it while the price was suspended. A
  /// price that was not known is a gap.
  private func line(_ line: Line, _ index: Int) -> String {
    let count = Self.plot.right - Self.plot.left
    var (path, bars) = ("", "")
    var isOpen = false
    let bar = Self.plot.bottom + 26 + 4 * (index % 6)
    for (column, part) in line.series.columns(count, of: range).enumerated() {
      let x = Self.plot.left + column
      if part.isSuspended { bars += "<rect class=\"suspended\" x=\"\(x)\" y=\"\(bar)\" width=\"1\" height=\"3\"/>" }
      guard let candle = part.candle else {
        isOpen = false
        continue
      }
      path += "\(isOpen ? "L" : "M")\(x) \(y(candle.open).roundedToTenths)"
      if candle.low != candle.high {
        path += "V\(y(candle.low).roundedToTenths)V\(y(candle.high).roundedToTenths)V\(y(candle.close).roundedToTenths)"
      }
      path += "h1"
      isOpen = !part.isUnknown
    }
    return "<path class=\"c\(index % 6)\" d=\"\(path)\"/>\n\(bars)\n"
  }

  /// The names of the outcomes with their prices in words, and the number of rows that they take.
  private var legend: (text: String, rows: Int) {
    let margin = 16
    var text = ""
    var x = margin
    var row = 0
    for (index, line) in lines.enumerated() {
      let label = "\(line.name)  \(line.prices(CLILanguage.words))"
      // The reader chooses the font: this is an estimate.
      let width = 22 + label.cellWidth * 8 + margin
      if x > margin, x + width > Self.width {
        x = margin
        row += 1
      }
      let y = Self.height - 4 + row * Self.legendRow
      text += "<path class=\"c\(index % 6)\" style=\"stroke-width:4\" d=\"M\(x) \(y - 4)h16\"/>"
      text += "<text x=\"\(x + 22)\" y=\"\(y)\" xml:space=\"preserve\">\(Self.escaped(label))</text>\n"
      x += width
    }
    return (text, row + 1)
  }

  /// Returns a text with the characters replaced that have a meaning in XML.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
