import Localization
import TerminalCore

extension RowFormatter {
  /// The parts of the row of counters. Drawing and clicking use the same parts.
  struct CounterParts {
    var counters: [(value: String, unit: String)]
    /// The chips, with the gaps between them.
    var chips: [HintPiece]
    /// The column of the first chip; the end of the row if there is none.
    var chipStart: Int
  }

  /// The number of counters that are always shown.
  private static let keptCounters = 2
  private static let chipGap = HintPiece(text: "  ", style: .plain)

  func counters(_ content: CountersContent) -> Row {
    var row = Row(width: width)
    let parts = counterParts(content)
    let end = parts.chips.isEmpty ? width : max(0, parts.chipStart - 1)
    switch content.lead {
    case .text(let text, let role): clip(text.capitalizedFirst, into: &row, 0..<end, style: Style(role))
    case .hint(let hint): if end > 0 { write(hint, into: &row, 0..<end) }
    case .rates(_, let loaded):
      var at = 0
      for (value, unit) in parts.counters {
        guard at + value.utf8.count + 1 + unit.cellWidth <= end else { break }
        at = row.write(value, at: at) + 1
        at = row.write(unit, at: at, style: Style(.muted)) + 1
      }
      if let loaded { write(loaded, into: &row, from: at, to: end) }
    }
    write(parts.chips, into: &row, from: parts.chipStart)
    return row
  }

  private func write(_ content: LoadedPart, into row: inout Row, from at: Int, to end: Int) {
    let text = words(.listLoaded, words.number(content.count), words.number(content.limit))
    let start = end - 1 - text.cellWidth
    guard start > at else { return }
    row.write(text, at: start, style: Style(.muted))
    if content.isGrowing { row.write(glyphs.ellipsis.styled(Style(.muted)), at: end - 1) }
  }

  /// Returns the parts that fit. The counters lose their padding before a chip is shortened.
  func counterParts(_ content: CountersContent) -> CounterParts {
    let forms = content.modes.map { self.forms(of: $0) }
    var counters = items(of: content, isPadded: true)
    var chips = fitting(forms, room: width - leadWidth(content, counters))
    if !chips.isComplete, !counters.isEmpty {
      counters = items(of: content, isPadded: false)
      chips = fitting(forms, room: width - leadWidth(content, counters))
    }
    let start = width - chips.pieces.reduce(0) { $0 + $1.text.cellWidth }
    return CounterParts(counters: counters, chips: chips.pieces, chipStart: start)
  }

  private func items(of content: CountersContent, isPadded: Bool) -> [(value: String, unit: String)] {
    guard case .rates(let rates?, _) = content.lead else { return [] }
    func value(_ count: Int, _ width: Int = 4) -> String { compact(count, isPadded ? width : 0) }
    let items = [
      (value(rates.frames, 3), words(.counterFrames)), (value(rates.oddsUpdates), words(.counterUpdates)),
      (value(rates.changesPainted), words(.counterChanges)), (value(rates.conflated), words(.counterConflated)),
      (value(rates.bytes), words(.counterBytes)),
      (value(rates.microsecondsPerFrame), words(.counterFrameTime, glyphs.micro)),
    ]
    return content.isFolded ? Array(items.prefix(Self.keptCounters)) : items
  }

  /// Returns the cells of the part at the left that chips may not take, including a gap.
  private func leadWidth(_ content: CountersContent, _ counters: [(value: String, unit: String)]) -> Int {
    switch content.lead {
    case .rates:
      counters.prefix(Self.keptCounters).reduce(0) { $0 + $1.value.utf8.count + 1 + $1.unit.cellWidth + 1 }
    case .text(let text, _): min(text.cellWidth, width * 2 / 3) + 1
    case .hint: width * 2 / 3 + 1
    }
  }

  /// Chooses a form of each chip. The first chips are the last to be dropped, and the first to take a longer form.
  /// `isComplete` is true if each chip has its longest form.
  private func fitting(_ chips: [[[HintPiece]]], room: Int) -> (pieces: [HintPiece], isComplete: Bool) {
    func cells(_ form: [HintPiece]) -> Int { form.reduce(0) { $0 + $1.text.cellWidth } }
    let gap = cells([Self.chipGap])
    // The last chip needs no gap.
    var left = room + gap
    var kept: [(forms: [[HintPiece]], width: Int)] = []
    for forms in chips {
      let width = forms.last.map(cells) ?? 0
      guard width + gap <= left else { continue }
      left -= width + gap
      kept.append((forms, width))
    }
    var pieces: [HintPiece] = []
    var isComplete = kept.count == chips.count
    for (forms, width) in kept {
      guard let index = forms.firstIndex(where: { cells($0) - width <= left }) else { continue }
      let form = forms[index]
      isComplete = isComplete && index == 0
      left -= cells(form) - width
      pieces += (pieces.isEmpty ? [] : [Self.chipGap]) + form
    }
    return (pieces, isComplete)
  }

  /// Returns the forms of a mode's chip, from the longest.
  private func forms(of mode: Mode) -> [[HintPiece]] {
    func chip(_ role: Style.Role, _ command: Command?, _ texts: String...) -> [[HintPiece]] {
      texts.map { [HintPiece(text: $0, style: Style(role), command: command)] }
    }
    switch mode {
    case .frozen(let missed):
      return chip(
        .warning, .freeze, words(.modeFrozen, missed), words(.modeFrozenCount, missed), words(.modeFrozenMark))
    case .filter(let result): return foundForms(result)
    case .alerts(let count): return chip(.warning, .alerts, words(.alertHint, count), "\(glyphs.alert)\(count)")
    case .throttle(let interval):
      let time = "\(ThrottleInterval(duration: interval))"
      return chip(.strong, .cycleThrottle, words(.hintThrottle, time), time)
    case .damage(let rows, let bytes):
      return chip(.warning, .damage, words(.modeDamage, rows, bytes), words(.modeDamageMark))
    case .hiddenColumns(let count):
      return chip(.strong, .columns, words(.modeHiddenColumns, count), words(.modeHiddenMark, count))
    case .unserved(let count):
      return chip(.strong, nil, words(.modeUnserved, count), words(.modeUnservedMark, count))
    case .wholeScreen: return chip(.warning, .wholeScreen, words(.modeWholeScreen), words(.modeWholeMark))
    }
  }
}
