import Localization
import OddsModel
import TerminalCore

/// The rows of the list of past matches: the start and the name, and on a wide screen the score and the tournament.
struct HistoryTable: ScrollablePane {
  private static let indent = 1
  private static let wideFrom = 60
  /// The widths of a date, of a date with a time, and of a score.
  private static let dateWidth = 5
  private static let timeWidth = 11
  private static let scoreWidth = 7

  private let matches: [Match]?
  private let selected: Int
  private let width: Int
  private let words: Catalog
  private let time: LocalTime
  private let openKey: String

  init(_ chooser: HistoryChooser, of state: BoardState, now: FrameTime) {
    matches = chooser.matches
    selected = state.overlay?.selected ?? 0
    width = state.size.columns
    words = state.words
    time = now.local
    openKey = state.settings.keys.name(of: .open, state.words)
  }

  var count: Int { matches?.count ?? 1 }
  var entryCount: Int { matches?.count ?? 0 }

  var note: String? {
    guard let matches else { return nil }
    if matches.count < HistorySearch.limit { return words(.historyListed, openKey) }
    return words(.historyListedFirst, matches.count)
  }

  func rows(ofEntry index: Int) -> Range<Int> { index..<index + 1 }

  func row(_ index: Int) -> PaneRow {
    guard let matches else { return PaneRow(words(.historySearching), at: Self.indent, .muted) }
    let match = matches[index]
    let isWide = width >= Self.wideFrom
    let name = Self.indent + (isWide ? Self.timeWidth : Self.dateWidth) + 1
    var row = PaneRow()
    row.isSelected = index == selected
    if let start = match.startTime {
      let date = "\(time.monthAndDay(start))"
      let clock = ShortText(minuteOfDay: time.minuteOfDay(start))
      row.add(isWide ? "\(date) \(clock)" : date, at: Self.indent, to: name - 1, .muted)
    }
    guard isWide else {
      row.add(match.name, at: name)
      return row
    }
    let score = name + (width - name) * 3 / 5
    row.add(match.name, at: name, to: score - 1)
    if let result = match.score {
      row.add("\(result.home)-\(result.away)", at: score, to: score + Self.scoreWidth, .strong)
    }
    row.add(match.labels.tournament, at: score + Self.scoreWidth + 1, .muted)
    return row
  }
}
