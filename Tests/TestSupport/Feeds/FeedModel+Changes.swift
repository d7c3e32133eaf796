extension FeedModel {
  package mutating func changeSomething() {
    switch upTo(19) {
    case 0: createMatch()
    case 1: if let match = randomKey("MATCH") { createMarket(match) }
    case 2: if let market = randomKey("MARKET") { createOutcome(market) }
    case 3: if let outcome = randomKey("OUTCOME") { createOffer(outcome) }
    case 4: relateSomething()
    case 5: createMainMarket()
    case 6: recreateSomething()
    case 7: moveSomething()
    case 8: sendInvalidOffer()
    case 9: updateMatch()
    case 10: if let market = randomKey("MARKET") { update(market, someFields(marketFields())) }
    case 11: if let outcome = randomKey("OUTCOME") { update(outcome, someFields(outcomeFields())) }
    case 12: updateInfo()
    case 13: if let main = randomKey("MAIN_MARKET") { update(main, ["bettingTypeId": bettingType()]) }
    default: updateOffer()
    }
  }

  package mutating func removeSomething() {
    let types = ["MATCH", "MARKET", "MARKET", "OUTCOME", "BETTING_OFFER", "EVENT_INFO", "MAIN_MARKET"]
    if chance(10) {
      // The outcome itself stays, in one market less.
      guard let relation = randomKey("MARKET_OUTCOME_RELATION"), !messageChanges(relation) else { return }
      let parents = ancestors(relation)
      var record = removeRecord(relation)
      record.parents = parents
      record.isMove = true
      return send(record)
    }
    guard let key = randomKey(types[upTo(types.count - 1)]) else { return }
    var children: [FeedRecord] = []
    dropChildren(of: key, into: &children)
    var parent = removeRecord(key)
    parent.deletedChildren = Set(children.map(\.key))
    // The deletes of the children come before that of their parent, after it, anywhere or not at all.
    var all = [parent]
    switch upTo(3) {
    case 0: break
    case 1: all = children + all
    case 2: all += children
    default: all = (all + children).shuffled(using: &random)
    }
    for record in all { send(record) }
  }

  private mutating func dropChildren(of key: RecordKey, into dropped: inout [FeedRecord]) {
    for child in children(of: key) where records[child] != nil {
      dropChildren(of: child, into: &dropped)
      dropped.append(removeRecord(child))
    }
    if key.type == "MARKET" { removeReferences(to: key) }
  }

  private func children(of key: RecordKey) -> [RecordKey] {
    func of(_ type: String, _ field: String) -> [RecordKey] {
      ids(type).filter { parent($0, field, key.type) == key }
    }
    switch key.type {
    case "MATCH": return of("EVENT_INFO", "eventId") + of("MARKET", "eventId")
    case "MARKET":
      // Outcomes first: the delete of an outcome removes its relations.
      return ids("OUTCOME").filter { markets(of: $0) == [key] } + of("MARKET_OUTCOME_RELATION", "marketId")
    case "OUTCOME": return of("BETTING_OFFER", "outcomeId") + of("MARKET_OUTCOME_RELATION", "outcomeId")
    default: return []
    }
  }

  // MARK: Creating

  package mutating func createMatch() {
    let match = newKey("MATCH")
    create(match, matchFields())
    for kind in [1, 37, 95, 92] where chance(40) {
      create(newKey("EVENT_INFO"), infoFields(kind).merging(["eventId": "\"\(match.id)\""]) { $1 })
    }
    for _ in 0..<(chance(20) ? upTo(5) : upTo(2)) { createMarket(match) }
  }

  package mutating func createMarket(_ match: RecordKey) {
    let market = newKey("MARKET")
    create(market, marketFields().merging(["eventId": "\"\(match.id)\""]) { $1 })
    for _ in 0..<upTo(4) { createOutcome(market) }
  }

  /// Creates an outcome that is joined to a market by a relation, by its own marketId, or by both.
  package mutating func createOutcome(_ market: RecordKey) {
    let outcome = newKey("OUTCOME")
    let join = upTo(5)
    var fields = outcomeFields()
    if join == 0 || join == 1 { fields["marketId"] = "\"\(market.id)\"" }
    create(outcome, fields)
    if join > 0 { relate(market, outcome) }
    for _ in 0..<(chance(20) ? 3 : 1) where chance(90) { createOffer(outcome) }
    // A further change in the same message.
    if chance(20) { update(outcome, someFields(outcomeFields())) }
  }

  package mutating func createOffer(_ outcome: RecordKey) {
    let offer = newKey("BETTING_OFFER")
    create(offer, offerFields().merging(["outcomeId": "\"\(outcome.id)\""]) { $1 })
    if chance(20) { update(offer, someFields(offerFields())) }
  }

  package mutating func createMainMarket() {
    create(newKey("MAIN_MARKET"), ["bettingTypeId": bettingType(), "sportId": "\"1\""])
  }

  private mutating func relate(_ market: RecordKey, _ outcome: RecordKey) {
    create(newKey("MARKET_OUTCOME_RELATION"), ["marketId": "\"\(market.id)\"", "outcomeId": "\"\(outcome.id)\""])
  }

  private mutating func relateSomething() {
    guard let market = randomKey("MARKET"), let outcome = randomKey("OUTCOME") else { return }
    relate(market, outcome)
  }

  // MARK: Changing

  /// Creates an existing record again: fields that it lacks return to their defaults.
  private mutating func recreateSomething() {
    let types = ["MATCH", "MARKET", "OUTCOME", "BETTING_OFFER", "MAIN_MARKET"]
    guard let key = randomKey(types[upTo(types.count - 1)]) else { return }
    let links = records[key]!.filter { ["eventId", "outcomeId", "marketId"].contains($0.key) }
    let fields =
      switch key.type {
      case "MATCH": matchFields()
      case "MARKET": marketFields()
      case "OUTCOME": outcomeFields()
      case "BETTING_OFFER": offerFields()
      default: ["bettingTypeId": bettingType()]
      }
    create(key, fields.merging(links) { $1 })
  }

  private mutating func moveSomething() {
    switch upTo(3) {
    case 0:
      if let market = randomKey("MARKET"), let match = randomKey("MATCH") {
        update(market, ["eventId": "\"\(match.id)\""])
      }
    case 1:
      if let offer = randomKey("BETTING_OFFER"), let outcome = randomKey("OUTCOME") {
        update(offer, ["outcomeId": "\"\(outcome.id)\""])
      }
    case 2:
      if let relation = randomKey("MARKET_OUTCOME_RELATION"), let market = randomKey("MARKET") {
        update(relation, ["marketId": "\"\(market.id)\""])
      }
    default: if let offer = randomKey("BETTING_OFFER") { update(offer, ["outcomeId": nil]) }
    }
  }

  private mutating func updateMatch() {
    if let match = randomKey("MATCH") { update(match, someFields(matchFields())) }
  }

  private mutating func updateInfo() {
    guard let info = randomKey("EVENT_INFO"),
      let kind = records[info]!["typeId"].flatMap({ Int($0.dropFirst().dropLast()) })
    else { return }
    update(info, someFields(infoFields(kind).filter { $0.key != "typeId" }))
  }

  private mutating func updateOffer() {
    guard let offer = randomKey("BETTING_OFFER") else { return }
    switch upTo(3) {
    case 0: update(offer, ["statusId": "\"4\"", "isAvailable": "false"])
    case 1: update(offer, ["odds": odds(), "lastChangedTime": "\(version)"])
    case 2: update(offer, ["statusId": chance(50) ? "\"1\"" : "\"7\"", "isAvailable": "true"])
    default: update(offer, someFields(offerFields()))
    }
  }

  /// Sends a record that must be rejected, except for its effect on the price: the offer is suspended without odds.
  private mutating func sendInvalidOffer() {
    if chance(20) { return sendInvalidMarket() }
    guard let offer = randomKey("BETTING_OFFER") else { return }
    let bad = [#""odds":0.5"#, #""odds":"x""#, #""odds":false"#, #""odds":[2]"#, #""odds":null,"outcomeId":{}"#]
    let content = #""statusId":"7","lastChangedTime":1,"# + bad[upTo(bad.count - 1)]
    let isCreation = chance(20)
    change(offer, "odds", to: nil)
    change(offer, "statusId", to: "\"7\"")
    if isCreation { change(offer, "isAvailable", to: nil) }
    send(FeedRecord(verb: isCreation ? .create : .update, key: offer, content: content, isInvalid: true))
  }

  private mutating func sendInvalidMarket() {
    guard let market = randomKey("MARKET") else { return }
    change(market, "isClosed", to: "true")
    send(FeedRecord(verb: .update, key: market, content: #""isClosed":true,"paramFloat1":"-""#, isInvalid: true))
  }
}
