/// The book of one token and what is known of it.
///
/// Changes without an image are not applied: they say nothing about the other levels.
struct TokenBook: Sendable {
  /// The identity of an update. Polymarket sends some updates more than once.
  struct UpdateID: Hashable {
    var hash: UInt64
    /// Milliseconds since 1970.
    var timestamp: Int64
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

  /// Replaces the orders. Returns false for a repetition of the last image, which later changes have made obsolete.
  mutating func apply(image orders: OrderBook, _ id: UpdateID) -> Bool {
    if self.orders != nil, id.hash != 0, id == image { return false }
    self.orders = orders
    image = id
    recent.removeAll(keepingCapacity: true)
    next = 0
    return true
  }

  /// Applies a change of a level. Returns false if there is no image, or if the change is a repetition.
  mutating func apply(_ side: OrderBook.Side, _ level: OrderBook.Level, _ id: UpdateID) -> Bool {
    if orders == nil { return false }
    if id.hash != 0 {
      if recent.contains(id) { return false }
      if recent.count < Self.maxRecent { recent.append(id) } else { recent[next] = id }
      next = (next + 1) % Self.maxRecent
    }
    orders!.set(side, level)
    return true
  }

  /// Discards the orders: the next image is awaited. Returns false if it already is.
  mutating func invalidate() -> Bool {
    if orders == nil { return false }
    self = TokenBook()
    return true
  }
}
