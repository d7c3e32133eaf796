import AccountModel
import Localization
import TerminalCore

/// The layout of a dialog on the screen: its position and the content of each row.
struct DialogBox {
  struct Button: Equatable {
    let answer: Question.Answer
    let label: String
    let isChosen: Bool
    /// The column of the first cell, relative to the inner columns of the box.
    let at: Int

    /// The width including the decoration around the label.
    var width: Int { label.cellWidth + 4 }
  }

  enum Content: Equatable {
    case blank
    case text(String, Style.Role)
    /// An item of a menu, with its index.
    case item(Int, String, isChosen: Bool, isMuted: Bool)
    case buttons([Button])
    /// A text field. Its text begins at the inner column `at`.
    case field(String, text: String, at: Int, isChosen: Bool)
  }

  /// The part of the box in one row of the screen.
  struct Part: Equatable {
    enum Edge: Equatable { case top(String), bottom }

    let columns: Range<Int>
    /// The border in this row, or nil if the row has content.
    var edge: Edge?
    let content: PaneRow
    let isBordered: Bool
    /// The columns of the content.
    let inner: Range<Int>
  }

  /// The columns that the borders and the blanks beside them take.
  private static let borders = 4
  /// The greatest width of the contents, in cells.
  private static let limit = 56

  private let rows: Range<Int>
  private let columns: Range<Int>
  private let title: String
  private let contents: [Content]
  private let isBordered: Bool
  private let glyphs: Glyphs

  /// Lays out the open dialog in the center of the board's body, or of all rows but the first if the body is too small.
  init?(of state: borrowing BoardState) {
    guard let dialog = state.dialog else { return nil }
    let (size, words) = (state.size, state.words)
    glyphs = Glyphs(state.glyphs)
    let room = min(size.columns >= 24 ? size.columns - Self.borders : size.columns, Self.limit)
    let body = Layout.body(of: size)
    var lines =
      switch dialog {
      case .question(let question): DialogRows(question, room: room, words)
      case .login(let form): DialogRows(form, isDemo: state.account?.isDemo ?? false, room: room, words, glyphs)
      case .copy(let menu): DialogRows(state.copyItems(of: menu), selected: menu.selected, room: room, words)
      }
    title = lines.title
    let area = lines.items.count + 2 <= body.count ? body : min(1, size.rows - 1)..<size.rows
    isBordered = size.columns >= 24 && lines.fit(area.count - 2, needsAll: true)
    if !isBordered {
      lines.items.insert((8, .text(title, .strong)), at: 0)
      lines.fit(area.count, needsAll: false)
    }
    contents = lines.items.map(\.content)
    let (width, height) = isBordered ? (lines.width + Self.borders, contents.count + 2) : (size.columns, contents.count)
    let (top, left) = (area.lowerBound + (area.count - height) / 2, (size.columns - width) / 2)
    rows = top..<top + height
    columns = left..<left + width
  }

  /// The columns of the contents.
  private var inner: Range<Int> { isBordered ? columns.dropFirst(2).dropLast(2) : columns }

  /// Returns the part of the dialog in a row of the screen, or nil if it does not cover the row.
  func part(_ row: Int) -> Part? {
    guard rows.contains(row) else { return nil }
    var part = Part(
      columns: columns, content: content(row).row(width: inner.count, glyphs), isBordered: isBordered, inner: inner)
    if isBordered, row == rows.lowerBound { part.edge = .top(title) }
    if isBordered, row == rows.upperBound - 1 { part.edge = .bottom }
    return part
  }

  private func content(_ row: Int) -> Content {
    let index = row - rows.lowerBound - (isBordered ? 1 : 0)
    return contents.indices.contains(index) ? contents[index] : .blank
  }

  /// Returns the index of the menu item at a cell.
  func item(at press: MousePress) -> Int? {
    guard rows.contains(press.row), inner.contains(press.column), case .item(let index, _, _, _) = content(press.row)
    else { return nil }
    return index
  }

  /// Returns the answer of the button at a cell.
  func answer(at press: MousePress) -> Question.Answer? {
    guard rows.contains(press.row), case .buttons(let buttons) = content(press.row) else { return nil }
    let column = press.column - inner.lowerBound
    return buttons.first { ($0.at..<$0.at + $0.width).contains(column) }?.answer
  }
}

extension DialogBox.Content {
  fileprivate func row(width: Int, _ glyphs: Glyphs) -> PaneRow {
    var row = PaneRow()
    switch self {
    case .blank: break
    case .text(let text, let role): row.add(text, at: 0, role)
    case .item(_, let text, let isChosen, let isMuted):
      if isChosen { row.add(glyphs.chosen.0, at: 0) }
      row.add(text, at: 2, isMuted ? .muted : isChosen ? .strong : .plain)
    case .buttons(let buttons):
      for button in buttons {
        let (open, close) = button.isChosen ? ("[\(glyphs.chosen.0)", "\(glyphs.chosen.1)]") : ("[ ", " ]")
        row.add(
          open + button.label + close, at: button.at, to: min(button.at + button.width, width),
          button.isChosen ? .bar : .plain)
      }
    case .field(let label, let text, let column, let isChosen):
      if isChosen { row.add(glyphs.chosen.0, at: 0) }
      let start = min(column, width)
      row.add(label, at: 2, to: start, isChosen ? .strong : .muted)
      // A text that is too long is cut at its start. One cell is reserved for the cursor.
      var shown = text[...]
      while !shown.isEmpty, String(shown).cellWidth > width - start - 1 { shown = shown.dropFirst() }
      row.add(String(shown), at: start)
      let end = start + String(shown).cellWidth
      if end < width { row.add("_", at: end, isChosen ? .bar : .muted) }
      row.add(String(repeating: "_", count: max(0, width - end - 1)), at: end + 1, .muted)
    }
    return row
  }
}

extension RowFormatter {
  /// Draws one row of a dialog over the row of the board.
  func cover(_ row: inout Row, with part: DialogBox.Part) {
    for column in part.columns { row.write(.blank, at: column) }
    let (first, last) = (part.columns.lowerBound, part.columns.upperBound - 1)
    guard part.isBordered else { return write(part.content, into: &row, part.inner) }
    switch part.edge {
    case nil:
      row.write(glyphs.box.vertical, at: first)
      row.write(glyphs.box.vertical, at: last)
      write(part.content, into: &row, part.inner)
    case .top(let title):
      rule(&row, part.columns, glyphs.box.topLeft, glyphs.box.topRight)
      clip(" \(title) ", into: &row, first + 1..<last, style: Style(.strong))
    case .bottom: rule(&row, part.columns, glyphs.box.bottomLeft, glyphs.box.bottomRight)
    }
  }

  private func rule(_ row: inout Row, _ columns: Range<Int>, _ left: Cell, _ right: Cell) {
    for column in columns { row.write(glyphs.box.horizontal, at: column) }
    row.write(left, at: columns.lowerBound)
    row.write(right, at: columns.upperBound - 1)
  }
}
