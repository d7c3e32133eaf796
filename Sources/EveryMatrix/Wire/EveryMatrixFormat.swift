import JSONText
package import OddsFeed

/// The JSON messages of the EveryMatrix feed (Messages.md), for readers of files and pipes.
package struct EveryMatrixFormat: FeedFormat {
  package init() {}

  package var name: String { "EveryMatrix" }

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
    case .noChangeType: "no changeType"
    case .noContent: "no object with the changed fields"
    case .malformedMessage: "a message without an array of records"
    case .unknownMessage: "a messageType that is not known"
    case .createOfKnown: "CREATE of an id that is there"
    case .updateOfUnknown: "UPDATE of an id that is not there"
    case .deleteOfUnknown: "DELETE of an id that is not there"
    case .parentMissing: "a foreign key that never resolved"
    default: reason.text { "\($0.wireName)" }
    }
  }
}
