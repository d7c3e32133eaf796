import TerminalCore
import Wording

/// A line of the help.
enum HelpLine {
  case gap
  case heading(Phrase)
  case binding(KeyBinding)
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
    return lines
  }
}

extension HelpLine {
  /// What labels may take, in terminal cells.
  fileprivate static let labelWidth = 15
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
      let start = 2 + HelpLine.labelWidth + 1
      let label = binding.label(state.settings.keys, words, cells: HelpLine.labelWidth)
      clip(label, into: &row, 2..<start - 1, style: Style(.strong))
      clip(words(binding.help), into: &row, start..<max(start, width))
    }
    return row
  }
}
