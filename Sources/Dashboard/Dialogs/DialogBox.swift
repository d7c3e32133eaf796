import AccountModel
import Localization
import TerminalCore

/// A dialog as it stands on the screen: where, and what on which of its lines.
struct DialogBox {
  struct Button: Equatable {
    let answer: Question.Answer
    let label: String
    let isChosen: Bool
    /// Of its first cell, within the box's inner columns.
    let at: Int

    /// With what stands around the label.
    var width: Int { label.cellWidth + 4 }
  }

  enum Content: Equatable {
    case blank
    case text(String, Style.Role)
    case buttons([Button])
    /// What is typed into it, from the box's inner column `at` on.
    case field(String, text: String, at: Int, isChosen: Bool)
    /// A password of that many bullets.
    case hidden(String, bullets: Int, at: Int, isChosen: Bool)
  }

  /// One line of the screen within the box.
  struct Part: Equatable {
    enum Edge: Equatable { case top(String), bottom }

    let columns: Range<Int>
    /// Nil where content stands.
    var edge: Edge?
    var content = Content.blank
    let isBordered: Bool

    /// Where content stands.
    var inner: Range<Int> {
      isBordered && columns.count > 4 ? columns.lowerBound + 2..<columns.upperBound - 2 : columns
    }
  }

  private static let borders = 4
  private static let most = 56

  private let rows: Range<Int>
  private let columns: Range<Int>
  private let title: String
  private let contents: [Content]
  private let isBordered: Bool

  /// The dialog that is open: in the middle of the rows, on more lines where those do not do.
  init?(of state: borrowing BoardState) {
    guard let dialog = state.dialog else { return nil }
    let (size, words) = (state.size, state.words)
    let room = min(size.columns >= 24 ? size.columns - Self.borders : size.columns, Self.most)
    let body = Layout.body(of: size)
    var lines: DialogLines
    switch dialog {
    case .question(let question): lines = DialogLines(question, room: room, words)
    case .login(let form): lines = DialogLines(form, isDemo: state.account?.canEndSession ?? false, room: room, words)
    }
    title = lines.title
    let area = lines.items.count + 2 <= body.count ? body : min(1, size.rows - 1)..<size.rows
    isBordered = size.columns >= 24 && lines.fit(area.count - 2, needsAll: true)
    if !isBordered {
      lines.items.insert((8, .text(title, .strong)), at: 0)
      _ = lines.fit(area.count, needsAll: false)
    }
    contents = lines.items.map(\.content)
    let (width, height) =
      isBordered ? (lines.width + Self.borders, contents.count + 2) : (size.columns, contents.count)
    let (top, left) = (area.lowerBound + (area.count - height) / 2, (size.columns - width) / 2)
    (rows, columns) = (top..<top + height, left..<left + width)
  }

  /// What of it stands on a line of the screen.
  func part(_ row: Int) -> Part? {
    guard rows.contains(row) else { return nil }
    if isBordered, row == rows.lowerBound { return Part(columns: columns, edge: .top(title), isBordered: true) }
    if isBordered, row == rows.upperBound - 1 { return Part(columns: columns, edge: .bottom, isBordered: true) }
    let content = contents[row - rows.lowerBound - (isBordered ? 1 : 0)]
    return Part(columns: columns, content: content, isBordered: isBordered)
  }

  /// The button at a cell.
  func answer(at press: MousePress) -> Question.Answer? {
    guard let part = part(press.row), case .buttons(let buttons) = part.content else { return nil }
    let column = press.column - part.inner.lowerBound
    return buttons.first { ($0.at..<$0.at + $0.width).contains(column) }?.answer
  }
}
