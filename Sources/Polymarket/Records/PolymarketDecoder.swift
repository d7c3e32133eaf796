import JSONText
package import OddsFeed

/// A decoder of market events, scores and the session's own messages into records (MarketChannel.md).
///
/// It keeps the books of the tokens of its subscription. A price is published only while its book is complete: from an
/// image until a change of the tick size, a loss of the connection, or an update that cannot be read. A book that is
/// disputed or crossed has no prices meanwhile.
package struct PolymarketDecoder: FeedDecoder {
  /// A token that the subscription has.
  struct Token {
    var eventID: UInt64
    /// The index of the market in the event's layout, and of the outcome in the market.
    var market: Int
    var outcome: Int
    var book = TokenBook()
    /// The price of the last trade, in ten-millionths.
    var lastTraded: Int64?
    /// The quote that the store has.
    var published = Quote()
    /// The price of the last trade that the store has.
    var publishedTrade: Int64?
    /// True if the store has the record of the outcome's offer, and of its exchange prices.
    var hasOffer = false
    var hasPrices = false
  }

  struct Event {
    var event: GammaEvent
    var layout: EventLayout
    /// The markets that the store knows to await an image, by their indices in the layout.
    var awaiting: Set<Int> = []
    /// True if the state of the game is that of the sports channel, which is newer than Gamma's.
    var hasSports = false
    /// True if Gamma says that the game has ended. A message of the sports channel does not undo that.
    var hasEndedAtGamma = false
    /// True if the store has the record of the score, and of the clock.
    var hasScore = false
    var hasMinute = false
  }

  var reader = MarketEventReader()
  var events: [UInt64: Event] = [:]
  /// The id of the event of each game, by the game's id.
  var games: [UInt64: UInt64] = [:]
  var tokens: [TokenID: Token] = [:]
  /// The sports that the store has, by their ids.
  var sports: Set<UInt64> = []
  /// The tokens of markets that Polymarket has resolved since the last dump, even if Gamma does not know it yet.
  var resolved: Set<TokenID> = []

  package init() {}

  package mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into batch: inout FeedBatch) {
    var cursor = JSONCursor(bytes, range)
    if cursor.skipByteOrderMark() { batch.exceptions.byteOrderMarks += 1 }
    if cursor.peek() == 0 { return }
    // NB: the whole text is checked first, because part of a text must not change any book.
    var check = cursor
    do throws(JSONError) {
      try check.skip()
      guard check.peek() == 0 else { throw .syntax }
      try read(&cursor, bytes, receivedAt: nil, &batch)
    } catch {
      batch.unparsable += 1
      if error == .depth { batch.exceptions.nestedTooDeep += 1 }
      invalidateAll(&batch)
    }
  }

  private mutating func read(
    _ cursor: inout JSONCursor, _ bytes: UnsafeBufferPointer<UInt8>, receivedAt: Int64?, _ batch: inout FeedBatch
  ) throws(JSONError) {
    switch cursor.peek() {
    case UInt8(ascii: "["):
      let others = try cursor.objects { cursor throws(JSONError) in
        try readObject(&cursor, bytes, receivedAt: receivedAt, &batch)
      }
      for _ in 0..<others { lost(&batch) }
    case UInt8(ascii: "{"): try readObject(&cursor, bytes, receivedAt: receivedAt, &batch)
    default: lost(&batch)
    }
  }

  private mutating func readObject(
    _ cursor: inout JSONCursor, _ bytes: UnsafeBufferPointer<UInt8>, receivedAt: Int64?, _ batch: inout FeedBatch
  ) throws(JSONError) {
    let start = cursor.at
    let event = try reader.event(&cursor)
    if receivedAt == nil, let message = event.message, !event.hasKind {
      // A line of a recording. Its message cannot contain another one.
      var inner = JSONCursor(bytes, message)
      return try read(&inner, bytes, receivedAt: event.receivedAt ?? 0, &batch)
    }
    let first = batch.messages.count
    if event.kind != nil || event.isOfUnknownBook {
      try apply(event, bytes, &batch)
    } else if event.hasGame, !event.hasKind {
      var again = JSONCursor(bytes, start..<cursor.at)
      if let update = try SportsUpdate(&again) {
        apply(update, &batch)
      } else {
        batch.exceptions.malformedMessages += 1
      }
    } else {
      batch.exceptions.unknownMessages += 1
    }
    guard let receivedAt, receivedAt > 0 else { return }
    for index in first..<batch.messages.count { batch.messages[index].receivedAt = receivedAt }
  }
}
