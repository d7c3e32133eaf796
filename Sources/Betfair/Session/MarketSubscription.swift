import JSONText

/// The markets and fields that a session subscribes to.
package struct MarketSubscription: Hashable, Sendable {
  /// The largest number of markets of a subscription.
  static let maxMarkets = 200

  /// The ids of markets. Other criteria are usually empty then.
  package var markets: [String] = []
  package var events: [String] = []
  package var eventTypes: [String] = []
  package var marketTypes: [String] = []
  package var countries: [String] = []
  /// True for markets that are or will be in-play only; nil for all.
  package var turnsInPlay: Bool?
  /// The number of levels of each side, from 1 to 10.
  package var ladderLevels: Int64 = 3
  /// True for the stakes matched.
  package var hasVolumes = true
  /// The longest time between two messages, in milliseconds, from 500 to 5000.
  package var heartbeat: Int64 = 5000
  /// The time over which the provider merges the updates of a market, in milliseconds, from 0 to 120000.
  package var conflateMs: Int64 = 0

  package init() {}

  /// Writes the criteria for a request to `listMarketCatalogue`, which has other names for some.
  func writeCatalogueFilter(to json: inout JSONWriter) {
    writeCriteria(to: &json, marketTypesName: "marketTypeCodes", countriesName: "marketCountries")
  }

  private func writeCriteria(
    to json: inout JSONWriter, marketTypesName: StaticString, countriesName: StaticString
  ) {
    for (name, values) in [
      ("marketIds", markets), ("eventIds", events), ("eventTypeIds", eventTypes), (marketTypesName, marketTypes),
      (countriesName, countries),
    ] as [(StaticString, [String])] where !values.isEmpty {
      json.array(name) { json in for value in values { json.element(value) } }
    }
    if let turnsInPlay { json.field("turnInPlayEnabled", turnsInPlay) }
  }

  /// Returns the text of a subscription request, without the line's end. With a position in the stream, the provider
  /// sends what has changed since.
  func request(id: Int64, from position: StreamPosition?) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("op", "marketSubscription")
      json.field("id", id)
      json.field("segmentationEnabled", true)
      if let position {
        json.field("initialClk", position.initialClock)
        json.field("clk", position.clock)
      }
      json.field("heartbeatMs", heartbeat)
      if conflateMs > 0 { json.field("conflateMs", conflateMs) }
      json.key("marketFilter")
      json.openObject()
      writeCriteria(to: &json, marketTypesName: "marketTypes", countriesName: "countryCodes")
      json.closeObject()
      json.key("marketDataFilter")
      json.openObject()
      json.field("ladderLevels", ladderLevels)
      json.array("fields") { json in
        json.element("EX_BEST_OFFERS_DISP")
        json.element("EX_LTP")
        if hasVolumes { json.element("EX_TRADED_VOL") }
        json.element("EX_MARKET_DEF")
      }
      json.closeObject()
    }
    return json.bytes
  }
}

/// A position in the stream, from which a subscription with the same criteria can continue.
package struct StreamPosition: Hashable, Sendable {
  package var initialClock: String
  package var clock: String
}
