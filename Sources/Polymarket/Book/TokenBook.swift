/// The book of one token, with its disputed levels and its latest updates.
///
/// Changes without an image are not applied: they say nothing about the other levels. If an update states other best
/// prices than those of the orders, a change was lost, or the rest of a change has not arrived yet. The book is
/// disputed then until an image, or until each level that contradicts the statement is changed itself.
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
  /// The time of the last update before the image, or before the orders were discarded, in milliseconds since 1970. An
  /// image from before it lacks that update.
  private var floor: Int64?
  /// The times of the last changes of the levels since the image, also of levels that are gone.
  private var changeTimes: [LevelKey: Int64] = [:]
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

  /// The time before which an image is out of date, in milliseconds since 1970; nil if no update had a time.
  var minImageTime: Int64? { [floor, lastTime].compactMap(\.self).max() }

  /// Returns true if both times are known and an image's, `time`, is before that of an update that the book has had.
  func isOutdated(imageAt time: Int64?) -> Bool {
    guard let time, let minImageTime else { return false }
    return time < minImageTime
  }

  /// Replaces the orders. Returns false for an image from before the last update, and for a repetition of the last
  /// image. The repetition settles a disputed book only if nothing says that the book has changed since the image.
  mutating func apply(image orders: OrderBook, _ id: UpdateID) -> Bool {
    if isOutdated(imageAt: id.timestamp) { return false }
    if self.orders != nil, id.hash != 0, id == image,
      !isDisputed || hasChanges || isDisputed(after: id.timestamp)
    {
      return false
    }
    floor = minImageTime
    self.orders = orders
    disputed.removeAll()
    disputeTime = nil
    hasChanges = false
    stated = nil
    image = id
    lastTime = id.timestamp
    changeTimes.removeAll(keepingCapacity: true)
    recent.removeAll(keepingCapacity: true)
    next = 0
    return true
  }

  /// Applies a change of a level. Returns false if there is no image, if the change is older than the image, which has
  /// it already, or than the last change of the level, or if the change is a repetition.
  ///
  /// `checkStatement()` has to follow the last change of a message.
  mutating func apply(_ change: MarketEventReader.Change, at time: Int64?) -> Bool {
    let id = UpdateID(hash: change.hash, timestamp: time, side: change.side, level: change.level)
    if orders == nil || isOlderThanImage(id.timestamp) { return false }
    let key = LevelKey(side: change.side, price: change.level.price)
    if let time {
      if let lastTime, time < lastTime, let known = changeTimes[key], time < known { return false }
      changeTimes[key] = time
    }
    if id.hash != 0 {
      if recent.contains(id) { return false }
      if recent.count < Self.maxRecent { recent.append(id) } else { recent[next] = id }
      next = (next + 1) % Self.maxRecent
    }
    orders!.set(change.side, change.level)
    hasChanges = true
    disputed.remove(key)
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

  /// Discards the orders: the next image is awaited, which must not be from before `time`, nor from before the updates
  /// that the book has had. Returns true if the orders were known.
  ///
  /// - Parameter time: The time of an update that the book lacks, in milliseconds since 1970; nil if it may lack none.
  mutating func invalidate(at time: Int64?) -> Bool {
    let isKnown = orders != nil
    let floor = [minImageTime, time].compactMap(\.self).max()
    self = TokenBook()
    self.floor = floor
    return isKnown
  }

  /// Discards the orders if they are from before `time`. Images from before it are not accepted. Returns true if the
  /// orders were known and are discarded.
  mutating func withdraw(before time: Int64) -> Bool {
    if let minImageTime, minImageTime >= time { return false }
    return invalidate(at: time)
  }
}
