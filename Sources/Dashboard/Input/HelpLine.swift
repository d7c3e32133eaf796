package import Localization
import TerminalCore

/// A line of the help.
package enum HelpLine: Sendable {
  case gap
  case heading(MessageKey)
  case binding(KeyBinding)
  /// What is typed, and what it does.
  case entry(label: LocalizedMessage, help: MessageKey)

  /// What the command line can be asked for.
  package static let commands = NamedCommand.allCases.map { HelpLine.entry(label: .verbatim($0.usage), help: $0.help) }

  /// What a filter is made of.
  package static let filters =
    [.entry(label: .verbatim("ars"), help: .helpWords), .entry(label: .verbatim("\"ars\""), help: .helpText)]
    + FilterField.allCases.map { HelpLine.entry(label: .verbatim($0.usage), help: $0.help) }
    + FilterFlag.allCases.map { HelpLine.entry(label: .verbatim($0.rawValue), help: $0.help) }

  /// What an alert's rule is made of.
  package static let rules: [HelpLine] = [
    .entry(label: .verbatim("1 >= 2.10"), help: .helpRulePrice),
    .entry(label: .verbatim("market \"M\" outcome \"O\""), help: .helpRuleOutcome),
    .entry(label: .verbatim("any move 5% in 10m"), help: .helpRuleMove),
    .entry(label: .verbatim("suspended"), help: .helpRuleEvent),
  ]
}

extension BoardState {
  /// The help: what keys do, in groups under headings. A command without a key is left out.
  var helpLines: [HelpLine] {
    var lines: [HelpLine] = []
    for group in KeyBinding.Group.allCases {
      let entries = KeyBinding.all.filter { $0.group == group && $0.firstKey(settings.keys) != nil }
      if entries.isEmpty { continue }
      lines += (lines.isEmpty ? [] : [.gap]) + [.heading(group.title)] + entries.map(HelpLine.binding)
    }
    return lines + [.gap, .heading(.helpCommands)] + HelpLine.commands + [.gap, .heading(.helpFilters)]
      + HelpLine.filters + [.gap, .heading(.helpRules)] + HelpLine.rules
  }
}

extension HelpLine {
  /// What labels may take, in terminal cells.
  fileprivate static let labelWidth = 15

  /// What is typed takes as much as the longest of it.
  fileprivate static func usageWidth(_ words: Catalog) -> Int {
    let entries = commands + filters + rules
    return entries.map { if case .entry(let label, _) = $0 { words.text(label).cellWidth } else { 0 } }.max() ?? 0
  }
}

extension LineFormatter {
  func help(_ place: Int) -> Row {
    let (width, lines) = (layout.size.columns, state.helpLines)
    var row = Row(width: width)
    guard lines.indices.contains(place) else { return row }
    switch lines[place] {
    case .gap: break
    case .heading(let title): clip(words(title), into: &row, 1..<max(1, width), style: Style(.muted))
    case .binding(let binding):
      let label = binding.label(state.settings.keys, words, cells: HelpLine.labelWidth)
      entry(label, binding.help, into: &row, width: HelpLine.labelWidth)
    case .entry(let label, let help):
      entry(words.text(label), help, into: &row, width: HelpLine.usageWidth(words))
    }
    return row
  }

  /// A label takes half of a narrow screen at most.
  private func entry(_ label: String, _ help: MessageKey, into row: inout Row, width: Int) {
    let start = 3 + min(width, max(HelpLine.labelWidth, row.width / 2 - 3))
    clip(label, into: &row, 2..<start - 1, style: Style(.strong))
    clip(words(help), into: &row, start..<max(start, row.width))
  }
}
