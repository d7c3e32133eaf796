import Localization
import OddsModel
import TerminalCore

/// The list of all columns, in which the user switches columns on and off and moves them. Columns that are off keep
/// their place in the list while it is open.
struct ColumnChooser: Hashable, Sendable {
  private(set) var columns: [ChosenColumn]
  private(set) var isOn = ColumnSet()

  /// Creates a list with the shown columns first and the others in the order of the table.
  init(shown: [ChosenColumn]) {
    columns = shown
    for column in shown { isOn.insert(column.column) }
    for entry in ColumnEntry.table where !isOn.contains(entry.column) { columns.append(ChosenColumn(entry.column)) }
  }

  /// The columns that are on, in the order of the list.
  var chosen: [ChosenColumn] { columns.filter { isOn.contains($0.column) } }

  /// Switches a column on or off. Returns false for the name, which stays on.
  mutating func toggle(_ index: Int) -> Bool {
    let column = columns[index].column
    if column == .name { return false }
    if isOn.contains(column) { isOn.remove(column) } else { isOn.insert(column) }
    return true
  }

  /// Moves a column by a number of places, at most to an end of the list. Returns its new index.
  mutating func move(_ index: Int, by step: Int) -> Int {
    let target = max(0, min(index + step, columns.count - 1))
    columns.insert(columns.remove(at: index), at: target)
    return target
  }
}

extension BoardState {
  var columnChooser: ColumnChooser? {
    if case .columns(let chooser)? = overlay?.content { chooser } else { nil }
  }

  /// The columns that the user has chosen, or else those of the automatic choice.
  private var shownColumns: [ChosenColumn] {
    settings.columns.isEmpty ? layout.columns.placed.map { ChosenColumn($0.column) } : settings.columns
  }

  mutating func toggleChooser() {
    overlay = columnChooser == nil ? Overlay(.columns(ColumnChooser(shown: shownColumns))) : nil
  }

  /// Updates the open chooser after a command or the configuration has changed the columns.
  mutating func updateChooser() {
    guard let chooser = columnChooser, settings.columns != chooser.chosen else { return }
    let content = Overlay.Content.columns(ColumnChooser(shown: shownColumns))
    overlay?.content = content
  }

  /// Switches the selected column on or off. The first entry of the chooser is the automatic choice.
  mutating func toggleColumn(now: FrameTime) -> [Effect] {
    guard var chooser = columnChooser, let index = overlay?.selected else { return [] }
    if index == 0 {
      let effects = set(\.columns, to: settings.columns.isEmpty ? chooser.chosen : [], now: now)
      let content = Overlay.Content.columns(ColumnChooser(shown: shownColumns))
      overlay?.content = content
      return effects
    }
    guard chooser.toggle(index - 1) else {
      return [.note(.columnsNameStays, chooser.columns[index - 1].column.entry.title)]
    }
    overlay?.content = .columns(chooser)
    return set(\.columns, to: chooser.chosen, now: now)
  }

  /// Moves the selected column by a number of places. The selection stays on it.
  mutating func moveColumn(by step: Int, now: FrameTime) -> [Effect] {
    guard var chooser = columnChooser, let index = overlay?.selected, index > 0 else { return [] }
    let before = chooser.chosen
    let target = chooser.move(index - 1, by: step)
    overlay?.content = .columns(chooser)
    moveInOverlay(.by(target + 1 - index), now: now)
    return chooser.chosen == before ? [] : set(\.columns, to: chooser.chosen, now: now)
  }
}
