public import OddsModel
import Platform

// Observers of one thing receive changes of that thing only. The cost of an apply grows with the observed things that
// it touches, and is zero without observers.
extension ChannelStore {
  /// Returns one match, now and after each change. The sequence ends when the match is removed. Before the channel's
  /// first dump it waits for the match.
  public func match(_ id: MatchID) -> AsyncLatestValue<Match> {
    observe(.match(id), now: state.match(id)) { $0.matchObservers.add($1, of: id, now: $2, $3) }
  }

  /// Returns one market, now and after each change of it, its outcomes or its prices. The sequence ends when the market
  /// is removed. Before the channel's first dump it waits for the market.
  public func market(_ id: MarketID) -> AsyncLatestValue<Market> {
    observe(.market(id), now: state.market(id)) { $0.marketObservers.add($1, of: id, now: $2, $3) }
  }

  /// Returns one outcome with its price, now and after each change. The sequence ends when the outcome is removed.
  /// Before the channel's first dump it waits for the outcome.
  public func prices(of id: OutcomeID) -> AsyncLatestValue<Outcome> {
    observe(.outcome(id), now: state.outcome(id)) { $0.outcomeObservers.add($1, of: id, now: $2, $3) }
  }

  /// Returns the freshness of the channel's prices, now and after each change. The sequence ends when the channel is
  /// released. Observers of prices need this too: a price that is no longer trusted is not published again.
  public func freshnessChanges() -> AsyncLatestValue<Freshness> {
    observe(.freshness, now: freshness) { $0.freshnessObservers.add($1, of: topic, now: $2, $3) }
  }

  enum ObservedThing: Hashable {
    case match(MatchID)
    case market(MarketID)
    case outcome(OutcomeID)
    case freshness
  }

  struct ObserverKey: Sendable {
    let thing: ObservedThing
    let key: UInt64
  }

  var observerCount: Int {
    removeDropped()
    return matchObservers.count + marketObservers.count + outcomeObservers.count + freshnessObservers.count
  }

  private func observe<Value: Equatable & Sendable>(
    _ thing: ObservedThing, now value: Value?,
    add: (isolated ChannelStore, UInt64, Value?, AsyncLatestValue<Value>.Feed) -> Void
  ) -> AsyncLatestValue<Value> {
    removeDropped()
    if lastKey == 0 { forgetDropped() }
    lastKey += 1
    let key = ObserverKey(thing: thing, key: lastKey)
    let (sequence, feed) = AsyncLatestValue<Value>.make(isSame: ==) { [dropped] in dropped.send(key) }
    if life.isReleased || value == nil && isKnown { feed.finish() } else { add(self, key.key, value, feed) }
    trackParts()
    return sequence
  }

  func notifyObservers(of changes: FeedChanges) {
    if !matchObservers.isEmpty { conflated += matchObservers.notify(changes.matches) { state.match($0) } }
    if !marketObservers.isEmpty { conflated += marketObservers.notify(changes.markets) { state.market($0) } }
    if !outcomeObservers.isEmpty { conflated += outcomeObservers.notify(changes.outcomes) { state.outcome($0) } }
  }

  func notifyFreshness() {
    if freshnessObservers.isEmpty { return }
    conflated += freshnessObservers.notify(CollectionOfOne(topic)) { _ in freshness }
  }

  /// Resolves observers that were added before the channel was known: publishes the thing, or ends the sequence.
  func decideObservers() {
    conflated += matchObservers.notify(matchObservers.undecided) { state.match($0) }
    conflated += marketObservers.notify(marketObservers.undecided) { state.market($0) }
    conflated += outcomeObservers.notify(outcomeObservers.undecided) { state.outcome($0) }
    trackParts()
  }

  func finishObservers() {
    notifyFreshness()
    freshnessObservers.finish()
    matchObservers.finish()
    marketObservers.finish()
    outcomeObservers.finish()
    trackParts()
  }

  /// Starts a task that removes deallocated observers until the store is deallocated.
  private func forgetDropped() {
    Task { [weak self, dropped] in
      while await dropped.hasNext(), let store = self { await store.removeDropped() }
    }
  }

  /// NB: Takes the keys and removes their observers in one step, so that the count of observers is exact.
  private func removeDropped() {
    let keys = dropped.drain()
    for key in keys {
      switch key.thing {
      case .match(let id): matchObservers.remove(key.key, of: id)
      case .market(let id): marketObservers.remove(key.key, of: id)
      case .outcome(let id): outcomeObservers.remove(key.key, of: id)
      case .freshness: freshnessObservers.remove(key.key, of: topic)
      }
    }
    if !keys.isEmpty { trackParts() }
  }

  /// Tracks changes of markets and outcomes only while they are observed.
  private func trackParts() { state.tracksParts = !marketObservers.isEmpty || !outcomeObservers.isEmpty }
}
