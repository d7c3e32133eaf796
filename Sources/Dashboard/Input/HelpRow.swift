package import Localization
import TerminalCore

package enum HelpRow: Sendable {
  case gap
  case heading(MessageKey)
  case binding(KeyBinding)
  /// A text to type, and its effect.
  case entry(label: LocalizedMessage, help: MessageKey)

  package static let commands = NamedCommand.allCases.map { HelpRow.entry(label: .verbatim($0.usage), help: $0.help) }

  package static let filters =
    [.entry(label: .verbatim("ars"), help: .helpWords), .entry(label: .verbatim("\"ars\""), help: .helpText)]
    + FilterField.allCases.map { HelpRow.entry(label: .verbatim($0.usage), help: $0.help) }
    + FilterFlag.allCases.map { HelpRow.entry(label: .verbatim($0.rawValue), help: $0.help) }

  /// Example conditions of alert rules.
  package static let rules: [HelpRow] = [
    .entry(label: .verbatim("1 >= 2.10"), help: .helpRulePrice),
    .entry(label: .verbatim("market \"M\" outcome \"O\""), help: .helpRuleOutcome),
    .entry(label: .verbatim("any move 5% in 10m"), help: .helpRuleMove),
    .entry(label: .verbatim("suspended"), help: .helpRuleEvent),
  ]
}

/// The rows of the help: the bindings that have a key, grouped under headings, commands, filters and alert rules.
struct HelpTable: ScrollablePane {
  /// The width of key labels, in cells.
  private static let labelWidth = 15

  private var lines: [HelpRow] = []
  private let keys: KeyMap
  private let words: Catalog
  private let width: Int
  /// The width of the longest text to type, in cells.
  private let usageWidth: Int

  init(of state: borrowing BoardState) {
    let words = state.words
    (keys, self.words, width) = (state.settings.keys, words, state.size.columns)
    let entries = HelpRow.commands + HelpRow.filters + HelpRow.rules
    usageWidth = entries.map { if case .entry(let label, _) = $0 { words.text(label).cellWidth } else { 0 } }.max() ?? 0
    for group in KeyBinding.Group.allCases {
      let entries = KeyBinding.all.filter { $0.group == group && $0.firstKey(keys) != nil }
      if entries.isEmpty { continue }
      lines += (lines.isEmpty ? [] : [.gap]) + [.heading(group.title)] + entries.map(HelpRow.binding)
    }
    lines += [.gap, .heading(.helpCommands)] + HelpRow.commands + [.gap, .heading(.helpFilters)]
    lines += HelpRow.filters + [.gap, .heading(.helpRules)] + HelpRow.rules
  }

  var count: Int { lines.count }
  var hasTitle: Bool { false }

  func row(_ index: Int) -> PaneRow {
    switch lines[index] {
    case .gap: .gap
    case .heading(let title): PaneRow(words(title), at: 1, .muted)
    case .binding(let binding):
      entry(binding.label(keys, words, cells: Self.labelWidth), binding.help, width: Self.labelWidth)
    case .entry(let label, let help): entry(words.text(label), help, width: usageWidth)
    }
  }

  /// Returns a label and its help. A label takes at most half of a narrow screen.
  private func entry(_ label: String, _ help: MessageKey, width labelWidth: Int) -> PaneRow {
    let start = 3 + min(labelWidth, max(Self.labelWidth, width / 2 - 3))
    var row = PaneRow()
    row.add(label, at: 2, to: start - 1, .strong)
    row.add(words(help), at: start)
    return row
  }
}
