import Localization
import TerminalCore

// The result of a filter: its chip, and the highlighted words in the rows.
extension RowFormatter {
  /// Returns the filter text and the number of matching rows as the forms of a chip, from the longest.
  func foundForms(_ content: FilterResult) -> [[HintPiece]] {
    func text(_ cells: Int) -> HintPiece {
      let text = "/\(content.text)".short(cells, ellipsis: glyphs.ellipsis.text)
      return HintPiece(text: text, style: Style(.found), command: .find)
    }
    func piece(_ count: String) -> HintPiece { HintPiece(text: " \(count)", style: Style(.muted), command: .find) }
    let maxWidth = max(12, width / 3)
    let bare = bareCounts(content)
    let counts = counts(content)
    let located = [maxWidth, 8, 4].flatMap { cells in counts.dropLast(bare.count).map { [text(cells), piece($0)] } }
    return located + bare.map { [text(maxWidth), piece($0)] } + [maxWidth, 8, 4, 1].map { [text($0)] }
  }

  /// Returns the number of matching rows and the total, with the columns that the words were found in but that do not
  /// fit on the screen, from the longest form to the shortest.
  func counts(_ content: FilterResult) -> [String] {
    let counts = bareCounts(content)
    let titles = content.hidden.map { words.text($0.column.entry.title) }
    guard let first = titles.first else { return counts }
    let columns = words.text(.list(titles.map(LocalizedMessage.verbatim)))
    let short = titles.count > 1 ? ["\(first)\(glyphs.ellipsis.text)"] : []
    return ([columns] + short).flatMap { columns in counts.map { "\($0) \(words(.findHidden, columns))" } } + counts
  }

  /// Returns the number of matching rows and the total, in a long and a short form.
  private func bareCounts(_ content: FilterResult) -> [String] {
    let count = words(.findCount, content.found, content.total)
    guard let loaded = content.loaded else { return [count] }
    let limit = words.number(loaded.limit)
    return loaded.isGrowing
      ? [words(.findCountLoading, content.found, content.total, limit), "\(count)\(glyphs.ellipsis.text)"]
      : [words(.findCountFirst, content.found, content.total), "\(count)+"]
  }

  /// Highlights the Unicode scalars of a name at `indices`, as far as the name is visible.
  func mark(_ indices: Set<Int>, of text: String, in row: inout Row, _ columns: Range<Int>) {
    if indices.isEmpty { return }
    let end = min(columns.upperBound, row.width) - (text.cellWidth > columns.count ? 1 : 0)
    var at = columns.lowerBound
    for (index, scalar) in text.unicodeScalars.enumerated() {
      let width = String(scalar).cellWidth
      if at + width > end { return }
      if indices.contains(index) { row.color(.found, columns: at..<at + width) }
      at += width
    }
  }
}

extension SearchIndex.Part {
  /// The column that shows the names.
  var column: BoardColumn {
    switch self {
    case .name: .name
    case .tournament: .tournament
    case .country: .country
    case .part: .part
    case .sport: .sport
    }
  }
}
