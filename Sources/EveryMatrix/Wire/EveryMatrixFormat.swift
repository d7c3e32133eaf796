import JSONText
package import OddsFeed
import OddsModel

/// The JSON messages of the EveryMatrix feed (Messages.md), for readers of files and pipes.
package struct EveryMatrixFormat: FeedFormat {
  package init() {}

  package func makeDecoder() -> any FeedDecoder { MessageDecoder() }

  package var emptyDump: [UInt8] { Array(#"{"messageType":"INITIAL_DUMP","records":[]}"#.utf8) }

  package func isMessage(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    var isMessage = false
    var cursor = JSONCursor(line)
    try? cursor.fields { key, _ in
      isMessage = key.equals("version") || key.equals("format") || key.equals("messageType") || key.equals("records")
      return false
    }
    return isMessage
  }

  package func head(of message: UnsafeBufferPointer<UInt8>) -> MessageHead {
    var head = MessageHead()
    var cursor = JSONCursor(message)
    var isKindKnown = false
    try? cursor.fields { key, cursor throws(JSONError) in
      if isKindKnown, key.equals("records") { return false }
      if key.equals("messageType"), cursor.peek() == UInt8(ascii: "\"") {
        head.isDump = try cursor.string().bytes.equals("INITIAL_DUMP")
        isKindKnown = true
        return head.version == nil
      }
      if key.equals("version") { head.version = try cursor.time() } else { try cursor.skip() }
      return true
    }
    return head
  }

  package func description(of reason: FeedIssue.Reason) -> String {
    switch reason {
    case .unparsable: "no JSON"
    case .missingID: "no usable id"
    case .noChangeType: "no changeType"
    case .noContent: "no object with the changed fields"
    case .malformedMessage: "a message without an array of records"
    case .unreadableStatus(let field): "a value in '\(field.wireName)' that cannot be read: the price is not bettable"
    case .timeOutOfRange(let field): "a time in '\(field.wireName)' before 1970 or after 9999: taken as not given"
    case .unknownMessage: "a messageType that is not known"
    case .byteOrderMark: "a byte order mark, skipped"
    case .nestedTooDeep: "no JSON that can be read: nested deeper than \(JSONCursor.depthLimit) levels"
    case .wrongType(let field): "a value of the wrong type in '\(field.wireName)'"
    case .oddsOutOfRange(let odds): "odds of \(odds): below 1, or above \(DecimalOdds.limit)"
    case .createOfKnown: "CREATE of an id that is there"
    case .updateOfUnknown: "UPDATE of an id that is not there"
    case .deleteOfUnknown: "DELETE of an id that is not there"
    case .parentMissing: "a foreign key that never resolved"
    }
  }
}
