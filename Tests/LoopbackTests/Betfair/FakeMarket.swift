/// A market of the fake exchange. Prices and stakes are in hundredths. Each part has the number of its last change, so
/// that all changes since a number can be found.
struct FakeMarket: Sendable {
  struct Level: Sendable {
    var price: Int
    /// 0 for a level that has been removed.
    var size: Int
    var number: Int
  }

  struct Figure: Sendable {
    var value: Int?
    var number = 0
  }

  struct Runner: Sendable {
    let id: Int
    var handicap = 0
    var name: String
    var status = "ACTIVE"
    /// The levels of each ladder, by level or by price.
    fileprivate(set) var ladders: [String: [Int: Level]] = [:]
    fileprivate(set) var lastTraded = Figure()
    fileprivate(set) var volume = Figure()

    init(_ id: Int, _ name: String, handicap: Int = 0) {
      self.id = id
      self.name = name
      self.handicap = handicap
    }
  }

  let id: String
  var name = "Match Odds"
  var type = "MATCH_ODDS"
  var bettingType = "ODDS"
  var eventID: String
  var eventName: String
  var eventTypeID = "1"
  var eventTypeName = "Soccer"
  var competitionID = "228"
  var competitionName = "Champions League"
  var country = "GB"
  var venue: String?
  /// Milliseconds since 1970.
  var startTime: Int64 = 1_750_000_000_000
  var status = "OPEN"
  var isInPlay = false
  var turnsInPlay = true
  var betDelay = 0
  var runners: [Runner]
  /// The event that the market was moved from. Images have the market twice then.
  var formerEventID: String?
  private(set) var version = 1
  /// The number of the change that created the market.
  private(set) var firstNumber = 0
  private(set) var numbers: [Int] = []
  private var definitionNumber = 0
  private var volume = Figure(value: 0)

  init(_ id: String, event: String, _ eventName: String, runners: [Runner]) {
    self.id = id
    eventID = event
    self.eventName = eventName
    self.runners = runners
  }

  private static let byLevel = ["bdatb", "bdatl", "batb", "batl"]

  mutating func create(_ number: Int) {
    firstNumber = number
    define(number)
  }

  mutating func define(_ number: Int) {
    definitionNumber = number
    version += 1
    numbers.append(number)
  }

  /// Replaces the offers of one side, the best first.
  mutating func set(_ index: Int, isBack: Bool, _ offers: [(price: Int, size: Int)], _ number: Int) {
    numbers.append(number)
    for name in isBack ? ["bdatb", "batb", "atb"] : ["bdatl", "batl", "atl"] {
      let isByLevel = Self.byLevel.contains(name)
      var ladder = runners[index].ladders[name] ?? [:]
      var new: [Int: (price: Int, size: Int)] = [:]
      for (level, offer) in offers.enumerated() { new[isByLevel ? level : offer.price] = offer }
      for (key, level) in ladder where new[key] == nil && level.size > 0 {
        ladder[key] = Level(price: isByLevel ? 0 : level.price, size: 0, number: number)
      }
      for (key, offer) in new where ladder[key]?.price != offer.price || ladder[key]?.size != offer.size {
        ladder[key] = Level(price: offer.price, size: offer.size, number: number)
      }
      runners[index].ladders[name] = ladder
    }
  }

  mutating func trade(_ index: Int, price: Int, size: Int, _ number: Int) {
    numbers.append(number)
    let total = (runners[index].ladders["trd"]?[price]?.size ?? 0) + size
    runners[index].ladders["trd", default: [:]][price] = Level(price: price, size: total, number: number)
    runners[index].lastTraded = Figure(value: price, number: number)
    runners[index].volume = Figure(value: (runners[index].volume.value ?? 0) + size, number: number)
    volume = Figure(value: volume.value! + size, number: number)
  }

  // MARK: On the wire

  /// Returns the element of `mc` with all that has changed after a number, or with everything; nil if nothing has
  /// changed.
  func change(after number: Int, _ subscription: FakeSubscription, isImage: Bool, isConflated: Bool) -> JSONTree? {
    let isImage = isImage || firstNumber > number
    var fields: [String: JSONTree] = [:]
    if subscription.fields.contains("EX_MARKET_DEF"), isImage || definitionNumber > number {
      fields["marketDefinition"] = definition(event: eventID, version: version)
    }
    if subscription.fields.contains("EX_TRADED_VOL"), isImage || volume.number > number {
      fields["tv"] = .hundredths(volume.value!)
    }
    let changes = runners.compactMap { $0.change(after: number, subscription, isImage: isImage) }
    if !changes.isEmpty { fields["rc"] = .list(changes) }
    guard isImage || !fields.isEmpty else { return nil }
    fields["id"] = .text(id)
    if isImage { fields["img"] = true }
    if isConflated { fields["con"] = true }
    return .object(fields)
  }

