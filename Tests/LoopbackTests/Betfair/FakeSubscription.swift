/// A request that the fake exchange refuses: the error code and the message of the answer.
struct FakeRefusal: Error, Hashable, Sendable {
  let code: String
  let message: String

  init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A subscription has too many markets. The connection stays open.
  static let limit = FakeRefusal("SUBSCRIPTION_LIMIT_EXCEEDED", "too many markets")
}

/// The criteria of a `marketSubscription`, checked against the schema.
struct FakeSubscription: Sendable {
  let id: Int
  let isSegmented: Bool
  /// Milliseconds.
  let heartbeat: Int
  let conflation: Int
  let fields: Set<String>
  let ladderLevels: Int
  let position: (initialClock: String, clock: String)?
  private let filter: JSONTree
  private let dataFilter: JSONTree

  private static let fieldNames: Set = [
    "EX_BEST_OFFERS_DISP", "EX_BEST_OFFERS", "EX_ALL_OFFERS", "EX_TRADED", "EX_TRADED_VOL", "EX_LTP", "EX_MARKET_DEF",
    "SP_TRADED", "SP_PROJECTED",
  ]
  private static let lists: Set = [
    "marketIds", "eventTypeIds", "eventIds", "marketTypes", "bettingTypes", "countryCodes", "venues", "raceTypes",
  ]
  private static let flags: Set = ["bspMarket", "turnInPlayEnabled"]

  init(_ request: JSONTree) throws(FakeRefusal) {
    func check(_ isRight: Bool, _ message: String) throws(FakeRefusal) {
      if !isRight { throw FakeRefusal("INVALID_INPUT", message) }
    }
    let known: Set = [
      "op", "id", "segmentationEnabled", "clk", "initialClk", "heartbeatMs", "conflateMs", "marketFilter",
      "marketDataFilter",
    ]
    let unknown = request.keys.subtracting(known)
    try check(unknown.isEmpty, "unknown fields \(unknown.sorted())")
    guard let id = request["id"].integer else { throw FakeRefusal("INVALID_INPUT", "no id") }
    self.id = id
    isSegmented = request["segmentationEnabled"].flag ?? false
    // Intervals out of bounds are corrected, not refused.
    heartbeat = min(5000, max(500, request["heartbeatMs"].integer ?? 5000))
    conflation = min(120_000, max(0, request["conflateMs"].integer ?? 0))
    let filter = request["marketFilter"]
    self.filter = filter
    for key in filter.keys {
      try check(Self.lists.contains(key) || Self.flags.contains(key), "unknown filter '\(key)'")
      let isRight =
        Self.flags.contains(key)
        ? filter[key].flag != nil : filter[key].texts.map { $0.count == filter[key].elements?.count } ?? false
      try check(isRight, "filter '\(key)' is of another type")
    }
    dataFilter = request["marketDataFilter"]
    try check(dataFilter.keys.isSubset(of: ["fields", "ladderLevels"]), "unknown data filter")
    let fields = Set(dataFilter["fields"].texts ?? [])
    try check(fields.isSubset(of: Self.fieldNames), "unknown fields \(fields.subtracting(Self.fieldNames).sorted())")
    self.fields = fields.isEmpty ? Self.fieldNames : fields
    ladderLevels = dataFilter["ladderLevels"].integer ?? 10
    try check(1...10 ~= ladderLevels, "ladderLevels is \(ladderLevels)")
    switch (request["initialClk"].text, request["clk"].text) {
    case (nil, nil): position = nil
    case (let initial?, let clock?): position = (initial, clock)
    default: throw FakeRefusal("INVALID_CLOCK", "initialClk and clk are both needed")
    }
  }

  /// The text of the criteria that must be the same in a subscription that continues.
  var criteria: String {
    String(decoding: JSONTree.list([filter, dataFilter, .flag(isSegmented)]).bytes, as: UTF8.self)
  }

  func includes(_ market: FakeMarket) -> Bool {
    let lists = [
      ("marketIds", market.id), ("eventTypeIds", market.eventTypeID), ("eventIds", market.eventID),
      ("marketTypes", market.type), ("bettingTypes", market.bettingType), ("countryCodes", market.country),
      ("venues", market.venue ?? ""), ("raceTypes", ""),
    ]
    return lists.allSatisfy { key, value in filter[key].texts.map { $0.isEmpty || $0.contains(value) } ?? true }
      && filter["turnInPlayEnabled"].flag.map { $0 == market.turnsInPlay } ?? true
      && filter["bspMarket"].flag.map { !$0 } ?? true
  }
}
