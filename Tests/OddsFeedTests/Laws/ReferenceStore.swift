import OddsFeed
import TestSupport

/// A slow and simple store: dictionaries of records, which are searched in full.
///
/// The engine must show the same state. This store decides what StoreRules.md leaves open.
struct ReferenceStore {
  typealias Fields = [String: FeedJSON.Value]

  /// A pending change of a missing record.
  struct HeldChange {
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
  var heldChanges: [HeldChange] = []
  /// The times since which children have been waiting for their parents.
  var waitingSince: [RecordKey: Int64] = [:]
  /// The records that were removed with their parents, with the time: their own DELETE may still arrive.
  var gone: [RecordKey: Int64] = [:]

  var expired = 0
  var rejected = 0
  var unparsable = 0

  var options = StoreOptions()

  /// The number of pending changes and records.
  var waiting: Int { heldChanges.count + waitingSince.count }

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
    noteWaiting(now)
    limitWaiting()
  }

  private mutating func apply(_ change: Change, _ version: Int64?, _ now: Int64) {
    let key = change.key
    switch change.verb {
    case .create:
      self[key] = change.fields.filter { $0.value != .null }
      if key.type == "MAIN_MARKET", !mainMarkets.contains(key) { mainMarkets.append(key) }
      gone[key] = nil
      applyHeld(key, version, now)
    case .update where self[key] != nil:
      for (name, value) in change.fields { self[key]![name] = value == .null ? nil : value }
    case .delete where self[key] != nil: remove(key, now)
    case .delete where gone[key] != nil: break
    case .update, .delete: heldChanges.append(HeldChange(change: change, version: version, since: now))
    }
  }

  /// Applies the trading state of a rejected record, as if the record were valid, to an existing record.
  private mutating func applyTradingState(_ change: Change) {
    let key = change.key
    guard let known = self[key] else { return }
    var stated = change.verb == .create ? [:] : known
    for (name, value) in change.fields { stated[name] = value == .null ? nil : value }
    switch key.type {
    case "BETTING_OFFER":
      for name in ["statusId", "isAvailable", "odds"] { self[key]![name] = stated[name] }
      if stated["outcomeId"] != known["outcomeId"] { self[key]!["odds"] = nil }
    case "MARKET":
      for name in ["isAvailable", "isClosed"] { self[key]![name] = stated[name] }
    case "MATCH":
      if case .number(1...254) = stated["statusId"] { self[key]!["statusId"] = stated["statusId"] }
    default: break
    }
  }

  /// Applies the pending changes of a record that has arrived, except those older than the record.
  private mutating func applyHeld(_ key: RecordKey, _ version: Int64?, _ now: Int64) {
    let waited = heldChanges.filter { $0.change.key == key }
    heldChanges.removeAll { $0.change.key == key }
    for held in waited {
      if let version, let mine = held.version, mine < version {
        expired += 1
      } else {
        apply(held.change, held.version, now)
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
      gone[child] = now
      remove(child, now)
    }
  }

  /// Returns the records that are removed with a record.
  private func children(of key: RecordKey) -> [RecordKey] {
    func pointing(_ type: String, _ field: String) -> [RecordKey] {
      all(type).filter { reference($0, field) == key.id && !isHalf($0) }
    }
    switch key.type {
    case "MATCH": return pointing("MARKET", "eventId") + pointing("EVENT_INFO", "eventId")
    case "MARKET":
      return pointing("MARKET_OUTCOME_RELATION", "marketId")
        + all("OUTCOME").filter { markets(of: $0.id) == [key.id] }
    case "OUTCOME": return pointing("MARKET_OUTCOME_RELATION", "outcomeId") + pointing("BETTING_OFFER", "outcomeId")
    default: return []
    }
  }

  private mutating func expire(_ now: Int64) {
    let age = Int64(options.pendingTimeout.components.seconds) * 1000
    let old = heldChanges.filter { now - $0.since > age }.count
    heldChanges.removeAll { now - $0.since > age }
    expired += old
    for (key, since) in waitingSince where now - since > age {
      waitingSince[key] = nil
      expired += 1
      remove(key, now)
    }
    gone = gone.filter { now - $0.value <= 30_000 }
  }

  private mutating func noteWaiting(_ now: Int64) {
    for key in tables.flatMap({ type, table in table.keys.map { RecordKey(type: type, id: $0) } }) {
      if !isWaiting(key) { waitingSince[key] = nil } else if waitingSince[key] == nil { waitingSince[key] = now }
    }
    waitingSince = waitingSince.filter { self[$0.key] != nil }
  }

  /// NB: drops pending changes before pending children; only changes are tested against the limit.
  private mutating func limitWaiting() {
    let surplus = max(0, waiting - options.pendingLimit)
    heldChanges.removeFirst(min(surplus, heldChanges.count))
    expired += surplus
  }

  /// Returns true for a relation that names only a market or only an outcome, and thus has no parent.
  private func isHalf(_ key: RecordKey) -> Bool {
    key.type == "MARKET_OUTCOME_RELATION"
      && (reference(key, "marketId") == nil || reference(key, "outcomeId") == nil)
  }

  /// Returns true if a record refers to a missing parent.
  private func isWaiting(_ key: RecordKey) -> Bool {
    if isHalf(key) { return false }
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
