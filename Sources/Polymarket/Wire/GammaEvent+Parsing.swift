package import JSONText
import OddsModel

// NB: Gamma writes ids as texts or numbers and lists as JSON inside texts.

/// A list of events, and the number of events and markets that cannot be read.
package struct GammaEvents: Hashable, Sendable {
  package var events: [GammaEvent] = []
  /// The number of elements that are no event with an id, and of markets without an id or a name for each token.
  package var malformed = 0
  /// The number of elements, with those that are no event with an id.
  private(set) var elementCount = 0

  /// Reads an answer of Gamma: an array of events, or one event.
  ///
  /// - Throws: A `JSONError` if the text is not JSON.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>? = nil) throws(JSONError) {
    var cursor = JSONCursor(bytes, range ?? 0..<bytes.count)
    if range == nil { _ = cursor.skipByteOrderMark() }
    if cursor.peek() == UInt8(ascii: "[") {
      guard try cursor.enter(UInt8(ascii: "["), close: UInt8(ascii: "]")) else { return }
      repeat { try add(&cursor) } while try cursor.more(until: UInt8(ascii: "]"))
    } else {
      try add(&cursor)
    }
  }

  private mutating func add(_ cursor: inout JSONCursor) throws(JSONError) {
    elementCount += 1
    guard cursor.peek() == UInt8(ascii: "{") else {
      malformed += 1
      return try cursor.skip()
    }
    if let event = try GammaEvent(&cursor, malformed: &malformed) { events.append(event) } else { malformed += 1 }
  }
}

extension GammaEvent {
  /// Reads the object at the cursor. Returns nil if it has no usable id.
  init?(_ cursor: inout JSONCursor, malformed: inout Int) throws(JSONError) {
    var event = GammaEvent(id: 0)
    var id: UInt64?
    var state: (score: String?, period: String?, elapsed: String?) = (nil, nil, nil)
    try cursor.fields { key, cursor throws(JSONError) in
      switch String(decoding: key, as: UTF8.self) {
      case "id": id = try Gamma.number(&cursor)
      case "slug": event.slug = try Gamma.text(&cursor)
      case "title": event.title = try Gamma.text(&cursor)
      case "gameId": event.gameID = try Gamma.number(&cursor)
      case "startTime": event.startTime = try Gamma.time(&cursor) ?? event.startTime
      case "live": event.isLive = try Gamma.flag(&cursor, absent: false, unreadable: false)
      case "ended": event.hasEnded = try Gamma.flag(&cursor, absent: false, unreadable: true)
      case "closed": event.isClosed = try Gamma.flag(&cursor, absent: false, unreadable: true)
      case "score": state.score = try Gamma.text(&cursor)
      case "period": state.period = try Gamma.text(&cursor)
      case "elapsed": state.elapsed = try Gamma.text(&cursor)
      case "markets": try event.readMarkets(&cursor, malformed: &malformed)
      default: try cursor.skip()
      }
      return true
    }
    guard let id else { return nil }
    event.id = id
    event.score = state.score ?? ""
    event.period = state.period ?? ""
    event.elapsed = state.elapsed ?? ""
    self = event
  }

  private mutating func readMarkets(_ cursor: inout JSONCursor, malformed: inout Int) throws(JSONError) {
    guard cursor.peek() == UInt8(ascii: "[") else { return try cursor.skip() }
    var unusable = 0
    let others = try cursor.objects { cursor throws(JSONError) in
      let (market, game) = try GammaMarket.read(&cursor)
      if gameID == nil { gameID = game.id }
      if startTime == nil { startTime = game.startTime }
      if let market { markets.append(market) } else { unusable += 1 }
    }
    malformed += others + unusable
  }
}

