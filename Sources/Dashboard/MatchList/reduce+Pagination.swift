import Localization
import OddsFeed
import OddsModel
import TerminalCore

/// The topics requested from the feed: a page of a channel, or the watch list.
extension BoardState {
  /// True if the feed serves any requested topic. A recording and a pipe have fixed content.
  var servesTopics: Bool { (rate != nil || canReconnect) && topic(ofOffers: []) != nil }

  /// Returns the topic of single offers, in the language of the channels; nil if the feed has none.
  func topic(ofOffers ids: [OfferID]) -> Topic? {
    channels.lazy.compactMap { catalog?.topic(ofOffers: ids, listedIn: $0.topic) }.first
  }

  /// The current channel; nil on the watch list.
  var channel: BoardChannel? { if case .channel(let index) = tab { channels[index] } else { nil } }

  var channelTitle: String { channel?.title ?? words(.channelWatch) }

  /// The topic to request now for the current tab.
  var requestedTopic: Topic {
    guard let topic = channel?.topic else { return watchTopic }
    guard let catalog, let pages = list.pages else { return topic }
    return catalog.topic(topic, limitedTo: pages.wanted)
  }

  /// The first page of the current channel; nil if it has no pages.
  var firstPage: Pagination? {
    guard servesTopics, let channel, let matches = catalog?.matchLimit(of: channel.topic) else { return nil }
    return Pagination(limit: matches, atLeast: list.height * 3)
  }

  /// True if the visible rows are selected from all matches of the channel, not from the first ones that the feed
  /// sends: while a filter is set, or the order is not the feed's.
  private var needsAllMatches: Bool { filterState.filter != nil || settings.order != RowOrder() }

  /// Requests the whole channel if the visible rows are selected from all matches. Low-bandwidth mode does not; there
  /// the screen shows how much is loaded.
  mutating func missingPages() -> [Effect] {
    needsAllMatches && !settings.isLowBandwidth ? request(forAll: true) : []
  }

  /// Requests a larger page if the last visible row is within two screens of the end of a full page. Does not apply
  /// while only some rows are shown.
  mutating func nextPage() -> [Effect] {
    let missing = missingPages()
    if !missing.isEmpty { return missing }
    let height = max(1, list.height)
    guard list.rows.predicate == nil, max(list.cursor, list.top + height - 1) >= list.rows.count - 2 * height else {
      return []
    }
    return request(forAll: false)
  }

  /// Requests the whole channel.
  mutating func lastPage() -> [Effect] {
    let effects = request(forAll: true)
    if list.pages?.requested != nil { list.pages!.movesToEnd = true }
    return effects
  }

  private mutating func request(forAll: Bool) -> [Effect] {
    guard !list.isFrozen, connection.isLoaded, overlay == nil, list.pages?.request(forAll: forAll) == true else {
      return []
    }
    return [.openTopic(requestedTopic)]
  }

  /// Replaces the channel's topic: removes rows that the new topic does not have, and keeps the others.
  mutating func replaceTopic(_ update: ChannelUpdate, now: FrameTime) {
    let movesToEnd = list.pages?.movesToEnd == true && list.pages?.requested != nil
    list.pages?.loaded()
    statusBar.readerReplaced(isOther: false)
    var update = update
    let there = Set(update.changed.map(\.id))
    update.removed = list.rows.all.map(\.id).filter { !there.contains($0) }
    apply(update, now: now)
    if movesToEnd { list.move(.toLast, now: now) }
  }

  /// The number of loaded matches and the channel's limit; nil if all matches are loaded.
  var loaded: LoadedPart? {
    guard let pages = list.pages, pages.hasMore else { return nil }
    return LoadedPart(count: list.rows.total, limit: pages.limit, isGrowing: pages.requested != nil)
  }
}

/// The loaded part of a channel, as shown.
struct LoadedPart: Hashable {
  var count: Int
  var limit: Int
  /// True if a larger page is requested.
  var isGrowing: Bool
}
