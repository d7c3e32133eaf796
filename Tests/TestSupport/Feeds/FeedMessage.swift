/// The type of a record and its id as the feed writes it.
package struct RecordKey: Hashable, Comparable {
  package var type: String
  package var id: String

  package init(type: String, id: String) { (self.type, self.id) = (type, id) }

  package static func < (left: RecordKey, right: RecordKey) -> Bool { (left.type, left.id) < (right.type, right.id) }
}

/// A generated record of a message: its text, and its properties that a reordering needs.
package struct FeedRecord {
  package enum Verb: String { case create = "CREATE", update = "UPDATE", delete = "DELETE" }

  package var verb: Verb
  package var key: RecordKey
  /// The inside of the object with the record's fields.
  package var content = ""
  /// Its parents, before and after the change.
  package var parents: Set<RecordKey> = []
  /// The records that a DELETE removes besides its own.
  package var deletedChildren: Set<RecordKey> = []
  /// True for the CREATE of an id that is new to the feed.
  package var isFirst = false
  /// True if it moves an existing outcome into another market or out of one.
  package var isMove = false
  /// True if it must be rejected. NB: its effect on a price is lost if it precedes the CREATE of its record.
  package var isInvalid = false

  /// The text in an update.
  package var text: String {
    let head = #""changeType":"\#(verb.rawValue)","entityType":"\#(key.type)","id":"\#(key.id)""#
    switch verb {
    case .create: return #"{\#(head),"entity":{"_type":"\#(key.type)","id":"\#(key.id)"\#(comma)\#(content)}}"#
    case .update: return #"{\#(head),"changedProperties":{\#(content)}}"#
    case .delete: return "{\(head)}"
    }
  }

  /// The text in a dump.
  package var dumpText: String { #"{"_type":"\#(key.type)","id":"\#(key.id)"\#(comma)\#(content)}"# }

  private var comma: String { content.isEmpty ? "" : "," }

  /// Returns true if two records may come in either order: their ids differ, and neither deletes a record on which the
  /// other depends. With `updateFirst`, an UPDATE may come before the first CREATE of an id (StoreRules.md, rule 5).
  package func commutes(with other: FeedRecord, updateFirst: Bool = false) -> Bool {
    if key == other.key {
      return updateFirst && !isInvalid && !other.isInvalid
        && (isFirst && other.verb == .update || other.isFirst && verb == .update)
    }
    // The list of main markets is in the order of creation.
    if key.type == "MAIN_MARKET", other.key.type == "MAIN_MARKET" { return false }
    return !isUndone(by: other) && !other.isUndone(by: self)
  }

  private func isUndone(by other: FeedRecord) -> Bool {
    guard other.verb == .delete else { return false }
    if isMove && ["MATCH", "MARKET"].contains(other.key.type) { return true }
    return parents.contains(other.key)
      || verb != .delete && !parents.union([key]).isDisjoint(with: other.deletedChildren)
  }
}

/// A generated message.
package struct FeedMessage {
  package var isDump = false
  package var version: Int64?
  package var records: [FeedRecord]

  package init(isDump: Bool = false, version: Int64? = nil, records: [FeedRecord]) {
    self.isDump = isDump
    self.version = version
    self.records = records
  }

  package var text: String {
    let version = version.map { #""version":"\#($0)","# } ?? ""
    let kind = isDump ? "INITIAL_DUMP" : "UPDATE"
    let records = records.map { isDump ? $0.dumpText : $0.text }.joined(separator: ",")
    return #"{\#(version)"format":"AGGREGATOR","messageType":"\#(kind)","records":[\#(records)]}"#
  }

  package func commutes(with other: FeedMessage, updateFirst: Bool = false) -> Bool {
    if isDump || other.isDump { return false }
    return records.allSatisfy { record in
      other.records.allSatisfy { record.commutes(with: $0, updateFirst: updateFirst) }
    }
  }
}