  /// The status and the best offers, as the order book of a subscription with that many levels has them. Without
  /// volumes, these are 0.
  func text(levels: Int, hasVolumes: Bool) -> String {
    let rows = runners.map { runner in
      let ladders = ["bdatb", "bdatl"].map { name in
        let ladder = (runner.ladders[name] ?? [:]).filter { $0.key < levels && $0.value.size > 0 }
        return ladder.sorted { $0.key < $1.key }.map { "\($0.value.size)@\($0.value.price)" }.joined(separator: " ")
      }
      let volume = hasVolumes ? runner.volume.value ?? 0 : 0
      return "\(runner.id) \(runner.lastTraded.value ?? 0) \(volume) [\(ladders[0])] [\(ladders[1])]"
    }
    return (["\(id) \(status.lowercased()) \(isInPlay) \(version)"] + rows).joined(separator: "\n")
  }

  /// The market before it was moved: an element of an image, with a lower version and no prices.
  var formerImage: JSONTree? {
    formerEventID.map {
      ["id": .text(id), "img": true, "marketDefinition": definition(event: $0, version: version - 1)]
    }
  }

  private func definition(event: String, version: Int) -> JSONTree {
    let active = runners.count { $0.status == "ACTIVE" }
    var fields: [String: JSONTree] = [
      "status": .text(status), "inPlay": .flag(isInPlay), "betDelay": .number(Double(betDelay)),
      "version": .number(Double(version)), "eventId": .text(event), "eventTypeId": .text(eventTypeID),
      "marketType": .text(type), "bettingType": .text(bettingType), "countryCode": .text(country),
      "marketTime": .date(startTime), "openDate": .date(startTime), "suspendTime": .date(startTime),
      "turnInPlayEnabled": .flag(turnsInPlay), "numberOfWinners": 1, "numberOfActiveRunners": .number(Double(active)),
      "bspMarket": false, "bspReconciled": false, "persistenceEnabled": true, "marketBaseRate": 5,
      "complete": true, "crossMatching": true, "runnersVoidable": false, "discountAllowed": true,
      "timezone": "GMT", "regulators": ["MR_INT"], "priceLadderDefinition": ["type": "CLASSIC"],
    ]
    if let venue { fields["venue"] = .text(venue) }
    fields["runners"] = .list(
      runners.enumerated().map { index, runner in
        var fields: [String: JSONTree] = [
          "id": .number(Double(runner.id)), "sortPriority": .number(Double(index + 1)), "status": .text(runner.status),
        ]
        if runner.handicap != 0 { fields["hc"] = .hundredths(runner.handicap) }
        return .object(fields)
      })
    return .object(fields)
  }
}

extension FakeMarket.Runner {
  private static let ladders = [
    ("EX_BEST_OFFERS_DISP", ["bdatb", "bdatl"]), ("EX_BEST_OFFERS", ["batb", "batl"]),
    ("EX_ALL_OFFERS", ["atb", "atl"]),
    ("EX_TRADED", ["trd"]),
  ]

  fileprivate func change(after number: Int, _ subscription: FakeSubscription, isImage: Bool) -> JSONTree? {
    var fields: [String: JSONTree] = [:]
    for (field, names) in Self.ladders where subscription.fields.contains(field) {
      for name in names {
        let isByLevel = field.hasPrefix("EX_BEST")
        let changed = (ladders[name] ?? [:]).filter { isImage ? $0.value.size > 0 : $0.value.number > number }
        guard !changed.isEmpty else { continue }
        // NB: A change that is deeper than the levels of the subscription comes as an empty list.
        let shown = changed.filter { !isByLevel || $0.key < subscription.ladderLevels }
        fields[name] = .list(
          shown.sorted { $0.key < $1.key }.map { key, level in
            let pair: [JSONTree] = [.hundredths(level.price), .hundredths(level.size)]
            return .list(isByLevel ? [.number(Double(key))] + pair : pair)
          })
      }
    }
    for (field, name, figure) in [("EX_LTP", "ltp", lastTraded), ("EX_TRADED_VOL", "tv", volume)]
    where subscription.fields.contains(field) && (isImage || figure.number > number) {
      if let value = figure.value { fields[name] = .hundredths(value) }
    }
    guard !fields.isEmpty else { return nil }
    fields["id"] = .number(Double(id))
    if handicap != 0 { fields["hc"] = .hundredths(handicap) }
    return .object(fields)
  }
}
