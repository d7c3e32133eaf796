import JSONText

/// The tokens of a frame of the market channel, by what the session has to do about them.
struct MarketSummary: Hashable {
  /// All tokens that the frame is about.
  var tokens: Set<TokenID> = []
  /// The tokens whose image is in the frame.
  var imaged: [TokenID] = []
  /// The tokens whose book is unknown until the next image.
  var lost: [TokenID] = []
  /// The tokens of resolved markets.
  var resolved: [TokenID] = []

  init() {}

  /// Reads a frame: an event or an array of events.
  ///
  /// Returns nil if it is neither, or if it has an update of a book and does not say of which: then any book may lack it.
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
      var malformed = 0
      if let bids = event.bids { try reader.levels(bytes, bids, malformed: &malformed) { _ in } }
      if let asks = event.asks { try reader.levels(bytes, asks, malformed: &malformed) { _ in } }
      let isReadable = malformed == 0 && event.bids != nil && event.asks != nil
      for id in ids { set(id, isImaged: isReadable) }
    case .priceChange:
      var unreadable: [TokenID] = []
      let malformed = try reader.changes(bytes, event.changes, unreadable: { unreadable.append($0) }) { change in
        ids.append(change.token)
      }
      // A change without a token can be of any book.
      if malformed > unreadable.count { throw .syntax }
      ids += unreadable
      for id in unreadable { set(id, isImaged: false) }
    case .tickSizeChange: for id in ids { set(id, isImaged: false) }
    case .marketResolved:
      let areReadable = try event.tokens.map { range throws(JSONError) in
        try MarketEventReader.tokens(bytes, range) { ids.append($0) }
      }
      if ids.isEmpty || areReadable == false { throw .syntax }
      resolved += ids
    case .lastTradePrice: break
    // Nothing of these is delivered.
    case .bestBidAsk, .newMarket, .events, .eventsChanged, .withdrawn, nil: return
    }
    tokens.formUnion(ids)
  }

  /// Records whether a token's book is known after the event. A later event of the frame prevails.
  private mutating func set(_ token: TokenID, isImaged: Bool) {
    imaged.removeAll { $0 == token }
    lost.removeAll { $0 == token }
    if isImaged { imaged.append(token) } else { lost.append(token) }
  }
}
