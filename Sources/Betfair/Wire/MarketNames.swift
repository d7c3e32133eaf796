import JSONText

/// The names of a market and its runners, from an answer of `listMarketCatalogue` (Catalogue.md).
struct MarketNames: Hashable, Sendable {
  var market = ""
  var event = ""
  var competition = ""
  /// The names of the runners by their keys.
  var runners: [RunnerKey: String] = [:]

  init() {}

  /// Fills in the names of a definition that has none of its own.
  func complete(_ definition: inout MarketDefinition) {
    if definition.name.isEmpty { definition.name = market }
    if definition.eventName.isEmpty { definition.eventName = event }
    definition.competition = competition
    for index in definition.runners.indices where definition.runners[index].name.isEmpty {
      definition.runners[index].name = runners[definition.runners[index].key] ?? ""
    }
  }

  /// Reads an element of an answer: the id of the market and its names. Steps over an element without an id.
  static func read(_ cursor: inout JSONCursor) throws(JSONError) -> (id: MarketKey, names: MarketNames)? {
    guard cursor.peek() == UInt8(ascii: "{") else {
      try cursor.skip()
      return nil
    }
    var id: MarketKey?
    var names = MarketNames()
    try cursor.decodedFields { key, cursor throws(JSONError) in
      switch key {
      case "marketId": id = try cursor.word().flatMap { MarketKey($0) }
      case "marketName": names.market = try cursor.textIfAny() ?? ""
      case "event": names.event = try Self.name(&cursor)
      case "competition": names.competition = try Self.name(&cursor)
      case "runners": names.runners = try Self.runners(&cursor)
      default: try cursor.skip()
      }
    }
    return id.map { ($0, names) }
  }

  /// Reads the name in an object such as an event.
  private static func name(_ cursor: inout JSONCursor) throws(JSONError) -> String {
    guard cursor.peek() == UInt8(ascii: "{") else {
      try cursor.skip()
      return ""
    }
    var name = ""
    try cursor.decodedFields { key, cursor throws(JSONError) in
      if key == "name" { name = try cursor.textIfAny() ?? "" } else { try cursor.skip() }
    }
    return name
  }

  private static func runners(_ cursor: inout JSONCursor) throws(JSONError) -> [RunnerKey: String] {
    var runners: [RunnerKey: String] = [:]
    guard try cursor.enterArray() else { return runners }
    repeat {
      guard cursor.peek() == UInt8(ascii: "{") else {
        try cursor.skip()
        continue
      }
      var (id, handicap, name): (Int64?, Int64, String) = (nil, 0, "")
      try cursor.decodedFields { key, cursor throws(JSONError) in
        switch key {
        case "selectionId": id = try cursor.number()
        case "handicap": handicap = try cursor.fixed() ?? 0
        case "runnerName": name = try cursor.textIfAny() ?? ""
        default: try cursor.skip()
        }
      }
      if let id { runners[RunnerKey(id: id, handicap: handicap)] = name }
    } while try cursor.more(until: UInt8(ascii: "]"))
    return runners
  }
}

/// The messages that the session adds to those of the stream, for decoders and recordings (SessionMessages.md).
enum SessionMessage {
  /// Returns the message with the names of markets. `result` is the list in an answer of `listMarketCatalogue`.
  static func names(_ result: some Sequence<UInt8>) -> [UInt8] {
    var json = JSONWriter(capacity: 256)
    json.object { json in
      json.field("op", "marketCatalogue")
      json.field(copying: "result".utf8, result)
    }
    // NB: A message is one line in a recording. White space of an answer is outside of its texts.
    return json.bytes.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
  }

  /// The message of a stream without markets.
  static let noMarkets = Array(#"{"op":"mcm","ct":"SUB_IMAGE","mc":[]}"#.utf8)
}
