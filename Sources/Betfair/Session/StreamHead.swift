import JSONText

/// The fields of a line that the session needs. Of the markets, only the ids of those with a definition.
struct StreamHead {
  var operation = StreamMessage.Operation.other
  var id: Int64?
  var isSuccess = false
  var errorCode = ""
  var errorMessage = ""
  var clock: String?
  var initialClock: String?
  var isImage = false
  var isResubscription = false
  var isHeartbeat = false
  var isFirst = true
  var isWhole = true
  var heartbeat: Int64?
  var connectionsAvailable: Int64?
  /// True if the line has a list of markets.
  var hasMarkets = false
  /// The markets whose definition is in the message.
  var defined: [String] = []

  /// Returns nil if the line is no JSON object.
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    guard JSONCursor.isOneValue(line) else { return nil }
    var cursor = JSONCursor(line)
    do throws(JSONError) {
      try cursor.decodedFields { key, cursor throws(JSONError) in
        switch key {
        case "op":
          let operation = try cursor.textIfAny()
          self.operation =
            operation == "mcm"
            ? .marketChange
            : operation == "status" ? .status : operation == "connection" ? .connection : .other
        case "id": id = try cursor.number()
        case "statusCode": isSuccess = try cursor.textIfAny() == "SUCCESS"
        case "errorCode": errorCode = try cursor.textIfAny() ?? ""
        case "errorMessage": errorMessage = try cursor.textIfAny() ?? ""
        case "clk": clock = try cursor.textIfAny()
        case "initialClk": initialClock = try cursor.textIfAny()
        case "ct":
          let type = try cursor.textIfAny()
          isImage = type == "SUB_IMAGE"
          isResubscription = type == "RESUB_DELTA"
          isHeartbeat = type == "HEARTBEAT"
        case "segmentType":
          let type = try cursor.textIfAny() ?? ""
          isWhole = type != "SEG_START" && type != "SEG"
          isFirst = type != "SEG" && type != "SEG_END"
        case "heartbeatMs": heartbeat = try cursor.number()
        case "connectionsAvailable": connectionsAvailable = try cursor.number()
        case "mc":
          hasMarkets = true
          try readDefined(&cursor)
        default: try cursor.skip()
        }
      }
    } catch { return nil }
  }

  private mutating func readDefined(_ cursor: inout JSONCursor) throws(JSONError) {
    guard try cursor.enterArray() else { return }
    repeat {
      guard cursor.peek() == UInt8(ascii: "{") else {
        try cursor.skip()
        continue
      }
      var id: UnsafeBufferPointer<UInt8>?
      var isDefined = false
      try cursor.fields { key, cursor throws(JSONError) in
        if key.equals("id") {
          id = try cursor.word()
        } else {
          isDefined = isDefined || key.equals("marketDefinition")
          try cursor.skip()
        }
        return true
      }
      if isDefined, let id { defined.append(String(decoding: id, as: UTF8.self)) }
    } while try cursor.more(until: UInt8(ascii: "]"))
  }
}
