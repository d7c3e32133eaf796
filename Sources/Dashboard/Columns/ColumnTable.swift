import Localization
import TerminalCore

/// The rows of the chooser: the automatic choice, then all columns. The titles of the rows of matches stay above it.
struct ColumnTable: ScrollablePane {
  private static let markWidth = 3
  private static let indent = 1

  private let chooser: ColumnChooser
  private let isAutomatic: Bool
  private let selected: Int
  private let hidden: [BoardColumn]
  private let words: Catalog
  private let titleWidth: Int

  init(_ chooser: ColumnChooser, of state: BoardState) {
    self.chooser = chooser
    isAutomatic = state.settings.columns.isEmpty
    selected = state.overlay?.selected ?? 0
    hidden = state.layout.columns.hidden
    let words = state.words
    self.words = words
    titleWidth = chooser.columns.map { words.text($0.column.entry.title).cellWidth }.max() ?? 0
  }

  var hasTitle: Bool { false }
  var count: Int { chooser.columns.count + 1 }
  var entryCount: Int { count }

  func rows(ofEntry index: Int) -> Range<Int> { index..<index + 1 }

  func row(_ index: Int) -> PaneRow {
    var row = PaneRow()
    row.isSelected = index == selected
    let text = Self.indent + Self.markWidth + 1
    guard index > 0 else {
      row.add(isAutomatic ? "(*)" : "( )", at: Self.indent)
      row.add(words(.columnsAutomatic), at: text, .strong)
      return row
    }
    let column = chooser.columns[index - 1]
    let entry = column.column.entry
    let isOn = chooser.isOn.contains(column.column)
    row.add(isOn ? "[x]" : "[ ]", at: Self.indent)
    row.add(words.text(entry.title), at: text, to: text + titleWidth, isOn ? .strong : .plain)
    let isHidden = isOn && hidden.contains(column.column)
    let help = isHidden ? words(.columnsNoRoom) : "\(column.text): \(words.text(entry.help))"
    row.add(help, at: text + titleWidth + 2, isHidden ? .warning : .muted)
    return row
  }
}
