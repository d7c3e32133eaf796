/// The book of one token and what is known of it.
///
/// Changes without an image are not applied: they say nothing about the other levels. If an update states other best
/// prices than those of the orders, a change was lost, or the rest of a change has not arrived yet. The book is disputed
/// then until an image, or until each level that contradicts the statement is changed itself.
struct TokenBook: Sendable {
  /// The identity of an update. Polymarket sends some updates more than once.
  struct UpdateID: Hashable {
    var hash: UInt64
    /// Milliseconds since 1970; nil if there is none.
    var timestamp: Int64?
    var side: OrderBook.Side?
    var level: OrderBook.Level?
  }

  /// The number of recent updates that are compared with a new one.
  static let maxRecent = 32

  /// A level of the book.
  private struct LevelKey: Hashable {
    var side: OrderBook.Side
    var price: Int64
  }

  /// The orders; nil until an image arrives.
  private(set) var orders: OrderBook?
  /// The levels that contradict the best prices that an update has stated.
  private var disputed: Set<LevelKey> = []
  /// The time of the last update that was applied, in milliseconds since 1970.
  private var lastTime: Int64?
  /// The best prices that the last applied change states, until they are compared with the orders.
  private var stated: BestPrices?
  private var image: UpdateID?
  /// True if a change has been applied since the image.
  private var hasChanges = false
  /// The time of the last update that disputes the book, in milliseconds since 1970; nil if none has a time.
  private var disputeTime: Int64?
  /// The changes applied since the image, the oldest at `next` once there are `maxRecent`.
  private var recent: [UpdateID] = []
  private var next = 0

  /// True if the orders contradict the best prices that an update has stated.
  var isDisputed: Bool { !disputed.isEmpty }

  /// The orders; nil while they are not known or disputed.
  var knownOrders: OrderBook? { isDisputed ? nil : orders }

  /// Replaces the orders. Returns false for an older image, and for a repetition of the last one. The repetition settles
  /// a disputed book only if nothing says that the book has changed since the image.
  mutating func apply(image orders: OrderBook, _ id: UpdateID) -> Bool {
    if self.orders != nil {
      let isRepetition = id.hash != 0 && id == image
      if isRepetition, !isDisputed || hasChanges || isDisputed(after: id.timestamp) { return false }
      if isOlderThanImage(id.timestamp) { return false }
    }
    self.orders = orders
    disputed.removeAll()
    disputeTime = nil
    hasChanges = false
    stated = nil
    image = id
    lastTime = id.timestamp
    recent.removeAll(keepingCapacity: true)
    next = 0
    return true
  }

  /// Applies a change of a level. Returns false if there is no image, if the change is older than the image, which has
  /// it already, or if the change is a repetition.
  ///
  /// `checkStatement()` has to follow the last change of a message.
  mutating func apply(_ change: MarketEventReader.Change, at time: Int64?) -> Bool {
    let id = UpdateID(hash: change.hash, timestamp: time, side: change.side, level: change.level)
    if orders == nil || isOlderThanImage(id.timestamp) { return false }
    if id.hash != 0 {
      if recent.contains(id) { return false }
      if recent.count < Self.maxRecent { recent.append(id) } else { recent[next] = id }
      next = (next + 1) % Self.maxRecent
    }
    orders!.set(change.side, change.level)
    hasChanges = true
    disputed.remove(LevelKey(side: change.side, price: change.level.price))
    // NB: An older message's statement is older than the orders.
    stated = time ?? .max >= lastTime ?? .min ? change.best : nil
    if let time { lastTime = max(time, lastTime ?? time) }
    return true
  }

  /// Compares the orders with the best prices that the last change states.
  mutating func checkStatement() {
    if let stated { compare(with: stated, at: nil) }
    stated = nil
  }

  /// Compares the orders with the best prices that an update states. Ignores an update that is older than the last one.
  mutating func compare(with best: BestPrices, at time: Int64?) {
    guard let orders else { return }
    if let time, let lastTime, time < lastTime { return }
    for (side, price) in [(OrderBook.Side.bid, best.bid), (.ask, best.ask)] {
      guard let price else { continue }
      for price in orders.contradictions(side, best: price) {
        disputed.insert(LevelKey(side: side, price: price))
        if let time { disputeTime = max(time, disputeTime ?? time) }
      }
    }
  }

  /// Returns true if both times are known and the book is disputed by an update after `time`.
  private func isDisputed(after time: Int64?) -> Bool {
    guard let time, let disputeTime else { return false }
    return disputeTime > time
  }

  /// Returns true if both times are known and an update's, `time`, is before the image's.
  private func isOlderThanImage(_ time: Int64?) -> Bool {
    guard let time, let known = image?.timestamp else { return false }
    return time < known
  }

  /// Discards the orders: the next image is awaited. Returns false if it already is.
  mutating func invalidate() -> Bool {
    if orders == nil { return false }
    self = TokenBook()
    return true
  }
}
