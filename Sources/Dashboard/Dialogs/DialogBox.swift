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
    case buttons([Button])
    /// A text field. Its text begins at the inner column `at`.
    case field(String, text: String, at: Int, isChosen: Bool)
    /// A password field with that number of bullets.
    case hidden(String, bullets: Int, at: Int, isChosen: Bool)
  }

  /// The part of the box in one row of the screen.
  struct Part: Equatable {
    enum Edge: Equatable { case top(String), bottom }

    let columns: Range<Int>
    /// The border in this row, or nil if the row has content.
    var edge: Edge?
    var content = Content.blank
    let isBordered: Bool

    /// The columns of the content.
    var inner: Range<Int> {
      isBordered && columns.count > 4 ? columns.lowerBound + 2..<columns.upperBound - 2 : columns
    }
  }

  private static let borders = 4
  private static let limit = 56

  private let rows: Range<Int>
  private let columns: Range<Int>
  private let title: String
  private let contents: [Content]
  private let isBordered: Bool

  /// Lays out the open dialog, centered within the body of the board. If that is too small, uses more rows of the
  /// screen. Returns nil if no dialog is open.
  init?(of state: borrowing BoardState) {
    guard let dialog = state.dialog else { return nil }
    let (size, words) = (state.size, state.words)
    let room = min(size.columns >= 24 ? size.columns - Self.borders : size.columns, Self.limit)
    let body = Layout.body(of: size)
    var lines: DialogRows
    switch dialog {
    case .question(let question): lines = DialogRows(question, room: room, words)
    case .login(let form): lines = DialogRows(form, isDemo: state.account?.canEndSession ?? false, room: room, words)
    }
    title = lines.title
    let area = lines.items.count + 2 <= body.count ? body : min(1, size.rows - 1)..<size.rows
    isBordered = size.columns >= 24 && lines.fit(area.count - 2, needsAll: true)
    if !isBordered {
      lines.items.insert((8, .text(title, .strong)), at: 0)
      lines.fit(area.count, needsAll: false)
    }
    contents = lines.items.map(\.content)
    let (width, height) =
      isBordered ? (lines.width + Self.borders, contents.count + 2) : (size.columns, contents.count)
    let (top, left) = (area.lowerBound + (area.count - height) / 2, (size.columns - width) / 2)
    (rows, columns) = (top..<top + height, left..<left + width)
  }

  /// Returns the part of the dialog in a row of the screen, or nil if it does not cover the row.
  func part(_ row: Int) -> Part? {
    guard rows.contains(row) else { return nil }
    if isBordered, row == rows.lowerBound { return Part(columns: columns, edge: .top(title), isBordered: true) }
    if isBordered, row == rows.upperBound - 1 { return Part(columns: columns, edge: .bottom, isBordered: true) }
    let content = contents[row - rows.lowerBound - (isBordered ? 1 : 0)]
    return Part(columns: columns, content: content, isBordered: isBordered)
  }

  /// Returns the answer of the button at a cell.
  func answer(at press: MousePress) -> Question.Answer? {
    guard let part = part(press.row), case .buttons(let buttons) = part.content else { return nil }
    let column = press.column - part.inner.lowerBound
    return buttons.first { ($0.at..<$0.at + $0.width).contains(column) }?.answer
  }
}
