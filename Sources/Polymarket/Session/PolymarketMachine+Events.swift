import Localization
import OddsFeed
import OddsModel
import Platform

// Topics and the events of Gamma.
extension PolymarketMachine {
  mutating func subscribe(_ subscription: Subscription) {
    guard !entries.contains(where: { $0.subscription == subscription }) else { return }
    entries.removeAll { $0.subscription.topic == subscription.topic }
    guard let query = PolymarketTopic(subscription.topic) else {
      let error = FeedError(.polymarketNoTopic, subscription.topic.path, remedy: .remedyPolymarketTopic)
      return actions.append(.topic(subscription, .refused(error)))
    }
    entries.append(Entry(subscription: subscription, query: query))
    if isStarted { request(entries.count - 1) }
  }

  mutating func unsubscribe(_ subscription: Subscription) {
    let count = entries.count
    entries.removeAll { $0.subscription == subscription }
    if entries.count == count { return }
    assignTokens()
    settleSports()
  }

  mutating func request(_ index: Int) {
    if case .none = entries[index].query { return received([], index) }
    let number = nextNumber()
    entries[index].request = number
    entries[index].nextRequest = nil
    actions.append(.fetch(entries[index].query, request: number))
  }

  mutating func fetched(_ request: Int, _ result: Result<[GammaEvent], FeedError>) {
    guard let index = entries.firstIndex(where: { $0.request == request }) else { return }
    entries[index].request = nil
    switch result {
    case .success(let events):
      entries[index].nextRequest = now.uptime + PolymarketTiming.refresh
      entries[index].answeredAt = now.uptime
      received(events, index)
    case .failure(let error):
      let delay = RetryDelay.delay(beforeRetry: entries[index].failures, chance: now.chance)
      entries[index].failures += 1
      entries[index].error = error
      entries[index].nextRequest = now.uptime + delay
      // Prices are still live if only some later requests fail.
      if entries[index].events != nil { return distrust(index, isNew: false) }
      actions.append(.topic(entries[index].subscription, .retrying(error, at: now.wall(after: delay))))
    }
  }

  /// Records and delivers that the events are out of date.
  mutating func expire(_ index: Int) {
    entries[index].isStale = true
    distrust(index, isNew: true)
  }

  /// Suspends the markets that may have ended if the events are out of date. Delivers the differences, and with `isNew`
  /// that the events are out of date.
  private mutating func distrust(_ index: Int, isNew: Bool) {
    guard entries[index].isStale, let old = entries[index].events else { return }
    let events = old.map { $0.suspended(after: now.wall) }
    entries[index].events = events
    guard isUp else { return needsEvents = true }
    let changes = Self.changes(from: old, to: events)
    if changes.isEmpty, !isNew { return }
    actions.append(.message(entries[index].subscription, changes.message(isStale: true)))
  }

  private mutating func received(_ events: [GammaEvent], _ index: Int) {
    let events = events.map { $0.closed(resolved.tokens) }
    let old = entries[index].events
    let known = entries[index].tokens
    let wasStale = entries[index].isStale
    entries[index].events = events
    entries[index].failures = 0
    entries[index].isStale = false
    entries[index].error = nil
    entries[index].tokens = Set(events.flatMap(\.openTokens)).subtracting(resolved.tokens)
    let used = entries.lazy.flatMap { $0.events ?? [] }.flatMap(\.markets).flatMap(\.tokens)
    resolved.expire(except: used, at: now.uptime)
    if let old {
      let changes = Self.changes(from: old, to: events)
      // NB: While the channel is lost, nothing is sent: all events follow when it is back.
      if !isUp { needsEvents = true }
      if isUp, wasStale || !changes.isEmpty {
        actions.append(.message(entries[index].subscription, changes.message(isStale: false)))
      }
      if isUp { deliverScores(index, of: events.filter { event in !old.contains { $0.id == event.id } }) }
    } else {
      deliverEvents(index)
      actions.append(.topic(entries[index].subscription, .live))
    }
    assignTokens(again: entries[index].tokens.subtracting(known))
    settleSports()
  }

  /// Delivers all events of a topic, which replace the earlier ones of its subscription, and the scores of its games.
  mutating func deliverEvents(_ index: Int) {
    guard let events = entries[index].events else { return }
    actions.append(
      .message(entries[index].subscription, SessionMessage.events(events, isStale: entries[index].isStale)))
    deliverScores(index, of: events)
  }

  private mutating func deliverScores(_ index: Int, of events: [GammaEvent]) {
    for game in events.compactMap(\.gameID) {
      guard let text = scores[game] else { continue }
      actions.append(.message(entries[index].subscription, text))
    }
  }

  /// The differences of two lists of events.
  private struct Changes {
    var changed: [GammaEvent]
    var removed: [UInt64]

    var isEmpty: Bool { changed.isEmpty && removed.isEmpty }

    func message(isStale: Bool) -> [UInt8] { SessionMessage.changed(changed, removed: removed, isStale: isStale) }
  }

  private static func changes(from old: [GammaEvent], to new: [GammaEvent]) -> Changes {
    let known = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let ids = Set(new.map(\.id))
    return Changes(changed: new.filter { known[$0.id] != $0 }, removed: old.map(\.id).filter { !ids.contains($0) })
  }
}
