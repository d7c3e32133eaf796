import Localization
import OddsFeed
import TerminalCore

extension BoardState {
  var isWatching: Bool { tab == .watchList }

  /// True if the watch list has a tab: it is open, or has pins in a feed that serves topics.
  var hasWatchTab: Bool { isWatching || !pins.isEmpty && servesTopics }

  /// The topic of the watch list: the pinned prices. Without pins it is the list of sports, which has no matches but
  /// carries the state of the connection.
  var watchTopic: Topic {
    let (operatorID, language) = operatorAndLanguage ?? ("1", "en")
    let offers = pins.allOffers
    return offers.isEmpty
      ? .sports(liveOnly: true, operatorID: operatorID, language: language)
      : .offers(offers, operatorID: operatorID, language: language)
  }

  mutating func watch(at now: FrameTime) -> [Effect] {
    if servesTopics { return open(.watchList, at: now) }
    show(StatusMessage(LocalizedMessage(.noteNoWatch), isWarning: true), at: now)
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
      show(StatusMessage(LocalizedMessage(.noteTooManyPins, pins.offers.count, count), isWarning: true), at: now)
      return []
    }
    moveCursor(by: cursor + 1 < rows.count ? 1 : -1, at: now)
    let isWatching = isWatching
    changeRows { rows in
      rows.pin(row.id, !isPinned)
      if isWatching { rows.remove(row.id) }
    }
    return isWatching ? [.openTopic(requestedTopic)] : []
  }

  /// Returns the matches of an update that belong to the channel: the watch list's topic may still send released
  /// matches. Also updates the offers of pinned matches.
  mutating func sift(_ changed: [Match]) -> [Match] {
    if isWatching { return changed.filter { pins.contains($0.id) } }
    if pins.isEmpty { return changed }
    for match in changed where pins.contains(match.id) {
      guard let market = match.mainMarket else { continue }
      let offers = PriceTriple(market).offers
      if !offers.isEmpty { pins.pin(match.id, offers) }
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
