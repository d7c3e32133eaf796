import JSONText
package import OddsFeed
import OddsModel

/// The messages of the Betfair Exchange Stream (Stream.md), for readers of files and pipes.
package struct BetfairFormat: FeedFormat {
  package init() {}

  package var name: String { "Betfair" }

  package func makeDecoder() -> any FeedDecoder { BetfairDecoder(isRecorded: true) }

  package var emptyDump: [UInt8] { SessionMessage.noMarkets }

  package var updatesMayPrecedeDump: Bool { false }

  package func isMessage(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    var isMessage = false
    var cursor = JSONCursor(line)
    try? cursor.fields { key, cursor throws(JSONError) in
      if key.equals("op") {
        isMessage = ["mcm", "connection", "status", "marketCatalogue"].contains(try cursor.textIfAny() ?? "")
        return false
      }
      // Only `mc` and `result` are long. A line with another array or object is of another provider: it is not read on.
      let isLong = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(cursor.peek())
      if key.equals("receivedAt") || isLong && !key.equals("mc") && !key.equals("result") { return false }
      try cursor.skip()
      return true
    }
    return isMessage
  }

  package func head(of message: UnsafeBufferPointer<UInt8>) -> MessageHead {
    var head = MessageHead()
    var isImage = false
    var isContinued = false
    var cursor = JSONCursor(message)
    try? cursor.fields { key, cursor throws(JSONError) in
      if key.equals("ct") {
        isImage = try cursor.textIfAny() == "SUB_IMAGE"
      } else if key.equals("segmentType") {
        isContinued = ["SEG", "SEG_END"].contains(try cursor.textIfAny() ?? "")
      } else if key.equals("pt") {
        head.version = try cursor.time()
      } else {
        try cursor.skip()
      }
      return true
    }
    head.isDump = isImage && !isContinued
    head.sentAt = head.version
    return head
  }

  package func description(of reason: FeedIssue.Reason) -> String {
    switch reason {
    case .unknownMessage: "an 'op' that is not known"
    case .oddsOutOfRange(let odds): "a price of \(odds): below 1, or above \(DecimalOdds.limit)"
    case .noChangeType, .noContent, .malformedMessage: "a message of another form"
    case .unreadableStatus(let field), .timeOutOfRange(let field): "a value of the wrong type in '\(field)'"
    case .createOfKnown: "an image of an id that is there"
    case .updateOfUnknown, .deleteOfUnknown: "a change of an id that is not there"
    case .parentMissing: "a runner without its market"
    default: reason.text { "\($0)" }
    }
  }
}
