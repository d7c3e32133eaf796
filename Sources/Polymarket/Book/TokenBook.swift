/// The book of one token and what is known of it.
///
/// Changes without an image are not applied: they say nothing about the other levels.
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

  /// The orders; nil until an image arrives.
  private(set) var orders: OrderBook?
  private var image: UpdateID?
  /// The changes applied since the image, the oldest at `next` once there are `maxRecent`.
  private var recent: [UpdateID] = []
  private var next = 0

  /// Replaces the orders. Returns false for a repetition of the last image, which later changes have made obsolete, and
  /// for an older image.
  mutating func apply(image orders: OrderBook, _ id: UpdateID) -> Bool {
    if self.orders != nil, id.hash != 0 && id == image || isOlderThanImage(id) { return false }
    self.orders = orders
    image = id
    recent.removeAll(keepingCapacity: true)
    next = 0
    return true
  }

  /// Applies a change of a level. Returns false if there is no image, if the change is older than the image, which has
  /// it already, or if the change is a repetition.
  mutating func apply(_ side: OrderBook.Side, _ level: OrderBook.Level, _ id: UpdateID) -> Bool {
    if orders == nil || isOlderThanImage(id) { return false }
    if id.hash != 0 {
      if recent.contains(id) { return false }
      if recent.count < Self.maxRecent { recent.append(id) } else { recent[next] = id }
      next = (next + 1) % Self.maxRecent
    }
    orders!.set(side, level)
    return true
  }

  /// Returns true if both times are known and the update's is before the image's.
  private func isOlderThanImage(_ id: UpdateID) -> Bool {
    guard let time = id.timestamp, let known = image?.timestamp else { return false }
    return time < known
  }

  /// Discards the orders: the next image is awaited. Returns false if it already is.
  mutating func invalidate() -> Bool {
    if orders == nil { return false }
    self = TokenBook()
    return true
  }
}