extension GammaMarket {
  /// Reads the object at the cursor. Returns nil if it has no usable id, or not one name for each token.
  static func read(_ cursor: inout JSONCursor) throws(JSONError) -> (
    GammaMarket?, game: (id: UInt64?, startTime: Int64?)
  ) {
    var market = GammaMarket(id: 0)
    var id: UInt64?
    var game: (id: UInt64?, startTime: Int64?) = (nil, nil)
    var tokens: [String] = []
    try cursor.fields { key, cursor throws(JSONError) in
      switch String(decoding: key, as: UTF8.self) {
      case "id": id = try Gamma.number(&cursor)
      case "question": market.question = try Gamma.text(&cursor)
      case "groupItemTitle": market.groupTitle = try Gamma.text(&cursor)
      case "sportsMarketType": market.type = try Gamma.text(&cursor)
      case "line": market.line = try cursor.fixed()
      case "secondsDelay": market.delay = try cursor.time()
      case "active": market.isActive = try Gamma.flag(&cursor, absent: true, unreadable: false)
      case "closed": market.isClosed = try Gamma.flag(&cursor, absent: false, unreadable: true)
      case "acceptingOrders": market.takesOrders = try Gamma.flag(&cursor, absent: true, unreadable: false)
      case "endDate": market.endTime = try Gamma.time(&cursor)
      case "gameId": game.id = try Gamma.number(&cursor)
      case "gameStartTime": game.startTime = try Gamma.time(&cursor)
      case "outcomes": market.outcomes = try Gamma.list(&cursor)
      case "clobTokenIds": tokens = try Gamma.list(&cursor)
      default: try cursor.skip()
      }
      return true
    }
    market.tokens = tokens.compactMap { TokenID($0) }
    guard let id, market.tokens.count == tokens.count, tokens.count == market.outcomes.count else { return (nil, game) }
    market.id = id
    return (market, game)
  }
}

/// Readers of Gamma's values. Each steps over one value.
enum Gamma {
  /// Returns a whole number from 1 to 10^16, in quotes or not; nil for any other value. Ids of markets are multiplied
  /// to get those of outcomes, which stay below 10^18.
  static func number(_ cursor: inout JSONCursor) throws(JSONError) -> UInt64? {
    guard let value = try cursor.time(), 1...10_000_000_000_000_000 ~= value else { return nil }
    return UInt64(value)
  }

  /// Returns a text; empty for any other value.
  static func text(_ cursor: inout JSONCursor) throws(JSONError) -> String { try cursor.textIfAny() ?? "" }

  /// Returns true, false, `absent` for null, or `unreadable` for any other value.
  static func flag(_ cursor: inout JSONCursor, absent: Bool, unreadable: Bool) throws(JSONError) -> Bool {
    let first = cursor.peek()
    try cursor.skip()
    switch first {
    case UInt8(ascii: "t"): return true
    case UInt8(ascii: "f"): return false
    case UInt8(ascii: "n"): return absent
    default: return unreadable
    }
  }

  /// Returns milliseconds since 1970 for `2025-12-20T22:00:00Z` and `2025-12-20 22:00:00+00`; nil for any other value.
  static func time(_ cursor: inout JSONCursor) throws(JSONError) -> Int64? {
    var bytes = Array(try text(&cursor).utf8)
    guard bytes.count >= 19, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    if bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
    var text = String(decoding: bytes, as: UTF8.self)
    if text.hasSuffix("+00") { text = text.dropLast(3) + "Z" }
    return ISOTime.milliseconds(text)
  }

  /// Returns the texts of an array, or of a text that contains an array; empty for any other value.
  static func list(_ cursor: inout JSONCursor) throws(JSONError) -> [String] {
    switch cursor.peek() {
    case UInt8(ascii: "["): return try elements(&cursor)
    case UInt8(ascii: "\""):
      let text = try cursor.text()
      // NB: a text that is no JSON is no list, but the text around it is still readable.
      return Array(text.utf8).withUnsafeBufferPointer { bytes in
        var inner = JSONCursor(bytes)
        guard inner.peek() == UInt8(ascii: "[") else { return [] }
        return (try? elements(&inner)) ?? []
      }
    default:
      try cursor.skip()
      return []
    }
  }

  private static func elements(_ cursor: inout JSONCursor) throws(JSONError) -> [String] {
    var texts: [String] = []
    guard try cursor.enter(UInt8(ascii: "["), close: UInt8(ascii: "]")) else { return [] }
    repeat {
      if cursor.peek() == UInt8(ascii: "\"") { texts.append(try cursor.text()) } else { try cursor.skip() }
    } while try cursor.more(until: UInt8(ascii: "]"))
    return texts
  }
}
