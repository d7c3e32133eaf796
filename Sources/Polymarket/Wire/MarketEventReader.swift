import JSONText
import Platform

/// A reader of market events, which predicts the keys of an object from the previous one.
struct MarketEventReader: Sendable {
  static let keys = PerfectHashTable<MarketEvent.Key>([
    ("event_type", .kind), ("asset_id", .token), ("assets_ids", .tokens), ("bids", .bids), ("asks", .asks),
    ("buys", .bids), ("sells", .asks), ("hash", .hash), ("timestamp", .timestamp), ("price_changes", .changes),
    ("price", .price), ("size", .size), ("side", .side), ("best_bid", .bestBid), ("best_ask", .bestAsk),
    ("events", .events), ("removed", .removed), ("stale", .stale), ("gameId", .gameID), ("receivedAt", .receivedAt),
    ("message", .message),
  ])
  static let kinds = PerfectHashTable<MarketEvent.Kind>([
    ("book", .book), ("price_change", .priceChange), ("last_trade_price", .lastTradePrice),
    ("tick_size_change", .tickSizeChange), ("best_bid_ask", .bestBidAsk), ("new_market", .newMarket),
    ("market_resolved", .marketResolved), ("events", .events), ("events_changed", .eventsChanged),
    ("withdrawn", .withdrawn),
  ])

  private var keys = PredictiveKeyReader(Self.keys)
  private var changeKeys = PredictiveKeyReader(Self.keys)

