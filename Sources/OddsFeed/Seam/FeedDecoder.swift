import JSONText

/// A decoder of a provider's messages into flat records.
///
/// A decoder belongs to one subscription and may keep state between messages, such as the keys that it expects next or
/// the order books that updates refer to.
public protocol FeedDecoder: Sendable {
  /// Decodes the text in `bytes[range]` and appends its messages to the batch: a message, or a line of a recording that
  /// contains one.
  ///
  /// Unknown fields, record types and message kinds are skipped. A text that cannot be read is counted in the batch and
  /// adds nothing else to it. White space alone is neither a message nor an error. `bytes` is shorter than 4 GiB.
  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into batch: inout FeedBatch)
}

extension FeedDecoder {
  /// Decodes all messages of a frame and appends them to the batch.
  package mutating func decode(_ frame: TransportFrame, into batch: inout FeedBatch) {
    frame.bytes.withUnsafeBufferPointer { bytes in
      guard bytes.count < UInt32.max else {
        batch.unparsable += 1
        return
      }
      switch frame.framing {
      case .message: decode(bytes, frame.range, into: &batch)
      case .lines: bytes.eachLine(in: frame.range) { decode(bytes, $0, into: &batch) }
      }
    }
  }
}

/// The form of a provider's messages, for readers of files and pipes, which have no connection to the provider.
package protocol FeedFormat: Sendable {
  /// The name of the provider.
  var name: String { get }

  /// Returns a decoder in its initial state.
  func makeDecoder() -> any FeedDecoder

  /// Returns true if a line begins like a message, so that it needs no search for an enclosing recorded line. May
  /// return false for a message that begins in an unusual way.
  func isMessage(_ line: UnsafeBufferPointer<UInt8>) -> Bool

  /// Returns the format of a line that begins like a message; nil for another line. It is this format, or the matching
  /// one if this format combines several. A reader of many lines asks the format of the last message first.
  func format(ofMessage line: UnsafeBufferPointer<UInt8>) -> (any FeedFormat)?

  /// Reads the kind and version of a message without decoding its records.
  func head(of message: UnsafeBufferPointer<UInt8>) -> MessageHead

  /// The text of a dump without records.
  var emptyDump: [UInt8] { get }

  /// True if the updates before the first dump of a recording are those that a client receives while it waits for the
  /// dump (StoreRules.md, rule 1). False if messages count in the order in which they stand. True by default.
  var updatesMayPrecedeDump: Bool { get }

  /// The problem with a record or text, in the provider's terms: "a value of the wrong type in 'odds'".
  func description(of reason: FeedIssue.Reason) -> String
}

extension FeedFormat {
  package var updatesMayPrecedeDump: Bool { true }

  package func format(ofMessage line: UnsafeBufferPointer<UInt8>) -> (any FeedFormat)? {
    isMessage(line) ? self : nil
  }
}

package struct MessageHead: Hashable, Sendable {
  /// True if the message is a dump, which replaces all records.
  package var isDump = false
  /// The version, in milliseconds since 1970; nil if the message has none, or only after its records.
  package var version: Int64?
  /// The time at which the provider sent the message, in milliseconds since 1970: the clock of a recording of bare
  /// messages. Nil if the message has none, or none that is a clock.
  package var sentAt: Int64?

  package init() {}
}
