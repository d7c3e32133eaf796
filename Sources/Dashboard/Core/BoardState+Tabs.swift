import Localization
import OddsFeed
import OddsModel
import TerminalCore

// The tabs, and the topics requested from the feed: a page of a channel, or a watch list.
extension BoardState {
  /// The current channel; nil on a watch list.
  var channel: BoardChannel? { if case .channel(let index) = tab { channels[index] } else { nil } }

  var channelTitle: String { channel?.title ?? title(ofWatchListAt: list.watch.current) }

  /// The number of tabs besides that of the first watch list.
  var numberedTabs: Int { channels.count + max(0, shownWatchLists.count - 1) }

  /// The watch lists that have tabs; empty if there is nothing to show or the feed has no topic for them.
  var shownWatchLists: [WatchList] {
    // NB: A fast path, because a topic is made to find out what the feed serves.
    let lists = list.watch.lists
    return (lists.count > 1 || list.isWatchList || !lists[0].pins.isEmpty) && servesWatchLists ? lists : []
  }

  /// The number of the open tab.
  var tabNumber: Int { tab.number(channels: channels.count) }

  /// True if the feed serves any requested topic. A recording and a pipe have fixed content.
  private var servesTopics: Bool { rate != nil || canReconnect }

  /// True if the feed has topics of single offers. A watch list requests such a topic.
  var servesWatchLists: Bool { servesTopics && topic(ofOffers: []) != nil }

  /// Returns the topic of single offers, in the language of the channels; nil if the feed has none.
  private func topic(ofOffers ids: [OfferID]) -> Topic? {
    channels.lazy.compactMap { catalog?.topic(ofOffers: ids, listedIn: $0.topic) }.first
  }

  /// The topic to request now for the current tab. A watch list cannot be opened if the feed has no topic for it.
  var requestedTopic: Topic {
    guard let topic = channel?.topic else { return self.topic(ofOffers: list.pins.allOffers) ?? channels[0].topic }
    guard let catalog, let pages = list.pages else { return topic }
    return catalog.topic(topic, limitedTo: pages.wanted)
  }

  /// The first page of the current channel; nil if it has no pages.
  var firstPage: Pagination? {
    guard servesTopics, let channel, let matches = catalog?.matchLimit(of: channel.topic) else { return nil }
    return Pagination(limit: matches, atLeast: list.height * 3)
  }

  // MARK: Tabs

  /// Opens a tab. Does nothing if it is open or does not exist.
  mutating func open(_ tab: Tab, now: FrameTime) -> [Effect] {
    switch tab {
    case .channel(let index): if !channels.indices.contains(index) { return [] }
    case .watchList(let index):
      if !servesWatchLists { return index == 0 ? [.warning(.noteNoWatch)] : [] }
      if !list.watch.lists.indices.contains(index) { return [] }
    }
    return tab == self.tab ? [] : reopen(tab, now: now)
  }

  /// Opens the tab with a number.
  mutating func open(tabNumbered number: Int, now: FrameTime) -> [Effect] {
    open(.numbered(number, channels: channels.count), now: now)
  }

  private mutating func reopen(_ tab: Tab, now: FrameTime) -> [Effect] {
    var effects = closeDetail(now: now)
    self.tab = tab
    let watchList: Int? = if case .watchList(let index) = tab { index } else { nil }
    list.reduce(.opened(watchList: watchList, pages: firstPage), context(now))
    statusBar.reduce(.readerReplaced(isOther: true), now: now)
    connection.reduce(.channelOpened, now: now)
    overlay = inspector == nil ? nil : Overlay(.inspector(Inspector()))
    effects += alerts.reduce(.channelClosed, context(now))
    return effects + [.openChannel(requestedTopic)] + requestHealth(now: now)
  }

  /// Applies new channels. The current channel stays open if one of them has its name and its topic.
  mutating func apply(_ new: [BoardChannel], now: FrameTime) -> [Effect] {
    guard !new.isEmpty, new != channels else { return [] }
    let old = channel
    channels = new
    guard let old else { return servesWatchLists ? [] : reopen(.channel(0), now: now) }
    let same = new.firstIndex { $0.isCalled(old.name) } ?? 0
    if new[same].topic != old.topic { return reopen(.channel(same), now: now) }
    tab = .channel(same)
    return []
  }

  mutating func togglePin(now: FrameTime) -> [Effect] {
    guard overlay == nil, let row = list.selected else { return [] }
    // Only the match in view can be pinned.
    if detailCoversList, row.id != detail.pane?.id { return [] }
    let count = list.pins.offers.count
    list.reduce(.togglePin(movesCursor: !detailCoversList), context(now))
    if list.pins.offers.count == count { return [.warning(.noteTooManyPins, count, list.pins.allOffers.count)] }
    let isPinned = list.rows.pinned.contains(row.id)
    let name = row.labels.name.cleaned
    let effects = list.isWatchList ? [Effect.openTopic(requestedTopic)] : []
    // With several lists the user is to see which one has changed.
    if list.watch.lists.count > 1 { return [note(isPinned, name, inListAt: list.watch.current)] + effects }
    return (detailCoversList ? [.note(isPinned ? .notePinned : .noteUnpinned, name)] : []) + effects
  }

  // MARK: Pages

  /// Requests the whole channel while a filter is set, the rows are grouped or the order is not the feed's: the visible
  /// rows are then chosen from all matches. Low-bandwidth mode does not; there the screen shows how much is loaded.
  mutating func missingPages(now: FrameTime) -> [Effect] {
    let needsAllMatches = filterState.filter != nil || settings.order != RowOrder() || settings.grouping != .off
    return needsAllMatches && !settings.isLowBandwidth ? requestPage(isLast: true, now: now) : []
  }

  /// Requests a larger page if all rows are shown and the last visible one is within two screens of the end of a page.
  mutating func nextPage(now: FrameTime) -> [Effect] {
    let missing = missingPages(now: now)
    if !missing.isEmpty { return missing }
    let height = max(1, list.height)
    guard list.rows.predicate == nil, max(list.cursor, list.top + height - 1) >= list.rows.lineCount - 2 * height else {
      return []
    }
    return requestPage(isLast: false, now: now)
  }

  /// Requests the whole channel. The cursor moves to the last row when it is loaded.
  mutating func lastPage(now: FrameTime) -> [Effect] {
    let effects = requestPage(isLast: true, now: now)
    list.reduce(.moveToEndOfRequestedPage, context(now))
    return effects
  }

  private mutating func requestPage(isLast: Bool, now: FrameTime) -> [Effect] {
    guard !list.isFrozen, connection.isLoaded, overlay == nil, let wanted = list.pages?.wanted else { return [] }
    list.reduce(.requestPage(isLast: isLast), context(now))
    return list.pages?.wanted == wanted ? [] : [.openTopic(requestedTopic)]
  }

  /// The number of loaded matches and the channel's limit; nil if all matches are loaded or the channel has no pages.
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
