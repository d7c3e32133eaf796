import JSONText
package import OddsFeed

/// The messages that a session with Polymarket delivers, for readers of recordings.
package struct PolymarketFormat: FeedFormat {
  package init() {}

  package var name: String { "Polymarket" }

  package func makeDecoder() -> any FeedDecoder { PolymarketDecoder() }

  package var emptyDump: [UInt8] { SessionMessage.events([]) }

  package var updatesMayPrecedeDump: Bool { false }

  package func isMessage(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    var cursor = JSONCursor(line)
    if cursor.peek() == UInt8(ascii: "[") { try? cursor.expect(UInt8(ascii: "[")) }
    var isMessage = false
    try? cursor.fields { key, cursor throws(JSONError) in
      isMessage = key.equals("event_type") || key.equals("gameId")
      if isMessage || key.equals("receivedAt") || key.equals("message") { return false }
      try cursor.skip()
      return true
    }
    return isMessage
  }

  package func head(of message: UnsafeBufferPointer<UInt8>) -> MessageHead {
    var head = MessageHead()
    var cursor = JSONCursor(message)
    guard cursor.peek() == UInt8(ascii: "{") else { return head }
    try? cursor.fields { key, cursor throws(JSONError) in
      if key.equals("event_type"), cursor.peek() == UInt8(ascii: "\"") {
        head.isDump = try cursor.string().bytes.equals("events")
        return false
      }
      try cursor.skip()
      return true
    }
    return head
  }

  package func description(of reason: FeedIssue.Reason) -> String {
    switch reason {
    case .malformedMessage: "a message without its token, levels or changes"
    case .unknownMessage: "an event_type that is not known"
    default: reason.text { "\($0)" }
    }
  }
}
