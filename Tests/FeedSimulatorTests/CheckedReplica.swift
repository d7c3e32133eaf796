import Foundation

/// The records of a strict, simple client after a dump and some updates, parsed with Foundation.
struct CheckedReplica: Equatable {
  typealias Record = [String: AnyHashable]

  struct ReplicaError: Error, CustomStringConvertible {
    let description: String
  }

  /// The fields of each type that refer to other records, with the types of those records.
  private static let references: [String: [String: String]] = [
    "EVENT_CATEGORY": ["sportId": "SPORT"],
    "MATCH": ["sportId": "SPORT", "categoryId": "EVENT_CATEGORY", "venueId": "LOCATION"],
    "EVENT_INFO": ["eventId": "MATCH"],
    "MARKET": ["eventId": "MATCH"],
    "OUTCOME": ["eventId": "MATCH"],
    "MARKET_OUTCOME_RELATION": ["marketId": "MARKET", "outcomeId": "OUTCOME"],
    "BETTING_OFFER": ["outcomeId": "OUTCOME"],
    "MAIN_MARKET": ["sportId": "SPORT"],
    "LIVE_MATCHES_NUMBER": ["sportId": "SPORT"],
  ]

  /// The records by type, then by id.
  private(set) var records: [String: [String: Record]] = [:]
  /// The number of records of the last update.
  private(set) var recordsInLastMessage = 0

  static func == (left: CheckedReplica, right: CheckedReplica) -> Bool {
    left.records.filter { !$1.isEmpty } == right.records.filter { !$1.isEmpty }
  }

  /// Reads a dump.
  init(dump: [UInt8]) throws {
    for record in try Self.records(of: dump, type: "INITIAL_DUMP") { try create(Self.flat(record)) }
  }

  func all(_ type: String) -> [Record] {
    records[type].map { Array($0.values) } ?? []
  }

  /// Applies an update. Throws if it refers to an unknown record.
  mutating func apply(_ update: [UInt8]) throws {
    let changes = try Self.records(of: update, type: "UPDATE")
    recordsInLastMessage = changes.count
    for change in changes {
      guard let type = change["entityType"] as? String, let id = change["id"] as? String else {
        throw ReplicaError(description: "a change without type or id: \(change)")
      }
      switch change["changeType"] as? String {
      case "CREATE":
        guard let entity = change["entity"] as? [String: Any], entity["id"] as? String == id else {
          throw ReplicaError(description: "a CREATE whose entity is another: \(change)")
        }
        try create(Self.flat(entity))
      case "UPDATE":
        guard let properties = change["changedProperties"] as? [String: Any], records[type]?[id] != nil else {
          throw ReplicaError(description: "an UPDATE of the unknown \(type) \(id)")
        }
        for (key, value) in Self.flat(properties) {
          records[type]?[id]?[key] = value == AnyHashable(NSNull()) ? nil : value
        }
      case "DELETE":
        guard records[type]?.removeValue(forKey: id) != nil else {
          throw ReplicaError(description: "a DELETE of the unknown \(type) \(id)")
        }
      default:
        throw ReplicaError(description: "an unknown change: \(change)")
      }
    }
    let deletes = changes.filter { $0["changeType"] as? String == "DELETE" }
    try checkReferences(to: Set(deletes.compactMap { $0["entityType"] as? String }))
  }

  private mutating func create(_ record: Record) throws {
    guard let type = record["_type"] as? String, let id = record["id"] as? String else {
      throw ReplicaError(description: "a record without type or id: \(record)")
    }
    guard records[type]?[id] == nil else { throw ReplicaError(description: "\(type) \(id) is there already") }
    try checkReferences(record, type)
    records[type, default: [:]][id] = record
  }

  /// Throws if a record refers to a deleted one.
  private func checkReferences(to deleted: Set<String>) throws {
    guard !deleted.isEmpty else { return }
    for (type, byID) in records where Self.references[type]?.values.contains(where: deleted.contains) == true {
      for record in byID.values { try checkReferences(record, type) }
    }
  }

  private func checkReferences(_ record: Record, _ type: String) throws {
    for (field, target) in Self.references[type] ?? [:] {
      guard let id = record[field] as? String, records[target]?[id] != nil else {
        throw ReplicaError(description: "\(type) points to an unknown \(target) by \(field): \(record)")
      }
    }
  }

  /// Returns the fields of a record, none of which holds an object or an array.
  private static func flat(_ record: [String: Any]) -> Record {
    record.compactMapValues { $0 as? AnyHashable }
  }

  private static func records(of bytes: [UInt8], type: String) throws -> [[String: Any]] {
    guard let message = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
      message["messageType"] as? String == type, message["format"] as? String == "AGGREGATOR",
      (message["version"] as? String).flatMap(Int64.init) != nil,
      let records = message["records"] as? [[String: Any]]
    else { throw ReplicaError(description: "no \(type): \(String(decoding: bytes.prefix(200), as: UTF8.self))") }
    return records
  }
}
