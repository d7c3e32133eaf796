/// An event of the market channel, or a message that this project's session adds, with ranges of its values in the text
/// (MarketChannel.md). Nothing is copied.
struct MarketEvent {
  enum Kind: Sendable {
    // Sent by Polymarket.
    case book, priceChange, lastTradePrice, tickSizeChange, bestBidAsk, newMarket, marketResolved
    // Written by the session (SessionMessages.md).
    case events, eventsChanged, withdrawn
  }

  enum Key: Sendable {
    case kind, token, tokens, bids, asks, hash, timestamp, changes, price, size, side, bestBid, bestAsk
    case events, removed, stale, gameID, receivedAt, message
  }

  /// The kind; nil if the event has none or one that is not known.
  var kind: Kind?
  /// True if the event has a kind.
  var hasKind = false
  var token: TokenID?
  var price: Int64?
  var best = BestPrices()
  /// A hash of the text in `hash`; 0 if there is none.
  var hash: UInt64 = 0
  /// Milliseconds since 1970; nil if there is none.
  var timestamp: Int64?
  /// True if the text is a message of the sports channel.
  var hasGame = false
  /// True if Gamma has not answered for some time.
  var isStale = false
  /// The time of receipt of a recorded line, in milliseconds since 1970.
  var receivedAt: Int64?
  // Ranges of arrays and of a recorded message.
  var bids: Range<Int>?
  var asks: Range<Int>?
  var changes: Range<Int>?
  var tokens: Range<Int>?
  var events: Range<Int>?
  var removed: Range<Int>?
  var message: Range<Int>?
  /// True if a list of tokens or events is neither an array nor null.
  var hasUnreadableList = false

  /// True if the event is an update of a book and does not say of which, so that any book may lack it.
  var isOfUnknownBook: Bool {
    switch kind {
    case .book, .tickSizeChange: token == nil
    case .priceChange: changes == nil
    case .withdrawn: tokens == nil
    case .marketResolved, .eventsChanged: hasUnreadableList
    case nil: !hasKind && (changes != nil || bids != nil || asks != nil)
    default: false
    }
  }
}

/// The best prices of a token that an update states, in ten-millionths. Nil if it states none; not a price
/// (`OrderBook.isPrice`) if it states that there is no order on that side.
struct BestPrices: Hashable {
  var bid: Int64?
  var ask: Int64?
}
