import Localization
import OddsModel
import TerminalCore

extension BoardState {
  /// The index of the watch list: before the first channel, with the number 0.
  static let watchPlace = -1

  var isWatching: Bool { channel == Self.watchPlace }

  /// True if the watch list has a tab: it is open, or has pins in a feed that serves topics.
  var hasWatchTab: Bool { isWatching || !pins.isEmpty && servesTopics }

  /// The topic of the watch list: the pinned prices. The first channel's topic if the feed has no such topic; the watch
  /// list cannot be opened then.
  var watchTopic: Topic { topic(ofOffers: pins.allOffers) ?? channels[0].topic }

  mutating func watch(at now: FrameTime) -> [Effect] {
    if servesTopics { return open(Self.watchPlace, at: now) }
    tell(StatusMessage(LocalizedMessage(.noteNoWatch), isWarning: true), at: now)
    return []
  }

  /// Pins or releases the selected row, and moves the cursor to the next row, or from the last row to the one before.
  mutating func togglePin(at now: FrameTime) -> [Effect] {
    guard overlay == nil, cursor < rows.count else { return [] }
    let row = rows[cursor]
    let isPinned = pins.contains(row.id)
    if isPinned {
      pins.release(row.id)
    } else if !pins.pin(row.id, row.offers) {
      let count = pins.allOffers.count
      tell(StatusMessage(LocalizedMessage(.noteTooManyPins, pins.offers.count, count), isWarning: true), at: now)
      return []
    }
    moveCursor(by: cursor + 1 < rows.count ? 1 : -1, at: now)
    let isWatching = isWatching
    changeRows { rows in
      rows.pin(row.id, !isPinned)
      if isWatching { rows.remove(row.id) }
    }
    return isWatching ? [.openTopic(watchTopic)] : []
  }

  /// Returns the matches of an update that belong to the channel: the watch list's topic may still send released
  /// matches. Also updates the offers of pinned matches.
  mutating func sift(_ changed: [Match]) -> [Match] {
    if isWatching { return changed.filter { pins.contains($0.id) } }
    if pins.isEmpty { return changed }
    for match in changed where pins.contains(match.id) {
      guard let market = match.mainMarket else { continue }
      let offers = PriceTriple(market).offers
      if !offers.isEmpty { _ = pins.pin(match.id, offers) }
    }
    return changed
  }
}

extension MatchRow {
  fileprivate var offers: [OfferID] { prices.offers }
}

extension PriceTriple {
  fileprivate var offers: [OfferID] { [first, middle, last].compactMap(\.offer) }
}
