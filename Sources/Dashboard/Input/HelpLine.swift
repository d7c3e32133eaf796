package import Localization
import TerminalCore

/// A row of the help.
package enum HelpLine: Sendable {
  case gap
  case heading(MessageKey)
  case binding(KeyBinding)
  /// A text to type, and its effect.
  case entry(label: LocalizedMessage, help: MessageKey)

  /// The commands of the command line.
  package static let commands = NamedCommand.allCases.map { HelpLine.entry(label: .verbatim($0.usage), help: $0.help) }

  /// The terms of a filter.
  package static let filters =
    [.entry(label: .verbatim("ars"), help: .helpWords), .entry(label: .verbatim("\"ars\""), help: .helpText)]
    + FilterField.allCases.map { HelpLine.entry(label: .verbatim($0.usage), help: $0.help) }
    + FilterFlag.allCases.map { HelpLine.entry(label: .verbatim($0.rawValue), help: $0.help) }

  /// Example conditions of alert rules.
  package static let rules: [HelpLine] = [
    .entry(label: .verbatim("1 >= 2.10"), help: .helpRulePrice),
    .entry(label: .verbatim("market \"M\" outcome \"O\""), help: .helpRuleOutcome),
    .entry(label: .verbatim("any move 5% in 10m"), help: .helpRuleMove),
    .entry(label: .verbatim("suspended"), help: .helpRuleEvent),
  ]
}

extension BoardState {
  /// The rows of the help: key bindings grouped under headings, commands, filters and alert rules. Bindings without a
  /// key are left out.
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
  /// The width of key labels, in cells.
  fileprivate static let labelWidth = 15

  /// Returns the width of the longest label of an entry, in cells.
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

  /// Writes a label and its help. A label takes at most half of a narrow screen.
  private func entry(_ label: String, _ help: MessageKey, into row: inout Row, width: Int) {
    let start = 3 + min(width, max(HelpLine.labelWidth, row.width / 2 - 3))
    clip(label, into: &row, 2..<start - 1, style: Style(.strong))
    clip(words(help), into: &row, start..<max(start, row.width))
  }
}
