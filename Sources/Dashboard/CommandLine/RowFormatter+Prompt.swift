import Localization
import TerminalCore

struct PromptContent: Hashable {
  var kind: Prompt.Kind
  var characters: [Character]
  var cursor: Int
  /// The result of the filter, shown at the right if there is room.
  var found: FilterResult?
  /// The hint, shown in the same row if there is no separate row above the prompt.
  var hint: PromptHint?
}

/// A hint for the line being typed.
enum PromptHint: Hashable {
  case error(FilterError)
  case completion(Completion)
  case command(NamedCommand)
}

extension BoardState {
  func promptContent(_ prompt: Prompt, _ layout: Layout) -> PromptContent {
    PromptContent(
      kind: prompt.kind, characters: prompt.characters, cursor: prompt.cursor,
      found: prompt.kind == .find ? filterResult : nil, hint: layout.hints == nil ? promptHint : nil)
  }

  /// The hint for the line being typed, or nil if there is none or no prompt is open.
  var promptHint: PromptHint? {
    guard let prompt = promptBar.prompt else { return nil }
    if let error = prompt.error { return .error(error) }
    if let completion = prompt.completion, !completion.says(prompt.text) { return .completion(completion) }
    switch prompt.kind {
    case .find: return filterState.error.map { .error($0) }
    case .search:
      guard let search = overlay?.search, search.line == nil else { return nil }
      return .error(FilterError(at: 0, LocalizedMessage(.searchNone, search.text)))
    case .command: break
    }
    guard !prompt.characters.isEmpty, let command = try? CommandText(prompt.text).command() else { return nil }
    return .command(command)
  }
}

extension Completion {
  /// Returns true if the only candidate is already in the text, so that there is nothing to choose.
  fileprivate func says(_ text: String) -> Bool { candidates.count == 1 && text.hasSuffix(candidates[0].trimmedAtEnd) }
}

extension String {
  var trimmedAtEnd: String { last == " " ? String(dropLast()) : self }
}

extension RowFormatter {
  /// Returns the row of the prompt, scrolled so that the cursor is visible.
  func prompt(_ content: PromptContent) -> Row {
    var row = Row(width: width)
    let cells = content.characters.map { String($0) }
    // A combining mark without a base character occupies a cell of its own.
    let widths = cells.map { max(1, $0.cellWidth) }
    row.write(String(content.kind.sign), at: 0, style: Style(.strong))
    // The sign takes one cell. The cursor needs one cell behind the text, or the width of the character under it.
    let room = max(1, width - 1)
    var start = 0
    let cursorWidth = content.cursor < widths.count ? widths[content.cursor] : 1
    while start < content.cursor, widths[start..<content.cursor].reduce(0, +) + cursorWidth > room { start += 1 }
    var at = 1
    for index in start..<cells.count {
      guard at + widths[index] <= width else { break }
      let style = Style(index == content.cursor ? .bar : .plain)
      row.write(Cell(0x20, style: style), at: at)
      row.write(cells[index], at: at, style: style)
      at += widths[index]
    }
    if content.cursor == cells.count, at < width {
      row.write(Cell(0x20, style: Style(.bar)), at: at)
      at += 1
    }
    if start > 0, start < content.cursor { row.write(glyphs.ellipsis.styled(Style(.muted)), at: 1) }
    beside(content, from: at + 2, into: &row)
    return row
  }

  private func beside(_ content: PromptContent, from start: Int, into row: inout Row) {
    if let hint = content.hint {
      if start < width { write(hint, into: &row, start..<width) }
      return
    }
    let counts = content.found.map { self.counts($0).map { [HintPiece(text: $0, style: Style(.muted))] } } ?? []
    let keys = keyPieces(content.kind)
    for pieces in [keys + (counts.first ?? [])] + counts {
      let end = width - pieces.reduce(0) { $0 + $1.text.cellWidth }
      if start <= end { return write(pieces, into: &row, from: end) }
    }
  }

  /// Returns the keys of the prompt, which cannot be bound otherwise.
  private func keyPieces(_ kind: Prompt.Kind) -> [HintPiece] {
    let keys: [(Key, MessageKey)] =
      switch kind {
      case .command: [(.enter, .hintRun), (.tab, .hintComplete), (.escape, .accountHintCancel)]
      case .find: [(.enter, .hintApply), (.tab, .hintComplete), (.escape, .accountHintClear)]
      case .search: [(.enter, .hintNext), (.escape, .hintClose)]
      }
    return keys.flatMap { key, hint in
      [
        HintPiece(text: key.label(words), style: Style(.strong)),
        HintPiece(text: " \(words(hint)) ", style: Style(.muted)),
      ]
    }
  }

  /// Writes the hint for the line being typed.
  func write(_ hint: PromptHint, into row: inout Row, _ columns: Range<Int>) {
    switch hint {
    case .error(let error):
      clip(words.text(error.sentence).capitalizedFirst, into: &row, columns, style: Style(.warning))
    case .command(let command):
      let end = row.write(command.usage, at: columns.lowerBound, style: Style(.strong), limit: columns.upperBound)
      if end + 2 < columns.upperBound {
        clip(words(command.help), into: &row, end + 2..<columns.upperBound, style: Style(.muted))
      }
    case .completion(let completion): candidates(completion, into: &row, columns)
    }
  }

  /// Writes as many candidates as fit: the page that contains the chosen one, or the first page.
  private func candidates(_ completion: Completion, into row: inout Row, _ columns: Range<Int>) {
    let texts = completion.candidates.map(\.trimmedAtEnd)
    var first = 0
    var at = columns.lowerBound
    if let chosen = completion.chosen {
      // Whole pages keep the visible candidates in place while the choice moves through them.
      for index in 0...chosen {
        let end = at + texts[index].cellWidth + 2
        if end + 1 > columns.upperBound, index > first {
          first = index
          at = columns.lowerBound
        }
        at += texts[index].cellWidth + 2
      }
    }
    at = columns.lowerBound
    for index in first..<texts.count {
      let isChosen = index == completion.chosen
      let text = isChosen ? "\(glyphs.chosen.0)\(texts[index])" : " \(texts[index])"
      let isLast = index == texts.count - 1
      guard at + text.cellWidth + (isLast ? 0 : 2) <= columns.upperBound || index == first else {
        row.write(glyphs.ellipsis.styled(Style(.muted)), at: min(at + 1, columns.upperBound - 1))
        return
      }
      clip(text, into: &row, at..<columns.upperBound, style: Style(isChosen ? .strong : .muted))
      at += text.cellWidth + 1
      if at >= columns.upperBound { return }
    }
  }
}
