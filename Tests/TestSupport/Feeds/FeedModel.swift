/// A small feed with its expected state: matches, markets, outcomes, prices, and every kind of change.
///
/// The same seed makes the same feed, in every process.
package struct FeedModel {
  /// A record's fields, as JSON; references are quoted ids.
  package typealias Fields = [String: String]

  package private(set) var records: [RecordKey: Fields] = [:]
  /// In the order of creation.
  package private(set) var mainMarkets: [RecordKey] = []
  /// The keys of all records that were ever created.
  private var usedKeys: Set<RecordKey> = []
  /// The keys of deleted records, which a later record of the same type can get again.
  package private(set) var deletedKeys: [RecordKey] = []
  /// The records of the current message.
  private var messageRecords: [FeedRecord] = []
  /// The records that existed before the current message.
  private var earlierKeys: Set<RecordKey> = []
  package private(set) var version: Int64 = 1_750_752_646_168
  package var random: SeededRandom

  package init(seed: UInt64) {
    random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ 1)
    for _ in 0..<upTo(2) { createMainMarket() }
    for _ in 0..<(chance(10) ? upTo(12) : upTo(4)) { createMatch() }
    messageRecords = []
  }

  /// Returns a dump of the current state, in the feed's order of types or in random order.
  package mutating func dump() -> FeedMessage {
    let order = [
      "SPORT", "MATCH", "EVENT_INFO", "MARKET", "OUTCOME", "MARKET_OUTCOME_RELATION", "BETTING_OFFER",
    ]
    let isShuffled = chance(30)
    var keys = order.flatMap { ids($0).shuffled(using: &random) }
    if isShuffled { keys.shuffle(using: &random) }
    var all = (keys + mainMarkets).map { key in
      FeedRecord(verb: .create, key: key, content: json(records[key]!, whole: true))
    }
    if chance(30) { all.append(recordOfUnusedType()) }
    return FeedMessage(isDump: true, version: version, records: all)
  }

  /// Returns the next change of the feed.
  package mutating func nextMessage() -> FeedMessage {
    version += Int64(1 + upTo(2000))
    earlierKeys = Set(records.keys)
    // Deletes first: a record created and deleted by one message would depend on how often that message is applied.
    for _ in 0..<(chance(35) ? 1 + upTo(2) : 0) { removeSomething() }
    for _ in 0..<(1 + upTo(5)) { changeSomething() }
    if chance(10) { messageRecords.append(recordOfUnusedType()) }
    defer { messageRecords = [] }
    return FeedMessage(version: version, records: messageRecords)
  }

  /// Returns a record of a type that is not used.
  private mutating func recordOfUnusedType() -> FeedRecord {
    FeedRecord(verb: .create, key: RecordKey(type: "MARKET_INFO", id: "\(upTo(9))"), content: #""odds":{"x":[1]}"#)
  }

  // MARK: Queries

  /// Returns the keys of all records of a type, sorted, and so in the same order in every process.
  package func ids(_ type: String) -> [RecordKey] {
    records.keys.filter { $0.type == type }.sorted()
  }

  package func parent(_ key: RecordKey, _ field: String, _ type: String) -> RecordKey? {
    records[key]?[field].map { RecordKey(type: type, id: String($0.dropFirst().dropLast())) }
  }

  package func markets(of outcome: RecordKey) -> Set<RecordKey> {
    let related = ids("MARKET_OUTCOME_RELATION").filter { parent($0, "outcomeId", "OUTCOME") == outcome }
    let all = related.compactMap { parent($0, "marketId", "MARKET") } + [parent(outcome, "marketId", "MARKET")]
    return Set(all.compactMap { $0 })
  }

  /// Returns all ancestors of a record, up to its match.
  package func ancestors(_ key: RecordKey) -> Set<RecordKey> {
    var parents: Set<RecordKey>
    switch key.type {
    case "MARKET", "EVENT_INFO": parents = Set([parent(key, "eventId", "MATCH")].compactMap { $0 })
    case "OUTCOME": parents = markets(of: key)
    case "BETTING_OFFER": parents = Set([parent(key, "outcomeId", "OUTCOME")].compactMap { $0 })
    case "MARKET_OUTCOME_RELATION":
      parents = Set([parent(key, "outcomeId", "OUTCOME"), parent(key, "marketId", "MARKET")].compactMap { $0 })
    default: parents = []
    }
    return parents.reduce(parents) { $0.union(ancestors($1)) }
  }

  // MARK: Sending

  package mutating func create(_ key: RecordKey, _ fields: Fields) {
    var record = FeedRecord(verb: .create, key: key, isFirst: usedKeys.insert(key).inserted)
    record.parents = ancestors(key)
    records[key] = fields
    if key.type == "MAIN_MARKET", !mainMarkets.contains(key) { mainMarkets.append(key) }
    deletedKeys.removeAll { $0 == key }
    record.content = json(fields, whole: true)
    send(record)
  }

  /// Changes some fields; nil clears one.
  package mutating func update(_ key: RecordKey, _ fields: [String: String?]) {
    var record = FeedRecord(verb: .update, key: key, parents: ancestors(key))
    for (name, value) in fields { records[key]![name] = value }
    record.content = json(fields.mapValues { $0 ?? "null" }, whole: false)
    send(record)
  }

  /// Changes a field without sending the change.
  package mutating func change(_ key: RecordKey, _ field: String, to value: String?) { records[key]![field] = value }

  /// Removes the market's id from its remaining outcomes.
  package mutating func removeReferences(to market: RecordKey) {
    for outcome in ids("OUTCOME") where parent(outcome, "marketId", "MARKET") == market {
      records[outcome]!["marketId"] = nil
    }
  }

  /// Removes a single record without its children.
  package mutating func removeRecord(_ key: RecordKey) -> FeedRecord {
    let record = FeedRecord(verb: .delete, key: key, parents: [])
    records[key] = nil
    mainMarkets.removeAll { $0 == key }
    deletedKeys.append(key)
    return record
  }

  package mutating func send(_ record: FeedRecord) {
    var record = record
    record.parents.formUnion(ancestors(record.key))
    let outcome = record.key.type == "OUTCOME" ? record.key : parent(record.key, "outcomeId", "OUTCOME")
    if record.verb != .delete, record.key.type != "BETTING_OFFER", let outcome, earlierKeys.contains(outcome) {
      record.isMove = true
    }
    messageRecords.append(record)
  }

  /// Returns true if the current message changes this record, or one that refers to it.
  package func messageChanges(_ key: RecordKey) -> Bool {
    messageRecords.contains { $0.verb != .delete && ($0.key == key || $0.parents.contains(key)) }
  }
}
