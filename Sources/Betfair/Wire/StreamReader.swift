import JSONText
import OddsModel

/// A reader of the stream's JSON into a `StreamMessage`. Unknown keys are skipped, and a value that is not of its
/// field's type counts as not sent. If the value can be a change of prices or of a status, the market or the message is
/// damaged.
struct StreamReader: Sendable {
  private enum Key: CaseIterable {
    case op, id, ct, clk, initialClk, pt, segmentType, status, conflateMs, mc, result, receivedAt, message
    case statusCode, errorCode, errorMessage, connectionsAvailable, heartbeatMs
  }
  private enum MarketField: CaseIterable { case id, img, con, tv, marketDefinition, rc }
  private enum RunnerField { case id, hc, ltp, tv, ladder(Ladder) }

  private static let keys = PerfectHashTable(Key.allCases.map { ("\($0)", $0) })
  private static let marketFields = PerfectHashTable(MarketField.allCases.map { ("\($0)", $0) })
  private static let runnerFields = PerfectHashTable<RunnerField>([
    ("id", .id), ("hc", .hc), ("ltp", .ltp), ("tv", .tv), ("bdatb", .ladder(.displayBack)),
    ("bdatl", .ladder(.displayLay)), ("batb", .ladder(.bestBack)), ("batl", .ladder(.bestLay)),
    ("atb", .ladder(.allBack)), ("atl", .ladder(.allLay)), ("trd", .ladder(.traded)),
  ])

  private var keys = PredictiveKeyReader(Self.keys)
  private var marketFields = PredictiveKeyReader(Self.marketFields)
  private var runnerFields = PredictiveKeyReader(Self.runnerFields)

  private static let open = UInt8(ascii: "{")
  private static let close = UInt8(ascii: "}")
  private static let colon = UInt8(ascii: ":")

  /// Reads a message, or a line of a recording that wraps one: `{"receivedAt":ms,"topic":…,"message":{…}}`.
  ///
  /// - Returns: The time of receipt of a recorded line, in milliseconds since 1970.
  mutating func read(
    _ cursor: inout JSONCursor, into message: inout StreamMessage, depth: Int = 0
  ) throws(JSONError) -> Int64? {
    var receivedAt: Int64?
    keys.begin()
    guard try cursor.enter(Self.open, close: Self.close) else { return nil }
    repeat {
      switch try keys.read(&cursor, then: Self.colon) {
      case .op: message.operation = Self.operation(try cursor.word())
      case .id: message.id = try cursor.number()
      case .ct:
        let isNull = cursor.isNull
        let type = Self.changeType(try cursor.word())
        if type == nil, !isNull { message.isDamaged = true }
        message.changeType = type ?? .update
      case .segmentType:
        let isNull = cursor.isNull
        let segment = Self.segment(try cursor.word())
        if segment == nil, !isNull { message.isDamaged = true }
        message.segment = segment ?? .none
      case .clk: message.clock = try cursor.textIfAny()
      case .initialClk: message.initialClock = try cursor.textIfAny()
      case .pt: message.publishTime = try cursor.time()
      case .status:
        // NB: The status of an answer is a text. In a market change message, a status that cannot be read may be 503.
        let isNull = cursor.isNull
        message.isStale = try cursor.number().map { $0 == 503 } ?? !isNull
      case .conflateMs:
        // NB: An interval that cannot be read may be that of a delayed key.
        let isNull = cursor.isNull
        message.conflation = try cursor.number() ?? (isNull ? nil : BetfairDecoder.delayedConflation)
      case .heartbeatMs: message.heartbeat = try cursor.number()
      case .statusCode: message.isSuccess = try cursor.textIfAny() == "SUCCESS"
      case .errorCode: message.errorCode = try cursor.textIfAny() ?? ""
      case .errorMessage: message.errorMessage = try cursor.textIfAny() ?? ""
      case .connectionsAvailable: message.connectionsAvailable = try cursor.number()
      case .mc: try readMarkets(&cursor, into: &message)
      case .result:
        guard try cursor.enterArray() else { break }
        repeat {
          if let names = try MarketNames.read(&cursor) { message.names.append(names) }
        } while try cursor.more(until: UInt8(ascii: "]"))
      case .receivedAt: receivedAt = try cursor.time()
      case .message where depth == 0 && cursor.peek() == Self.open:
        _ = try read(&cursor, into: &message, depth: 1)
      case .message where depth == 0 && receivedAt != nil:
        // A recording also has texts that were received but are no message.
        throw JSONError.syntax
      case .message, nil: try cursor.skip()
      }
    } while try cursor.more(until: Self.close)
    return receivedAt
  }

  private static func operation(_ word: UnsafeBufferPointer<UInt8>?) -> StreamMessage.Operation {
    guard let word else { return .other }
    if word.equals("mcm") { return .marketChange }
    if word.equals("connection") { return .connection }
    if word.equals("marketCatalogue") { return .names }
    return word.equals("status") ? .status : .other
  }

  /// Returns nil for a word that is not known.
  private static func changeType(_ word: UnsafeBufferPointer<UInt8>?) -> StreamMessage.ChangeType? {
    guard let word else { return nil }
    if word.equals("SUB_IMAGE") { return .image }
    if word.equals("RESUB_DELTA") { return .resubscription }
    return word.equals("HEARTBEAT") ? .heartbeat : nil
  }