  /// Reads the object at the cursor to its end.
  mutating func event(_ cursor: inout JSONCursor) throws(JSONError) -> MarketEvent {
    var event = MarketEvent()
    guard try cursor.enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) else { return event }
    keys.begin()
    repeat {
      _ = cursor.peek()
      let key = try keys.read(&cursor)
      try cursor.expect(UInt8(ascii: ":"))
      try read(key, of: &event, &cursor)
    } while try cursor.more(until: UInt8(ascii: "}"))
    return event
  }

  private func read(_ key: MarketEvent.Key?, of event: inout MarketEvent, _ cursor: inout JSONCursor) throws(JSONError)
  {
    switch key {
    case .kind where cursor.peek() == UInt8(ascii: "\""):
      event.hasKind = true
      let index = Self.kinds.index(of: try cursor.name())
      event.kind = index == PerfectHashTable<MarketEvent.Kind>.none ? nil : Self.kinds[index]
    case .token: event.token = try Self.token(&cursor)
    case .hash: event.hash = try Self.hash(&cursor)
    case .timestamp: event.timestamp = try cursor.time()
    case .receivedAt: event.receivedAt = try cursor.time()
    case .price: event.price = try WireDecimal.read(&cursor)
    case .bestBid: event.best.bid = try WireDecimal.read(&cursor)
    case .bestAsk: event.best.ask = try WireDecimal.read(&cursor)
    case .bids: event.bids = try Self.array(&cursor)
    case .asks: event.asks = try Self.array(&cursor)
    case .changes: event.changes = try Self.array(&cursor)
    case .tokens: event.tokens = try Self.list(&cursor, &event)
    case .events: event.events = try Self.list(&cursor, &event)
    case .removed: event.removed = try Self.list(&cursor, &event)
    case .stale: event.isStale = try Gamma.flag(&cursor, absent: false, unreadable: true)
    case .message: event.message = try cursor.value()
    case .gameID:
      event.hasGame = true
      try cursor.skip()
    case .kind, .size, .side, nil: try cursor.skip()
    }
  }

  /// A level of a book: a price and the shares at it, in ten-millionths.
  struct Level: Hashable {
    var price: Int64
    var size: Int64
  }

  /// Visits the levels of an array. A level without a valid price or size is counted in `malformed`.
  private func levels(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, malformed: inout Int, _ visit: (Level) -> Void
  ) throws(JSONError) {
    var cursor = JSONCursor(bytes, range)
    var unreadable = 0
    let others = try cursor.objects { cursor throws(JSONError) in
      var (price, size): (Int64?, Int64?)
      try cursor.fields { key, cursor throws(JSONError) in
        if key.equals("price") {
          price = try WireDecimal.read(&cursor)
        } else if key.equals("size") {
          size = try WireDecimal.read(&cursor)
        } else {
          try cursor.skip()
        }
        return true
      }
      if let price, let size, OrderBook.isPrice(price) {
        visit(Level(price: price, size: size))
      } else {
        unreadable += 1
      }
    }
    malformed += others + unreadable
  }

  /// Returns the orders of an image; nil if one of its levels cannot be read: such a book has no known best price.
  func orders(
    of event: MarketEvent, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) -> OrderBook? {
    guard let bids = event.bids, let asks = event.asks else { return nil }
    var orders = OrderBook()
    var malformed = 0
    try levels(bytes, bids, malformed: &malformed) { orders.set(.bid, $0) }
    try levels(bytes, asks, malformed: &malformed) { orders.set(.ask, $0) }
    return malformed == 0 ? orders : nil
  }

  /// A change of one level of a token's book.
  struct Change: Hashable {
    var token: TokenID
    var side: OrderBook.Side
    var level: Level
    var hash: UInt64
    /// The best prices after the change, as it states them.
    var best: BestPrices
  }

  /// Visits the changes of an array. The token of a change that cannot be read is passed to `unreadable`, if it has
  /// one.
  ///
  /// - Returns: The number of changes that cannot be read.
  mutating func changes(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>?, unreadable: (TokenID) -> Void,
    _ visit: (Change) -> Void
  ) throws(JSONError) -> Int {
    guard let range else { return 0 }
    var cursor = JSONCursor(bytes, range)
    var malformed = 0
    let others = try cursor.objects { cursor throws(JSONError) in
      let (token, change) = try change(&cursor)
      if let change { return visit(change) }
      malformed += 1
      if let token { unreadable(token) }
    }
    return others + malformed
  }

  private mutating func change(_ cursor: inout JSONCursor) throws(JSONError) -> (TokenID?, Change?) {
    var (token, price, size, side): (TokenID?, Int64?, Int64?, OrderBook.Side?)
    var hash: UInt64 = 0
    var best = BestPrices()
    guard try cursor.enter(UInt8(ascii: "{"), close: UInt8(ascii: "}")) else { return (nil, nil) }
    changeKeys.begin()
    repeat {
      _ = cursor.peek()
      let key = try changeKeys.read(&cursor)
      try cursor.expect(UInt8(ascii: ":"))
      switch key {
      case .token: token = try Self.token(&cursor)
      case .price: price = try WireDecimal.read(&cursor)
      case .size: size = try WireDecimal.read(&cursor)
      case .hash: hash = try Self.hash(&cursor)
      case .bestBid: best.bid = try WireDecimal.read(&cursor)
      case .bestAsk: best.ask = try WireDecimal.read(&cursor)
      case .side where cursor.peek() == UInt8(ascii: "\""):
        let text = try cursor.string().bytes
        side = text.equals("BUY") ? .bid : text.equals("SELL") ? .ask : nil
      default: try cursor.skip()
      }
    } while try cursor.more(until: UInt8(ascii: "}"))
    guard let token, let price, let size, let side, OrderBook.isPrice(price) else { return (token, nil) }
    return (token, Change(token: token, side: side, level: Level(price: price, size: size), hash: hash, best: best))
  }

  /// Visits the ids in an array of texts.
  ///
  /// - Returns: False if an element is no id.
  static func tokens(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ visit: (TokenID) -> Void
  ) throws(JSONError) -> Bool {
    var cursor = JSONCursor(bytes, range)
    guard try cursor.enter(UInt8(ascii: "["), close: UInt8(ascii: "]")) else { return true }
    var areReadable = true
    repeat {
      if let token = try token(&cursor) { visit(token) } else { areReadable = false }
    } while try cursor.more(until: UInt8(ascii: "]"))
    return areReadable
  }

  private static func token(_ cursor: inout JSONCursor) throws(JSONError) -> TokenID? {
    guard cursor.peek() == UInt8(ascii: "\"") else {
      try cursor.skip()
      return nil
    }
    return TokenID(try cursor.string().bytes)
  }

  /// Steps over one value. Returns the range of an array; nil for any other value, which is recorded in `event`.
  private static func list(_ cursor: inout JSONCursor, _ event: inout MarketEvent) throws(JSONError) -> Range<Int>? {
    let isNull = cursor.peek() == UInt8(ascii: "n")
    let range = try array(&cursor)
    if range == nil, !isNull { event.hasUnreadableList = true }
    return range
  }

  /// Steps over one value. Returns the range of an array; nil for any other value.
  private static func array(_ cursor: inout JSONCursor) throws(JSONError) -> Range<Int>? {
    let isArray = cursor.peek() == UInt8(ascii: "[")
    let range = try cursor.value()
    return isArray ? range : nil
  }

  /// Steps over one value. Returns a number that differs, most likely, for different texts; 0 for any other value.
  private static func hash(_ cursor: inout JSONCursor) throws(JSONError) -> UInt64 {
    guard cursor.peek() == UInt8(ascii: "\"") else {
      try cursor.skip()
      return 0
    }
    let text = try cursor.string().bytes
    if text.isEmpty { return 0 }
    return FNV1aHash(text).value
  }
}
