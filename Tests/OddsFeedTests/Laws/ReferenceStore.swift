import OddsFeed
import TestSupport

/// A slow and simple store: dictionaries of records, which are searched in full.
///
/// The engine must show the same state. This store decides what StoreRules.md leaves open.
struct ReferenceStore {
  typealias Fields = [String: FeedJSON.Value]

  /// A pending change of a missing record.
  struct PendingChange {
    var change: Change
    var version: Int64?
    var since: Int64
  }

  struct Change {
    var verb: FeedRecord.Verb
    var key: RecordKey
    var fields: Fields
  }

  /// The records by type, then by id.
  private(set) var tables: [String: [String: Fields]] = [:]
  /// The main markets in the order in which they first arrived.
  var mainMarkets: [RecordKey] = []
  var pendingChanges: [PendingChange] = []
  /// The times since which children have been waiting for their parents.
  var waitingSince: [RecordKey: Int64] = [:]
  /// The records that were removed with their parents, with the time: their own DELETE may still arrive.
  var tombstones: [RecordKey: Int64] = [:]

  var expired = 0
  var rejected = 0
  var unparsable = 0

  var options = StoreOptions()

  /// The number of pending changes and records.
  var waiting: Int { pendingChanges.count + waitingSince.count }

  subscript(key: RecordKey) -> Fields? {
    get { tables[key.type]?[key.id] }
    set { tables[key.type, default: [:]][key.id] = newValue }
  }

  mutating func apply(_ text: String, at now: Int64 = 0) {
    guard let parsed = FeedJSON.parse(text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text) else {
      unparsable += 1
      return
    }
    guard let message = Message(parsed) else { return }
    let now = message.receivedAt ?? now
    expire(now)
    if message.isDump {
      let kept = (expired, rejected, unparsable, options)
      self = ReferenceStore()
      (expired, rejected, unparsable, options) = kept
    }
    rejected += message.unknownInvocations
    for record in message.records {
      switch Self.change(record, isDump: message.isDump) {
      case .ignored: break
      case .bad(let change):
        rejected += 1
        if let change { applyTradingState(change) }
      case .change(let change): apply(change, message.version, now)
      }
    }
    updateWaiting(now)
    limitWaiting()
  }

  private mutating func apply(_ change: Change, _ version: Int64?, _ now: Int64) {
    let key = change.key
    switch change.verb {
    case .create:
      self[key] = change.fields.filter { $0.value != .null }
      if key.type == "MAIN_MARKET", !mainMarkets.contains(key) { mainMarkets.append(key) }
      tombstones[key] = nil
      applyPending(key, version, now)
    case .update where self[key] != nil:
      for (name, value) in change.fields { self[key]![name] = value == .null ? nil : value }
    case .delete where self[key] != nil: remove(key, now)
    case .delete where tombstones[key] != nil: break
    case .update, .delete: pendingChanges.append(PendingChange(change: change, version: version, since: now))
    }
  }

  /// Applies the trading state of a rejected record, as if the record were valid, to an existing record.
  private mutating func applyTradingState(_ change: Change) {
    let key = change.key
    guard let known = self[key] else { return }
    var fields = change.verb == .create ? [:] : known
    for (name, value) in change.fields { fields[name] = value == .null ? nil : value }
    switch key.type {
    case "BETTING_OFFER":
      for name in ["statusId", "isAvailable", "odds"] { self[key]![name] = fields[name] }
      if fields["outcomeId"] != known["outcomeId"] { self[key]!["odds"] = nil }
    case "MARKET":
      for name in ["isAvailable", "isClosed"] { self[key]![name] = fields[name] }
    case "MATCH":
      if case .number(1...254) = fields["statusId"] { self[key]!["statusId"] = fields["statusId"] }
    default: break
    }
  }

