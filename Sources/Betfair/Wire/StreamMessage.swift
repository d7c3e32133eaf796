import OddsModel

/// A message of the stream, decoded into flat arrays that are refilled for each message. Nothing is applied before the
/// whole text is read, because the keys of its objects come in any order.
struct StreamMessage {
  enum Operation { case none, marketChange, names, connection, status, other }
  /// The kind of a market change message: `ct`.
  enum ChangeType { case update, image, resubscription, heartbeat }
  /// The position in a message that is sent in parts: `segmentType`.
  enum Segment { case none, start, middle, end }

  var operation = Operation.none
  var changeType = ChangeType.update
  var segment = Segment.none
  var id: Int64?
  /// The time of publication: `pt`, in milliseconds since 1970.
  var publishTime: Int64?
  /// True if the provider's own source of prices is not live: `status` 503.
  var isStale = false
  /// The interval of updates: `conflateMs`, in milliseconds.
  var conflation: Int64?
  /// The opaque positions in the stream: `clk` and `initialClk`.
  var clock: String?
  var initialClock: String?
  var markets: [MarketChange] = []
  var runners: [RunnerChange] = []
  var levels: [LadderChange] = []
  var definitions: [MarketDefinition] = []
  /// True if the message has a list of markets.
  var hasMarkets = false
  /// True if a part that cannot be read may be a change of any market.
  var isDamaged = false
  /// True if any part of a market cannot be read.
  var hasDamagedMarkets = false
  // Of an answer:
  var isSuccess = false
  var errorCode = ""
  var errorMessage = ""
  var connectionsAvailable: Int64?
  /// The longest time between two messages, in milliseconds, as a market change message states it: `heartbeatMs`.
  var heartbeat: Int64?
  /// The names of markets, in a message of the session.
  var names: [(id: MarketKey, names: MarketNames)] = []

  /// True if the message is not a later part of another.
  var isFirst: Bool { segment == .none || segment == .start }

  /// True if the message is not followed by another part.
  var isLast: Bool { segment == .none || segment == .end }

  /// Returns true if a part of a message in parts is missing before this message. An image and a resubscription may
  /// follow an unfinished message, because they begin a connection. A heartbeat may come between two parts.
  ///
  /// - Parameter isWithinMessage: True if the message before it is unfinished.
  func isPartMissing(isWithinMessage: Bool) -> Bool {
    isFirst ? isWithinMessage && changeType == .update : !isWithinMessage
  }

  /// Empties the message. Keeps the memory of its arrays.
  mutating func removeAll() {
    operation = .none
    changeType = .update
    segment = .none
    id = nil
    publishTime = nil
    isStale = false
    conflation = nil
    clock = nil
    initialClock = nil
    markets.removeAll(keepingCapacity: true)
    runners.removeAll(keepingCapacity: true)
    levels.removeAll(keepingCapacity: true)
    definitions.removeAll(keepingCapacity: true)
    hasMarkets = false
    isDamaged = false
    hasDamagedMarkets = false
    isSuccess = false
    errorCode = ""
    errorMessage = ""
    connectionsAvailable = nil
    heartbeat = nil
    names.removeAll(keepingCapacity: true)
  }
}

/// A change of a market: an element of `mc`.
struct MarketChange {
  /// The market; nil if the element names none, so that it cannot be applied.
  var id: MarketKey?
  var isImage = false
  var isConflated = false
  /// True if a part of the change cannot be read.
  var isDamaged = false
  /// The stakes matched, in ten-millionths.
  var volume: Int64?
  /// The index in `StreamMessage.definitions`.
  var definition: Int?
  /// The range in `StreamMessage.runners`.
  var runners = 0..<0
}

/// A change of a runner: an element of `rc`.
struct RunnerChange {
  /// The runner; nil if the element names none.
  var key: RunnerKey?
  /// The last traded price, in ten-millionths.
  var lastTraded: Int64?
  /// The stakes matched, in ten-millionths.
  var volume: Int64?
  /// The range in `StreamMessage.levels`.
  var levels = 0..<0
}

/// A change of one level of a ladder.
struct LadderChange {
  var ladder: Ladder
  /// The index of the level; 0 in a ladder by price.
  var level: Int64
  /// The price, and the amount available or matched at it, in ten-millionths. An amount of 0 removes the level.
  var price: Int64
  var size: Int64
}

/// The ladders of a runner.
enum Ladder: UInt8, CaseIterable {
  /// The best prices with virtual ones, by level: `bdatb`, `bdatl`.
  case displayBack, displayLay
  /// The best prices without virtual ones, by level: `batb`, `batl`.
  case bestBack, bestLay
  /// All prices, by price: `atb`, `atl`.
  case allBack, allLay
  /// The matched stakes, by price: `trd`.
  case traded

  var isByLevel: Bool { rawValue < Self.allBack.rawValue }
}

/// A selection of a market: its id and the handicap, in ten-millionths.
struct RunnerKey: Hashable, Sendable {
  var id: Int64
  var handicap: Int64
}

/// The id of a market. An id of the usual form, `1.234567890`, and a whole number are packed; any other id is interned.
struct MarketKey: Hashable, Sendable {
  /// Of the usual form: the number before the point (bits 56 to 62), the count of digits after it, which keeps leading
  /// zeros (bits 51 to 55), and their value. Of a whole number: 0x7F in bits 56 to 62, and the number.
  let raw: UInt64

  /// Creates a key from an id's text. Returns nil if the text is no id.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    var exchange: UInt64 = 0
    var number: UInt64 = 0
    var digits = 0
    var at = 0
    while at < text.count, at < 2, text[at] &- 0x30 <= 9 {
      exchange = exchange * 10 + UInt64(text[at] &- 0x30)
      at += 1
    }
    if at > 0, at < text.count, text[at] == UInt8(ascii: "."), text[0] != 0x30 {
      at += 1
      while at < text.count, digits < 15, text[at] &- 0x30 <= 9 {
        number = number &* 10 &+ UInt64(text[at] &- 0x30)
        digits += 1
        at += 1
      }
      if at == text.count, digits > 0 {
        raw = exchange << 56 | UInt64(digits) << 51 | number
        return
      }
    }
    // An id that reads as a number or as an interned one is kept apart from those of the usual form by its high bits.
    guard let interned = FeedID<Market>(String(decoding: text, as: UTF8.self)),
      interned.raw & RawID.interned != 0 || interned.raw < 1 << 56
    else { return nil }
    raw = interned.raw & RawID.interned != 0 ? interned.raw : interned.raw | 0x7F << 56
  }

  /// The id's text.
  var text: String {
    let digits = Int(raw >> 51 & 0x1F)
    let exchange = raw >> 56
    if raw & RawID.interned != 0 { return RawID.text(raw) }
    if exchange == 0x7F { return String(raw & (1 << 56 - 1)) }
    let number = String(raw & (1 << 51 - 1))
    return "\(exchange).\(String(repeating: "0", count: max(0, digits - number.utf8.count)))\(number)"
  }
}