  /// Returns nil for a word that is not known.
  private static func segment(_ word: UnsafeBufferPointer<UInt8>?) -> StreamMessage.Segment? {
    guard let word else { return nil }
    if word.equals("SEG_START") { return .start }
    if word.equals("SEG_END") { return .end }
    return word.equals("SEG") ? .middle : nil
  }

  private mutating func readMarkets(_ cursor: inout JSONCursor, into message: inout StreamMessage) throws(JSONError) {
    message.hasMarkets = true
    guard try cursor.enterArray(isDamaged: &message.isDamaged) else { return }
    repeat {
      if cursor.peek() == Self.open {
        try readMarket(&cursor, into: &message)
      } else {
        message.isDamaged = true
        try cursor.skip()
      }
    } while try cursor.more(until: UInt8(ascii: "]"))
  }

  private mutating func readMarket(_ cursor: inout JSONCursor, into message: inout StreamMessage) throws(JSONError) {
    var market = MarketChange()
    market.runners = message.runners.count..<message.runners.count
    marketFields.begin()
    if try cursor.enter(Self.open, close: Self.close) {
      repeat {
        switch try marketFields.read(&cursor, then: Self.colon) {
        case .id: market.id = try cursor.word().flatMap { MarketKey($0) }
        case .img:
          let first = cursor.peek()
          market.isImage = try cursor.isTrue()
          if !market.isImage, first != UInt8(ascii: "f"), first != UInt8(ascii: "n") { market.isDamaged = true }
        case .con: market.isConflated = try cursor.isTrue()
        case .tv: market.volume = try cursor.fixed()
        case .marketDefinition:
          let isNull = cursor.isNull
          if let definition = try MarketDefinition(&cursor) {
            market.definition = message.definitions.count
            message.definitions.append(definition)
          } else if !isNull {
            market.isDamaged = true
          }
        case .rc:
          guard try cursor.enterArray(isDamaged: &market.isDamaged) else { break }
          repeat {
            if cursor.peek() == Self.open {
              try readRunner(&cursor, into: &message, isDamaged: &market.isDamaged)
            } else {
              market.isDamaged = true
              try cursor.skip()
            }
          } while try cursor.more(until: UInt8(ascii: "]"))
        case nil: try cursor.skip()
        }
      } while try cursor.more(until: Self.close)
    }
    market.runners = market.runners.lowerBound..<message.runners.count
    if market.id == nil { message.isDamaged = true }
    if market.isDamaged { message.hasDamagedMarkets = true }
    message.markets.append(market)
  }

  private mutating func readRunner(
    _ cursor: inout JSONCursor, into message: inout StreamMessage, isDamaged: inout Bool
  ) throws(JSONError) {
    var runner = RunnerChange()
    var id: Int64?
    var handicap: Int64 = 0
    let firstLevel = message.levels.count
    runnerFields.begin()
    if try cursor.enter(Self.open, close: Self.close) {
      repeat {
        switch try runnerFields.read(&cursor, then: Self.colon) {
        case .id: id = try cursor.number()
        case .hc:
          let isNull = cursor.isNull
          let number = try cursor.fixed()
          if number == nil, !isNull { isDamaged = true }
          handicap = number ?? 0
        case .ltp: runner.lastTraded = try cursor.fixed()
        case .tv: runner.volume = try cursor.fixed()
        case .ladder(let ladder): try readLevels(of: ladder, &cursor, into: &message, isDamaged: &isDamaged)
        case nil: try cursor.skip()
        }
      } while try cursor.more(until: Self.close)
    }
    if id == nil { isDamaged = true }
    runner.key = id.map { RunnerKey(id: $0, handicap: handicap) }
    runner.levels = firstLevel..<message.levels.count
    message.runners.append(runner)
  }

  /// Reads `[[level, price, size], …]` or `[[price, size], …]`. Sets `isDamaged` for an element of another form.
  @inline(__always)
  private func readLevels(
    of ladder: Ladder, _ cursor: inout JSONCursor, into message: inout StreamMessage, isDamaged: inout Bool
  ) throws(JSONError) {
    guard try cursor.enterArray(isDamaged: &isDamaged) else { return }
    repeat {
      if let change = try Self.level(of: ladder, &cursor) {
        message.levels.append(change)
      } else {
        isDamaged = true
      }
    } while try cursor.more(until: UInt8(ascii: "]"))
  }

  @inline(__always)
  private static func level(of ladder: Ladder, _ cursor: inout JSONCursor) throws(JSONError) -> LadderChange? {
    guard try cursor.enterArray() else { return nil }
    var level: Int64? = 0
    if ladder.isByLevel {
      level = try cursor.number()
      guard try cursor.more(until: UInt8(ascii: "]")) else { return nil }
    }
    let price = try cursor.fixed()
    guard try cursor.more(until: UInt8(ascii: "]")) else { return nil }
    let size = try cursor.fixed()
    while try cursor.more(until: UInt8(ascii: "]")) { try cursor.skip() }
    guard let level, let price, let size, level >= 0, size >= 0 else { return nil }
    return LadderChange(ladder: ladder, level: level, price: price, size: size)
  }
}
