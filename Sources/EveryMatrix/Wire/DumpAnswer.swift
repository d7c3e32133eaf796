import JSONText

/// The kind of an answer to a request for a dump.
package enum DumpAnswer: Hashable, Sendable {
  /// An INITIAL_DUMP with an array of records.
  case dump
  /// An object with an array of records and no messageType. Plain answers may lack it (Messages.md).
  case untyped
  /// Anything else: another message, an error, or text that is not JSON. It has no data for the topic.
  case other

  /// Classifies the answer in `bytes[range]`, read to its end.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    self = (try? Self.read(bytes, range)) ?? .other
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) throws(JSONError) -> DumpAnswer {
    var cursor = JSONCursor(bytes, range)
    var type: String?
    var hasRecords = false
    try cursor.decodedFields { key, cursor throws(JSONError) in
      switch key {
      case "messageType": type = cursor.peek() == UInt8(ascii: "\"") ? try cursor.text() : ""
      case "records": hasRecords = try isRecordList(&cursor)
      default: try cursor.skip()
      }
    }
    guard cursor.peek() == 0, hasRecords else { return .other }
    switch type {
    case nil: return .untyped
    case "INITIAL_DUMP": return .dump
    default: return .other
    }
  }

  /// Steps over one value. Returns true for an array that can belong to a dump: empty, or with a complete record as its
  /// first object. A record with a changeType belongs to an update.
  private static func isRecordList(_ cursor: inout JSONCursor) throws(JSONError) -> Bool {
    guard cursor.peek() == UInt8(ascii: "[") else {
      try cursor.skip()
      return false
    }
    guard try cursor.enter(UInt8(ascii: "["), close: UInt8(ascii: "]")) else { return true }
    var hasRecord: Bool?
    repeat {
      if hasRecord == nil, cursor.peek() == UInt8(ascii: "{") {
        hasRecord = try !hasChangeType(&cursor)
      } else {
        try cursor.skip()
      }
    } while try cursor.more(until: UInt8(ascii: "]"))
    return hasRecord ?? false
  }

  private static func hasChangeType(_ cursor: inout JSONCursor) throws(JSONError) -> Bool {
    var found = false
    try cursor.decodedFields { key, cursor throws(JSONError) in
      if key == "changeType" { found = true }
      try cursor.skip()
    }
    return found
  }

  /// Returns an answer with the missing messageType inserted, for an `untyped` answer.
  package static func typed(_ bytes: [UInt8], _ range: Range<Int>) -> (bytes: [UInt8], range: Range<Int>) {
    guard let brace = bytes[range].firstIndex(of: UInt8(ascii: "{")) else { return (bytes, range) }
    let type = Array(#""messageType":"INITIAL_DUMP","#.utf8)
    var typed = bytes
    typed.insert(contentsOf: type, at: brace + 1)
    return (typed, range.lowerBound..<range.upperBound + type.count)
  }
}
