import NIOCore
import Platform

/// The positions in the fake stream, and the changes of its markets.
extension FakeBetfair {
  func initialClock(_ subscription: FakeSubscription) -> String {
    "I\(state.withLock { $0.epoch })|\(FNV1aHash(subscription.criteria.utf8).hex)"
  }

  static func clock(_ number: Int) -> String { "C\(number)" }

  /// Returns the number of the change at which a subscription continues; nil for one that begins.
  func start(of subscription: FakeSubscription) throws(FakeRefusal) -> Int? {
    guard let position = subscription.position else { return nil }
    guard position.initialClock == initialClock(subscription), position.clock.first == "C",
      let number = Int(position.clock.dropFirst()), number <= state.withLock({ $0.lastNumber })
    else { throw FakeRefusal("INVALID_CLOCK", "unknown position \(position), or other criteria") }
    return number
  }

  /// Returns the elements of `mc` with the changes after a number, or with everything, and the number of the last
  /// change. Markets beyond the limit are left out.
  func changes(
    after number: Int, _ subscription: FakeSubscription, isImage: Bool = false, isHeldBack: Bool = false
  ) -> (markets: [JSONTree], number: Int) {
    state.withLock { state in
      var markets: [JSONTree] = []
      for market in state.markets.filter({ subscription.includes($0) }).prefix(state.marketLimit) {
        let isConflated = isHeldBack && market.numbers.count { $0 > number } > 1
        let change = market.change(after: number, subscription, isImage: isImage, isConflated: isConflated)
        if isImage, let former = market.formerImage { markets.append(former) }
        if let change { markets.append(change) }
      }
      return (markets, state.lastNumber)
    }
  }

  /// Returns true if a subscription has more markets than the limit.
  func exceedsLimit(_ subscription: FakeSubscription) -> Bool {
    state.withLock { state in state.markets.count { subscription.includes($0) } > state.marketLimit }
  }

  private func change(_ body: (inout State, Int) -> Void) {
    let channels = state.withLock { state in
      state.lastNumber += 1
      body(&state, state.lastNumber)
      return Array(state.connections.values)
    }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(FakeStreamEvent.changed) }
  }

  func add(_ market: FakeMarket) {
    change { state, number in
      state.markets.append(market)
      state.markets[state.markets.count - 1].create(number)
    }
  }

  private func change(_ id: String, _ body: (inout FakeMarket, Int) -> Void) {
    change { state, number in
      guard let index = state.markets.firstIndex(where: { $0.id == id }) else {
        preconditionFailure("no market '\(id)'")
      }
      body(&state.markets[index], number)
    }
  }

  /// Changes the definition of a market.
  func define(_ id: String, _ body: (inout FakeMarket) -> Void) {
    change(id) { market, number in
      body(&market)
      market.define(number)
    }
  }

  /// Replaces the offers of a runner, the best first, in hundredths.
  func set(_ id: String, runner: Int, back: [(price: Int, size: Int)], lay: [(price: Int, size: Int)]) {
    change(id) { market, number in
      market.set(runner, isBack: true, back, number)
      market.set(runner, isBack: false, lay, number)
    }
  }

  func trade(_ id: String, runner: Int, price: Int, size: Int) {
    change(id) { $0.trade(runner, price: price, size: size, $1) }
  }

  /// Makes something happen on every connection to the stream.
  func trigger(_ event: FakeStreamEvent) {
    for channel in state.withLock({ Array($0.connections.values) }) {
      channel.pipeline.fireUserInboundEventTriggered(event)
    }
  }

  /// Returns when the connections have handled all events so far.
  func settle() async throws {
    for channel in state.withLock({ Array($0.connections.values) }) {
      try await channel.eventLoop.submit {}.get()
    }
  }
}