  /// Applies the pending changes of a record that has arrived, except those older than the record.
  private mutating func applyPending(_ key: RecordKey, _ version: Int64?, _ now: Int64) {
    let pendingForKey = pendingChanges.filter { $0.change.key == key }
    pendingChanges.removeAll { $0.change.key == key }
    for pending in pendingForKey {
      if let version, let pendingVersion = pending.version, pendingVersion < version {
        expired += 1
      } else {
        apply(pending.change, pending.version, now)
      }
    }
  }

  /// Removes a record with all its children.
  private mutating func remove(_ key: RecordKey, _ now: Int64) {
    let children = children(of: key)
    self[key] = nil
    mainMarkets.removeAll { $0 == key }
    if key.type == "MARKET" {
      // An outcome of another market stays, without its reference to this market.
      for outcome in all("OUTCOME") where reference(outcome, "marketId") == key.id {
        if !children.contains(outcome) { self[outcome]!["marketId"] = nil }
      }
    }
    for child in children where self[child] != nil {
      tombstones[child] = now
      remove(child, now)
    }
  }

  /// Returns the records that are removed with a record.
  private func children(of key: RecordKey) -> [RecordKey] {
    func referring(_ type: String, _ field: String) -> [RecordKey] {
      all(type).filter { reference($0, field) == key.id && !isIncompleteRelation($0) }
    }
    switch key.type {
    case "MATCH": return referring("MARKET", "eventId") + referring("EVENT_INFO", "eventId")
    case "MARKET":
      return referring("MARKET_OUTCOME_RELATION", "marketId")
        + all("OUTCOME").filter { markets(of: $0.id) == [key.id] }
    case "OUTCOME": return referring("MARKET_OUTCOME_RELATION", "outcomeId") + referring("BETTING_OFFER", "outcomeId")
    default: return []
    }
  }

  private mutating func expire(_ now: Int64) {
    let age = Int64(options.pendingTimeout.components.seconds) * 1000
    let old = pendingChanges.filter { now - $0.since > age }.count
    pendingChanges.removeAll { now - $0.since > age }
    expired += old
    for (key, since) in waitingSince where now - since > age {
      waitingSince[key] = nil
      expired += 1
      remove(key, now)
    }
    tombstones = tombstones.filter { now - $0.value <= 30_000 }
  }

  private mutating func updateWaiting(_ now: Int64) {
    for key in tables.flatMap({ type, table in table.keys.map { RecordKey(type: type, id: $0) } }) {
      if !isWaiting(key) { waitingSince[key] = nil } else if waitingSince[key] == nil { waitingSince[key] = now }
    }
    waitingSince = waitingSince.filter { self[$0.key] != nil }
  }

  /// NB: Drops pending changes only. Whenever a test exceeds the limit, there are enough of them.
  private mutating func limitWaiting() {
    let excess = max(0, waiting - options.pendingLimit)
    pendingChanges.removeFirst(min(excess, pendingChanges.count))
    expired += excess
  }

  /// Returns true for a relation that names only a market or only an outcome, and thus has no parent.
  private func isIncompleteRelation(_ key: RecordKey) -> Bool {
    key.type == "MARKET_OUTCOME_RELATION"
      && (reference(key, "marketId") == nil || reference(key, "outcomeId") == nil)
  }

  /// Returns true if a record refers to a missing parent.
  private func isWaiting(_ key: RecordKey) -> Bool {
    if isIncompleteRelation(key) { return false }
    func misses(_ field: String, _ type: String) -> Bool {
      guard let id = reference(key, field) else { return false }
      return self[RecordKey(type: type, id: id)] == nil
    }
    switch key.type {
    case "MARKET", "EVENT_INFO": return misses("eventId", "MATCH")
    case "OUTCOME": return misses("marketId", "MARKET")
    case "MARKET_OUTCOME_RELATION": return misses("marketId", "MARKET") || misses("outcomeId", "OUTCOME")
    case "BETTING_OFFER": return misses("outcomeId", "OUTCOME")
    default: return false
    }
  }
}
