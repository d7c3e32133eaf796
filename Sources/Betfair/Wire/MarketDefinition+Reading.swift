import JSONText
import OddsModel

extension MarketDefinition {
  /// Reads a definition. Returns nil, and steps over the value, if it is no object.
  init?(_ cursor: inout JSONCursor) throws(JSONError) {
    guard cursor.peek() == UInt8(ascii: "{") else {
      try cursor.skip()
      return nil
    }
    var marketTime: Int64?
    try cursor.decodedFields { key, cursor throws(JSONError) in
      switch key {
      case "status": status = Self.status(try cursor.textIfAny() ?? "")
      case "inPlay": isInPlay = try cursor.isTrue()
      case "bettingType":
        // NB: A type that cannot be read may be that of lines, which are no odds.
        let isNull = cursor.isNull
        let type = try cursor.textIfAny()
        hasLines = type.map { $0 == "LINE" } ?? !isNull
        hasManyHandicaps = type == "ASIAN_HANDICAP_DOUBLE_LINE"
      case "betDelay": betDelay = try cursor.number()
      case "version": version = try cursor.number()
      case "numberOfWinners": winnerCount = try cursor.number()
      case "marketTime": marketTime = try cursor.textIfAny().flatMap(ISOTime.milliseconds)
      case "openDate": startTime = try cursor.textIfAny().flatMap(ISOTime.milliseconds)
      case "eventId": eventID = try cursor.textOrNumber()
      case "eventTypeId": eventTypeID = try cursor.textOrNumber()
      case "marketType": marketType = try cursor.textIfAny() ?? ""
      case "name": name = try cursor.textIfAny() ?? ""
      case "eventName": eventName = try cursor.textIfAny() ?? ""
      case "runners": runners = try Self.runners(&cursor)
      default: try cursor.skip()
      }
    }
    // NB: Betfair's `numberOfWinners` is that of one handicap, which has two runners.
    if hasManyHandicaps { winnerCount = Int64(max(1, runners.count / 2)) }
    // Races of one meeting share its opening; each has its own time.
    startTime = marketTime ?? startTime
  }

  private static func status(_ text: String) -> MarketStatus {
    switch text {
    case "INACTIVE": .inactive
    case "OPEN": .open
    case "SUSPENDED": .suspended
    case "CLOSED": .closed
    default: .unknown
    }
  }

  private static func runners(_ cursor: inout JSONCursor) throws(JSONError) -> [RunnerDefinition] {
    var runners: [RunnerDefinition] = []
    guard try cursor.enterArray() else { return runners }
    repeat {
      guard cursor.peek() == UInt8(ascii: "{") else {
        try cursor.skip()
        continue
      }
      var runner = RunnerDefinition()
      var id: Int64?
      var isOfUnknownHandicap = false
      try cursor.decodedFields { key, cursor throws(JSONError) in
        switch key {
        case "id": id = try cursor.number()
        case "hc":
          let isNull = cursor.isNull
          let handicap = try cursor.fixed()
          runner.key.handicap = handicap ?? 0
          isOfUnknownHandicap = handicap == nil && !isNull
        case "sortPriority": runner.priority = try cursor.number() ?? 0
        case "status": runner.status = RunnerStatus(try cursor.textIfAny() ?? "")
        case "name": runner.name = try cursor.textIfAny() ?? ""
        default: try cursor.skip()
        }
      }
      // NB: A runner that cannot be identified is not listed, so that no runner has the status of another.
      if let id, !isOfUnknownHandicap {
        runner.key.id = id
        runners.append(runner)
      }
    } while try cursor.more(until: UInt8(ascii: "]"))
    return runners
  }
}

extension JSONCursor {
  /// Steps over a value. Returns a string or the text of a number; empty for any other value.
  fileprivate mutating func textOrNumber() throws(JSONError) -> String {
    switch peek() {
    case UInt8(ascii: "\""): return try text()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try skip()
      return ""
    default:
      let bytes = try bare()
      return JSONValue.integer(bytes) == nil ? "" : String(decoding: bytes, as: UTF8.self)
    }
  }
}
