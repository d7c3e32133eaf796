import JSONText

/// An update of a token's book, as the session follows it.
enum BookUpdate: Hashable {
  case image(TokenID, OrderBook, TokenBook.UpdateID)
  /// The changes of a message.
  case changes([MarketEventReader.Change], time: Int64?)
  /// The best prices, as a message states them.
  case best(TokenID, BestPrices, time: Int64?)
  /// The book is unknown until the next image, which must not be from before `time`, that of an update which the book
  /// lacks.
  case lost(TokenID, time: Int64?)
}

/// The tokens of a frame of the market channel, by the action that they require of the session.
struct MarketSummary: Hashable {
  /// All tokens that the frame is about.
  var tokens: Set<TokenID> = []
  /// The updates of books in the order of the frame.
  var updates: [BookUpdate] = []
  /// The tokens of resolved markets.
  var resolved: [TokenID] = []

  init() {}

  /// Reads a frame: an event or an array of events.
  ///
  /// Returns nil if it is neither, or if it has an update of a book and does not say of which: then any book may lack
  /// it.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, _ reader: inout MarketEventReader) {
    guard JSONCursor.isOneValue(bytes) else { return nil }
    var cursor = JSONCursor(bytes)
    do throws(JSONError) {
      switch cursor.peek() {
      case UInt8(ascii: "["):
        let others = try cursor.objects { cursor throws(JSONError) in try add(&cursor, bytes, &reader) }
        if others > 0 { return nil }
      case UInt8(ascii: "{"): try add(&cursor, bytes, &reader)
      default: return nil
      }
    } catch { return nil }
  }

  private mutating func add(
    _ cursor: inout JSONCursor, _ bytes: UnsafeBufferPointer<UInt8>, _ reader: inout MarketEventReader
  ) throws(JSONError) {
    let event = try reader.event(&cursor)
    var ids: [TokenID] = event.token.map { [$0] } ?? []
    if event.isOfUnknownBook { throw .syntax }
    switch event.kind {
    case .book:
      let orders = try reader.orders(of: event, bytes)
      let id = TokenBook.UpdateID(hash: event.hash, timestamp: event.timestamp)
      updates += ids.map { token in orders.map { .image(token, $0, id) } ?? .lost(token, time: event.timestamp) }
    case .priceChange:
      var unreadable: [TokenID] = []
      var changes: [MarketEventReader.Change] = []
      let malformed = try reader.changes(bytes, event.changes, unreadable: { unreadable.append($0) }) { change in
        changes.append(change)
      }
      // A change without a token can be of any book.
      if malformed > unreadable.count { throw .syntax }
      updates.append(.changes(changes, time: event.timestamp))
      updates += unreadable.map { .lost($0, time: event.timestamp) }
      ids += changes.map(\.token) + unreadable
    case .bestBidAsk: updates += ids.map { .best($0, event.best, time: event.timestamp) }
    case .tickSizeChange: updates += ids.map { .lost($0, time: nil) }
    case .marketResolved:
      let areReadable = try event.tokens.map { range throws(JSONError) in
        try MarketEventReader.tokens(bytes, range) { ids.append($0) }
      }
      if ids.isEmpty || areReadable == false { throw .syntax }
      resolved += ids
    case .lastTradePrice: break
    // Nothing of these is delivered.
    case .newMarket, .events, .eventsChanged, .withdrawn, nil: return
    }
    tokens.formUnion(ids)
  }
}
