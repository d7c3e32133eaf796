package import OddsModel

/// The markets that a topic selects, and the prices that it has of them (Topics.md).
package struct BetfairTopic: Hashable, Sendable {
  package enum Selection: Hashable, Sendable {
    case list(MarketCriteria)
    /// All markets of an event.
    case event(String)
    case markets([String])
    /// No markets. The topic has the state of the connection.
    case none
  }

  /// The numbers of levels that a subscription can have.
  package static let levelRange = 1...10
  private static let standardLevels = ExchangePrices.levelCount

  package var selection: Selection
  /// The number of levels of each side, in `levelRange`.
  package var levels = Self.standardLevels
  /// True if the topic has the stakes matched.
  package var hasVolumes = true

  package init(selection: Selection) { self.selection = selection }

  /// Reads the path of a topic: `/sports/1,2/types/MATCH_ODDS/countries/GB,IE/in-play/limit/50` or a part of it,
  /// `/event/31234567`, `/markets/1.234567890`, `/none`. Before these, it can have `/levels/5` and `/no-volumes`, in
  /// this order. Returns nil for another path.
  package init?(_ topic: Topic) {
    var parts = topic.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)[...]
    guard parts.popFirst() == "" else { return nil }
    if parts.first == "levels" {
      parts.removeFirst()
      guard let number = Self.number(parts.popFirst(), in: Self.levelRange) else { return nil }
      levels = number
    }
    if parts.first == "no-volumes" {
      parts.removeFirst()
      hasVolumes = false
    }
    guard let selection = Selection(parts) else { return nil }
    self.selection = selection
  }

  /// The topic's path.
  package var topic: Topic {
    let prices = (levels == Self.standardLevels ? "" : "/levels/\(levels)") + (hasVolumes ? "" : "/no-volumes")
    return Topic(path: prices + selection.path)
  }

  /// The largest number of markets; nil if all that the criteria select are wanted.
  var limit: Int? {
    switch selection {
    case .list(let criteria): criteria.limit
    case .event, .markets, .none: nil
    }
  }

  /// The subscription to the topic's markets; nil if it has none. The limit is no part of it.
  var subscription: MarketSubscription? {
    var subscription = MarketSubscription()
    subscription.ladderLevels = Int64(levels)
    subscription.hasVolumes = hasVolumes
    switch selection {
    case .list(let criteria):
      subscription.eventTypes = criteria.sports
      subscription.marketTypes = criteria.types
      subscription.countries = criteria.countries
      if criteria.isInPlay { subscription.turnsInPlay = true }
    case .event(let id): subscription.events = [id]
    case .markets(let ids): subscription.markets = ids
    case .none: return nil
    }
    return subscription
  }

  static func list(_ text: String?, _ isValid: (String) -> Bool) -> [String]? {
    let items = text?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    return !items.isEmpty && items.allSatisfy(isValid) && Set(items).count == items.count ? items : nil
  }

  /// Returns a number in a range; nil for another text, also for one with a sign or with zeros at its start.
  fileprivate static func number(_ text: String?, in range: ClosedRange<Int>) -> Int? {
    guard let text, let number = Int(text), "\(number)" == text, range ~= number else { return nil }
    return number
  }

  static func isNumber(_ text: String) -> Bool {
    1...18 ~= text.utf8.count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
  }

  /// Returns true for the id of a market, such as `1.234567890`.
  static func isMarket(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 && parts.allSatisfy(isNumber)
  }
}

extension BetfairTopic.Selection {
  /// Reads the parts of a path. Returns nil for an invalid one.
  fileprivate init?(_ parts: ArraySlice<String>) {
    guard let first = parts.first else { return nil }
    switch (first, parts.count) {
    case ("none", 1): self = .none
    case ("event", 2):
      guard let id = parts.last, BetfairTopic.isNumber(id) else { return nil }
      self = .event(id)
    case ("markets", 2):
      guard let ids = BetfairTopic.list(parts.last, BetfairTopic.isMarket), ids.count <= MarketSubscription.maxMarkets
      else { return nil }
      self = .markets(ids)
    default:
      guard let criteria = MarketCriteria(parts) else { return nil }
      self = .list(criteria)
    }
  }

  fileprivate var path: String {
    switch self {
    case .list(let criteria): criteria.path
    case .event(let id): "/event/\(id)"
    case .markets(let ids): "/markets/\(ids.joined(separator: ","))"
    case .none: "/none"
    }
  }
}

/// The criteria of a list of markets. A list that is empty selects all.
package struct MarketCriteria: Hashable, Sendable {
  /// The ids of event types: 1 for football.
  package var sports: [String] = []
  /// The types of markets, such as `MATCH_ODDS`.
  package var types: [String] = []
  /// The codes of countries with two letters.
  package var countries: [String] = []
  /// True to select only markets that are in-play or will be.
  package var isInPlay = false
  /// The largest number of markets, those that start first; nil for all.
  package var limit: Int?

  package init(
    sports: [String] = [], types: [String] = [], countries: [String] = [], isInPlay: Bool = false, limit: Int? = nil
  ) {
    self.sports = sports
    self.types = types
    self.countries = countries
    self.isInPlay = isInPlay
    self.limit = limit
  }

  /// Reads the parts of a path. Returns nil unless each is known, valid and there once.
  init?(_ parts: ArraySlice<String>) {
    var rest = parts
    var seen: Set<String> = []
    while let name = rest.popFirst() {
      guard seen.insert(name).inserted else { return nil }
      switch name {
      case "in-play": isInPlay = true
      case "sports":
        guard let ids = BetfairTopic.list(rest.popFirst(), BetfairTopic.isNumber) else { return nil }
        sports = ids
      case "types":
        guard let types = BetfairTopic.list(rest.popFirst(), Self.isType) else { return nil }
        self.types = types
      case "countries":
        guard let codes = BetfairTopic.list(rest.popFirst(), Self.isCountry) else { return nil }
        countries = codes
      case "limit":
        guard let number = BetfairTopic.number(rest.popFirst(), in: 1...MarketSubscription.maxMarkets) else {
          return nil
        }
        limit = number
      default: return nil
      }
    }
    if seen.isEmpty { return nil }
  }

  private static func isType(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy { 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "_") }
  }

  private static func isCountry(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { 0x41...0x5A ~= $0 }
  }

  var path: String {
    var path = ""
    for (name, values) in [("sports", sports), ("types", types), ("countries", countries)] where !values.isEmpty {
      path += "/\(name)/\(values.joined(separator: ","))"
    }
    if isInPlay { path += "/in-play" }
    if let limit { path += "/limit/\(limit)" }
    return path
  }
}
