import Localization
import OddsModel
import TerminalCore

/// The content of the heading of a group.
struct HeadingContent: Equatable {
  /// The names that the matches have in common, the most specific first; empty for those without names.
  let names: [String]
  let count: Int
  let live: Int
  let isFolded: Bool
  /// True if a price of the folded group has just changed.
  let isChanged: Bool
  let isSelected: Bool
}

extension BoardState {
  /// Returns the content of the heading of a group.
  func headingContent(_ number: Int, isSelected: Bool) -> HeadingContent? {
    guard let groups = list.rows.groups else { return nil }
    let group = groups[number]
    return HeadingContent(
      names: group.key.names(groups.grouping), count: group.count, live: group.live, isFolded: group.isFolded,
      isChanged: group.isFolded && group.changedAt != nil && connection.isTrusted && !settings.isLowBandwidth,
      isSelected: isSelected)
  }

  /// The heading of the selected group as text: its names, and the numbers of its matches.
  var selectedHeadingText: String? {
    guard let number = list.selectedHeading, let content = headingContent(number, isSelected: true) else { return nil }
    return "\(content.title(words))  \(content.summary(words))"
  }

  /// Folds or unfolds the group at the cursor or, with `isForAll`, all groups: it unfolds them if all are folded.
  mutating func toggleFold(isForAll: Bool = false, now: FrameTime) -> [Effect] {
    if overlay != nil || detailCoversList { return [] }
    if settings.grouping == .off { return [.note(.noteNoGroups, settings.keys.name(of: .group, words))] }
    list.reduce(isForAll ? .toggleAllFolds : .toggleFold, context(now))
    return []
  }

  /// Groups the rows, and shows a message.
  mutating func group(by grouping: RowGrouping, now: FrameTime) -> [Effect] {
    let note: MessageKey =
      switch grouping {
      case .off: .noteGroupOff
      case .tournament: .noteGroupTournament
      case .sport: .noteGroupSport
      }
    return set(\.grouping, to: grouping, now: now) + [.note(note)]
  }
}

extension HeadingContent {
  func title(_ words: Catalog) -> String {
    names.isEmpty ? words(.groupOther) : names.map(\.cleaned).joined(separator: ", ")
  }

  /// The number of matches and, if there are any, of those in play.
  func summary(_ words: Catalog) -> String {
    words(.groupCount, count) + (live > 0 ? "  " + words(.groupLive, live) : "")
  }
}

extension RowFormatter {
  /// The column of a group's title, after its two marks.
  private static let headingTitle = 3

  /// Returns the heading of a group: the mark of its fold, the mark of a change, its title and its numbers. Where there
  /// is no room for the words, the number of matches stays.
  func heading(_ content: HeadingContent) -> Row {
    var row = Row(width: width)
    row.write((content.isFolded ? glyphs.folded : glyphs.unfolded).styled(Style(.muted)), at: 0)
    if content.isChanged, width > 1 { row.write(glyphs.bullet, at: 1, style: Style(.warning), limit: width) }
    let title = content.title(words)
    let summary = content.summary(words)
    let start = Self.headingTitle
    let isWhole = start + title.cellWidth + 2 + summary.cellWidth <= width
    let text = isWhole ? summary : "\(content.count)"
    let end = isWhole ? start + title.cellWidth : max(start, width - text.cellWidth - 1)
    if start < end { clip(title, into: &row, start..<end, style: Style(.strong)) }
    let column = isWhole ? end + 2 : max(start, width - text.cellWidth)
    if column < width { row.write(text, at: column, style: Style(.muted), limit: width) }
    if content.isSelected { row.lay(.selected) }
    return row
  }
}
