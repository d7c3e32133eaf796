import JSONText

/// Conflation of several UPDATE messages into an equivalent one, for a slow reader.
///
/// An UPDATE record is omitted if later UPDATE records of the same entity set all its keys. CREATE and DELETE records
/// stay, in order, and only UPDATE records before the next CREATE or DELETE of the entity are compared.
package enum UpdateConflation {
  private struct Record {
    var range = 0..<0
    var change = ""
    var entity = ""
    /// The keys of the changed properties. Nil if the record has none.
    var keys: Set<String>?
  }

  /// Returns the conflated message, with the envelope and version of the last one. Nil if `messages` is empty or
  /// contains a message that is no UPDATE.
  package static func message(of messages: [[UInt8]]) -> [UInt8]? {
    guard let newest = messages.last else { return nil }
    var parts: [(message: Int, records: [Record])] = []
    var envelope = 0..<0
    for index in messages.indices {
      guard let (records, list) = messages[index].withUnsafeBufferPointer({ (try? read($0)) ?? nil }) else {
        return nil
      }
      parts.append((index, records))
      envelope = list
    }
    var kept: [(message: Int, range: Range<Int>)] = []
    var settled: [String: Set<String>] = [:]
    for (message, records) in parts.reversed() {
      for record in records.reversed() {
        if record.change == "UPDATE", let keys = record.keys {
          if settled[record.entity]?.isSuperset(of: keys) == true { continue }
          settled[record.entity, default: []].formUnion(keys)
        } else {
          settled[record.entity] = nil
        }
        kept.append((message, record.range))
      }
    }
    var bytes = Array(newest[..<envelope.lowerBound])
    bytes.append(UInt8(ascii: "["))
    for (index, (message, range)) in kept.reversed().enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += messages[message][range]
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes + newest[envelope.upperBound...]
  }

  /// Returns the records, and the range of the list that contains them. Nil if the message is no UPDATE.
  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> ([Record], Range<Int>)? {
    var cursor = JSONCursor(bytes, 0..<bytes.count)
    var records: [Record] = []
    var list: Range<Int>?
    var isUpdate = false
    try cursor.decodedFields { key, cursor throws(JSONError) in
      switch key {
      case "messageType": isUpdate = try cursor.text() == "UPDATE"
      case "records":
        _ = cursor.peek()
        let start = cursor.at
        var another = try cursor.enter(UInt8(ascii: "["), close: UInt8(ascii: "]"))
        while another {
          records.append(try record(&cursor))
          another = try cursor.more(until: UInt8(ascii: "]"))
        }
        list = start..<cursor.at
      default: try cursor.skip()
      }
    }
    guard isUpdate, let list else { return nil }
    return (records, list)
  }

  private static func record(_ cursor: inout JSONCursor) throws(JSONError) -> Record {
    var record = Record()
    var (type, id) = ("", "")
    _ = cursor.peek()
    let start = cursor.at
    try cursor.decodedFields { key, cursor throws(JSONError) in
      switch key {
      case "changeType": record.change = try cursor.text()
      case "entityType": type = try cursor.text()
      case "id": id = try cursor.text()
      case "changedProperties": record.keys = try keys(&cursor)
      default: try cursor.skip()
      }
    }
    record.entity = "\(type) \(id)"
    record.range = start..<cursor.at
    return record
  }

  private static func keys(_ cursor: inout JSONCursor) throws(JSONError) -> Set<String> {
    var keys: Set<String> = []
    try cursor.decodedFields { key, cursor throws(JSONError) in
      keys.insert(key)
      try cursor.skip()
    }
    return keys
  }
}
