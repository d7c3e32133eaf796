import OddsFeed
import TestSupport

/// A store that is slow and plain to see through: dictionaries of records, everything found by looking at everything.
///
/// The engine must show what this shows. Rules: StoreRules.md; where that leaves something open, the rule stands here.
struct ReferenceStore {
  typealias Fields = [String: FeedJSON.Value]

  /// A change of a record that is not there.
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

  /// By type, then by id.
  private(set) var tables: [String: [String: Fields]] = [:]
  /// The main markets in the order in which they first came.
  var mainMarkets: [RecordKey] = []
  var heldChanges: [HeldChange] = []
  /// Since when a child has waited for its parent.
  var waitingSince: [RecordKey: Int64] = [:]
  /// The records that were removed with their parent, with the time: their own DELETE may still come.
  var gone: [RecordKey: Int64] = [:]

  var expired = 0
  var rejected = 0
  var unparsable = 0

  var options = StoreOptions()

  /// The number of records that wait now.
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

  /// What a bad record says about a price, as if the rest of it were good, applies to a record that is there.
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

  /// The record came: what waited for it applies, unless it is older than the record.
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

  /// Takes a record out with everything that hangs on it.
  private mutating func remove(_ key: RecordKey, _ now: Int64) {
    let children = children(of: key)
    self[key] = nil
    mainMarkets.removeAll { $0 == key }
    if key.type == "MARKET" {
      // An outcome that stands in another market stays, and is no longer of this one.
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

  /// NB: where changes and children wait, this lets the changes go first; only changes are tested against the limit.
  private mutating func limitWaiting() {
    let surplus = max(0, waiting - options.pendingLimit)
    heldChanges.removeFirst(min(surplus, heldChanges.count))
    expired += surplus
  }

  /// A relation that names a market only, or an outcome only, hangs on neither.
  private func isHalf(_ key: RecordKey) -> Bool {
    key.type == "MARKET_OUTCOME_RELATION"
      && (reference(key, "marketId") == nil || reference(key, "outcomeId") == nil)
  }

  /// Returns true if a record names a parent that is not there.
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
