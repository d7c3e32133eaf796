import Localization
import OddsFeed
import TerminalCore

extension BoardState {
  /// Where the watch list stands among the channels: before the first, with the number 0.
  static let watchPlace = -1

  var isWatching: Bool { channel == Self.watchPlace }

  /// Whether the watch list has a tab: where there is something on it, or it is open.
  var hasWatchTab: Bool { isWatching || !pins.isEmpty && servesTopics }

  /// What the watch list asks for: the pinned prices. Where there are none it is the list of sports, which has no matches
  /// but tells how the line is.
  var watchTopic: Topic {
    let (operatorID, language) = operatorAndLanguage ?? ("1", "en")
    let offers = pins.allOffers
    return offers.isEmpty
      ? .sports(liveOnly: true, operatorID: operatorID, language: language)
      : .offers(offers, operatorID: operatorID, language: language)
  }

  mutating func watch(at now: FrameTime) -> [Effect] {
    if servesTopics { return open(Self.watchPlace, at: now) }
    tell(StatusMessage(LocalizedMessage(.noteNoWatch), isWarning: true), at: now)
    return []
  }

  /// Pins the chosen row, or lets it go; the cursor goes on to the one below, so that the next can be pinned.
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

  /// What of an update belongs here: a match that was let go may still come until the watch list's topic is another. Of
  /// pinned matches it keeps what their prices are now.
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
