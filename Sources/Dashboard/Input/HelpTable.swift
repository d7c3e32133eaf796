import Localization
import TerminalCore

/// The rows of the help: the bindings that have a key, then symbols, columns, counters, commands, filters and alert
/// rules, each under a heading. The matches of a search are marked.
struct HelpTable: ScrollablePane {
  /// The least width of the column of labels, in cells.
  private static let labelWidth = 15
  /// The least width of a text beside its label. On a narrower screen texts are below their labels.
  private static let minTextWidth = 20
  private static let indent = 2

  private var rows: [PaneRow] = []
  /// The rows of each heading and each entry.
  private var lines: [Range<Int>] = []
  /// The lines that the search matches, in order.
  private(set) var matches: [Int] = []
  private let words: Catalog
  private let width: Int
  private let search: HelpSearch?
  private let pattern: [UInt16]
  private let searchKey: String?

  init(of state: borrowing BoardState) {
    let (words, keys) = (state.words, state.settings.keys)
    self.words = words
    width = state.size.columns
    search = state.overlay?.search
    pattern = search?.pattern ?? []
    searchKey = keys.keys(of: .find).first?.label(words)
    for group in KeyBinding.Group.allCases {
      let bindings = KeyBinding.all.filter { $0.group == group && $0.firstKey(keys) != nil }
      add(group.title, bindings.map { ($0.label(keys, words, cells: Self.labelWidth), words($0.help)) })
    }
    let sections: [(MessageKey, [HelpRow])] = [
      (.helpSymbols, HelpRow.symbols(state.glyphs, words)), (.helpColumns, HelpRow.columns),
      (.helpDetailColumns, HelpRow.detailColumns), (.helpCounterRows, HelpRow.counters(state.glyphs)),
      (.helpCommands, HelpRow.commands), (.helpFilters, HelpRow.filters), (.helpRules, HelpRow.rules),
    ]
    for (title, entries) in sections { add(title, entries.map { (words.text($0.label), words.text($0.help)) }) }
  }

  var count: Int { rows.count }

  /// The state of the search; without one, the key that starts it.
  var note: String? {
    guard let search else { return searchKey.map { "\($0) \(words(.hintSearch))" } }
    guard let index = search.line.flatMap({ matches.firstIndex(of: $0) }) else {
      return words(.searchNone, search.text)
    }
    return words(.searchCount, search.text, index + 1, matches.count)
  }

  func row(_ index: Int) -> PaneRow { rows[index] }

  /// Returns the rows of a line: a heading or an entry. Empty if there is no such line.
  func rows(ofLine line: Int) -> Range<Int> { lines.indices.contains(line) ? lines[line] : 0..<0 }

  /// Adds a section with a heading. A section without entries is left out.
  private mutating func add(_ title: MessageKey, _ entries: [(label: String, help: String)]) {
    if entries.isEmpty { return }
    if !rows.isEmpty { rows.append(.gap) }
    let title = words(title)
    add(title.wrapped(to: max(1, width - 1)).map { PaneRow($0, at: 1, .muted) }, title)
    let labelWidth = max(Self.labelWidth, entries.map(\.label.cellWidth).max() ?? 0)
    let start = 3 + min(labelWidth, max(Self.labelWidth, width / 2 - 3))
    for (label, help) in entries { add(layOut(label, help, start), label, help) }
  }

  /// Returns the rows of an entry. A label that does not fit before the column `start` has a row of its own.
  private func layOut(_ label: String, _ help: String, _ start: Int) -> [PaneRow] {
    let isNarrow = width - start < Self.minTextWidth
    let start = isNarrow ? 2 * Self.indent : start
    var rows = help.wrapped(to: max(1, width - start)).map { PaneRow($0, at: start) }
    if isNarrow || label.cellWidth > start - 1 - Self.indent || rows.isEmpty {
      rows.insert(PaneRow(label, at: Self.indent, .strong), at: 0)
    } else {
      rows[0].add(label, at: Self.indent, to: start - 1, .strong)
    }
    return rows
  }

  /// Adds the rows of a line. The search looks for its pattern in `texts`.
  private mutating func add(_ new: [PaneRow], _ texts: String...) {
    var new = new
    if !pattern.isEmpty, texts.contains(where: { !FoldedText($0).occurrences(of: pattern).isEmpty }) {
      for index in new.indices {
        new[index].mark(pattern)
        new[index].isSelected = search?.line == lines.count
      }
      matches.append(lines.count)
    }
    lines.append(rows.count..<rows.count + new.count)
    rows += new
  }
}
