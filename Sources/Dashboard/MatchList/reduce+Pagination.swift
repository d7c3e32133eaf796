import Localization
import OddsFeed
import TerminalCore

/// What the feed is asked for: a page of a channel, or the watch list.
extension BoardState {
  /// Whether the feed serves any topic that it is asked for: a recording and a pipe have what they have.
  var servesTopics: Bool { (rate != nil || canReconnect) && operatorAndLanguage != nil }

  /// The operator and the language that the channels' topics name.
  var operatorAndLanguage: (operatorID: String, language: String)? {
    channels.lazy.compactMap(\.topic.operatorAndLanguage).first
  }

  var channelTitle: String { isWatching ? words(.channelWatch) : channels[channel].title }

  /// The current channel with what is to be asked for now.
  var opened: BoardChannel {
    if isWatching { return BoardChannel(title: channelTitle, topic: watchTopic) }
    let channel = channels[channel]
    return pages.map { channel.with(channel.topic.limited(to: $0.wanted)) } ?? channel
  }

  /// The first page of the current channel; nil where it has none.
  var firstPage: Pagination? {
    guard !isWatching, servesTopics, case .aggregator(_, _, let matches, _) = channels[channel].topic.content else {
      return nil
    }
    return Pagination(limit: matches, atLeast: visibleRows * 3)
  }

  /// Whether what is shown is chosen from all matches of the channel, not from those that the feed sends first: where rows
  /// are looked for, or not in the feed's order.
  private var needsAllMatches: Bool { finder.filter != nil || settings.order != RowOrder() }

  /// Asks for all of the channel where what is shown is chosen from that. A slow line is spared: there the screen says how
  /// much is loaded.
  mutating func missingPages() -> [Effect] {
    needsAllMatches && !settings.isLowBandwidth ? ask(forAll: true) : []
  }

  /// Asks for a bigger page where the last row in view is within two screens of the end of a full one. Where only some
  /// rows are shown, that says nothing.
  mutating func nextPage() -> [Effect] {
    let missing = missingPages()
    if !missing.isEmpty { return missing }
    let height = max(1, visibleRows)
    guard rows.fits == nil, max(cursor, top + height - 1) >= rows.count - 2 * height else { return [] }
    return ask(forAll: false)
  }

  /// Asks for all of the channel.
  mutating func lastPage() -> [Effect] {
    let effects = ask(forAll: true)
    if pages?.asked != nil { pages!.leadsToEnd = true }
    return effects
  }

  private mutating func ask(forAll: Bool) -> [Effect] {
    guard frozenChanges == nil, isLoaded, overlay == nil, pages?.ask(forAll: forAll) == true else { return [] }
    return [.openTopic(opened.topic)]
  }

  /// Another topic has taken the place of the channel's: rows that it does not have are gone, the others stay as they are.
  mutating func replaceTopic(_ update: ChannelUpdate, at now: FrameTime) {
    let leadsToEnd = pages?.leadsToEnd == true && pages?.asked != nil
    pages?.loaded()
    // What the new one's reader has counted began with it.
    (counted.oddsUpdates, counted.conflated) = (0, 0)
    var update = update
    let there = Set(update.changed.map(\.id))
    update.removed = rows.all.map(\.id).filter { !there.contains($0) }
    take(update, at: now)
    if leadsToEnd { moveCursor(to: rows.count, at: now) }
  }

  /// How many matches are loaded, and how many there may be; nil where that is all.
  var loaded: LoadedLine? {
    guard let pages, pages.hasMore else { return nil }
    return LoadedLine(count: rows.total, limit: pages.limit, isGrowing: pages.asked != nil)
  }
}

/// How much of a channel is loaded.
struct LoadedLine: Hashable {
  var count: Int
  var limit: Int
  /// More is on its way.
  var isGrowing: Bool
}
