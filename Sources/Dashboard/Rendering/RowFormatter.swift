import Localization
import OddsModel
import TerminalCore

/// A formatter that turns the content of rows into cells.
struct RowFormatter {
  /// The values that rows are drawn with besides their content. All rows are drawn again when one changes.
  struct Setup: Equatable {
    var layout: Layout
    let odds: OddsFormat
    let isLowBandwidth: Bool
    /// The method that makes fair prices.
    let marginMethod: MarginMethod
    let time: LocalTime
    /// The local day, in days since 1970. Start times on other days have a date.
    let today: Int
  }

  private(set) var setup: Setup
  let words: Catalog
  let glyphs: Glyphs

  init(of state: borrowing BoardState, _ layout: Layout, _ glyphs: Glyphs, now: FrameTime) {
    setup = Setup(
      layout: layout, odds: state.settings.odds, isLowBandwidth: state.settings.isLowBandwidth,
      marginMethod: state.settings.marginMethod, time: now.local,
      today: now.local.day(now.wall))
    words = state.words
    self.glyphs = glyphs
  }

  var layout: Layout { setup.layout }
  var width: Int { layout.size.columns }

  /// The formatter of the rows beside a match's pane.
  private var list: RowFormatter {
    var formatter = self
    formatter.setup.layout = layout.list
    return formatter
  }

  func row(_ content: RowContent) -> Row {
    switch content {
    case .blank: return Row(width: width)
    case .header(let header): return self.header(header)
    case .titles(let order): return titles(order)
    case .match(let match): return self.match(match)
    case .heading(let heading): return self.heading(heading)
    case .detail(let content):
      var row = Row(width: width)
      detail(content, into: &row)
      return row
    case .split(let list, let content): return split(self.list.row(list), content)
    case .paneTitle(let title): return paneTitle(title)
    case .pane(let row): return pane(row)
    case .covered(let content, let part):
      var row = row(content)
      cover(&row, with: part)
      return row
    case .counters(let content): return counters(content)
    case .hints(let hints): return row(hintPieces(hints))
    case .prompt(let content): return prompt(content)
    case .text(let text, let role):
      var row = Row(width: width)
      clip(text.capitalizedFirst, into: &row, 0..<width, style: Style(role))
      return row
    }
  }

  /// Writes text into columns; text that does not fit ends in an ellipsis.
  func clip(_ text: String, into row: inout Row, _ columns: Range<Int>, style: Style = .plain) {
    guard !columns.isEmpty else { return }
    let end = min(columns.upperBound, width)
    // NB: A text never has more cells than UTF-8 bytes, so a text with few bytes fits without measuring.
    if text.utf8.count <= columns.count || text.cellWidth <= columns.count {
      row.write(text, at: columns.lowerBound, style: style, limit: end)
    } else {
      let after = row.write(text, at: columns.lowerBound, style: style, limit: end - 1)
      row.write(glyphs.ellipsis.styled(style), at: after)
    }
  }

  func right(_ text: String, into row: inout Row, _ columns: Range<Int>, style: Style = .plain) {
    guard !columns.isEmpty else { return }
    row.write(
      text, at: max(columns.lowerBound, columns.upperBound - text.cellWidth), style: style, limit: columns.upperBound)
  }

  func right(_ text: ShortText, into row: inout Row, _ columns: Range<Int>, style: Style = .plain) {
    guard !columns.isEmpty else { return }
    row.write(text, at: max(columns.lowerBound, columns.upperBound - text.count), style: style)
  }
}

/// The symbols, by the terminal's character set.
struct Glyphs: Sendable {
  let up: Cell
  let down: Cell
  let ellipsis: Cell
  /// The marks of a group whose rows are hidden, and of one whose rows are shown.
  let folded: Cell
  let unfolded: Cell
  /// The mark after a price that may be out of date, and before the status in the header that gives the reason. It
  /// cannot be mistaken for a digit, an arrow or a unit, in any character set.
  let doubt: Unicode.Scalar = "?"
  /// The mark before the name of a match with an unread alert.
  let alert: Unicode.Scalar = "!"
  let live: String
  let ended: String
  let serving: Cell
  /// The mark of a side with a player sent off.
  let redCard: Cell
  /// The mark of an outcome for a dutch bet.
  let marked: Cell
  /// The cells of the bar that shows the position in a recording.
  let progress: (played: Cell, rest: Cell)
  /// The mark of a pinned row.
  let pin: Cell
  let micro: String
  let playing: String
  let paused: String
  /// The keys that jump; nil if the character set has no symbols for them.
  let jump: String?
  /// A figure that is not known.
  let unknown: String
  /// The symbol in place of a hidden character, and the mark of the serving side.
  let bullet: String
  /// The marks on both sides of the selected choice.
  let chosen: (String, String)
  let box: Box
  let shape: GlyphShape
  /// At most eight heights, from the lowest.
  let levels: [Cell]
  /// The axis of a chart: for times when the price could be bet on, and when it could not.
  let axis: (open: Cell, suspended: Cell)
  /// The line of a limit in a chart.
  let limit: Cell
  let separator: Cell
  /// A cell of a depth bar.
  let bar: Cell

  /// The lines and corners of frames.
  struct Box: Sendable {
    let horizontal, vertical, topLeft, topRight, bottomLeft, bottomRight: Cell
  }

  init(_ set: GlyphSet) {
    unknown = set == .unicode ? "—" : "-"
    shape = GlyphShape(set)
    switch set {
    case .unicode:
      up = Cell("▲")
      down = Cell("▼")
      ellipsis = Cell("…")
      serving = Cell("•")
      live = "●"
      ended = "■"
      micro = "µ"
      pin = Cell("★")
      playing = "▶"
      paused = "‖"
      jump = "←→"
      bullet = "•"
      chosen = ("▸", "◂")
      folded = Cell("▸")
      unfolded = Cell("▾")
      redCard = Cell("▮")
      marked = Cell("✓")
      progress = (Cell("━"), Cell("─"))
      separator = Cell("│")
      bar = Cell("▪")
      levels = "▁▂▃▄▅▆▇█".unicodeScalars.map { Cell($0) }
      axis = (Cell("─"), Cell("░"))
      limit = Cell("┄")
      box = Box(
        horizontal: Cell("─"), vertical: Cell("│"), topLeft: Cell("┌"), topRight: Cell("┐"), bottomLeft: Cell("└"),
        bottomRight: Cell("┘"))
    case .ascii:
      up = Cell("^")
      down = Cell("v")
      ellipsis = Cell("~")
      serving = Cell("*")
      live = "*"
      ended = "#"
      micro = "u"
      pin = Cell("#")
      playing = ">"
      paused = "="
      jump = nil
      bullet = "*"
      chosen = (">", "<")
      folded = Cell("+")
      unfolded = Cell("-")
      redCard = Cell("r")
      marked = Cell("x")
      progress = (Cell("="), Cell("-"))
      separator = Cell("|")
      bar = Cell("=")
      levels = "_.-^".unicodeScalars.map { Cell($0) }
      axis = (Cell("-"), Cell("x"))
      limit = Cell(".")
      box = Box(
        horizontal: Cell("-"), vertical: Cell("|"), topLeft: Cell("+"), topRight: Cell("+"), bottomLeft: Cell("+"),
        bottomRight: Cell("+"))
    }
  }
}

extension Cell {
  fileprivate init(_ character: Unicode.Scalar) { self.init(character.value) }

  var text: String { Unicode.Scalar(scalar).map { "\($0)" } ?? "" }

  func styled(_ style: Style) -> Cell { Cell(scalar, mark: mark, style: style, width: width) }
}
