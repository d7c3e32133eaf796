package import NIOCore

/// One NATS message of the book.
///
/// Integers are big-endian. The header has 32 bytes:
///
/// | byte | size | field |
/// |---|---|---|
/// | 0 | 1 | version, 1 |
/// | 1 | 1 | kind |
/// | 2 | 2 | number of messages, for `update`; the age in milliseconds, for `heartbeat` |
/// | 4 | 2 | index of this part |
/// | 6 | 2 | number of parts, at least 1 |
/// | 8 | 8 | book |
/// | 16 | 8 | epoch |
/// | 24 | 8 | offset |
///
/// The body follows. One that exceeds the server's `max_payload` is cut into up to 65,535 parts of equal headers.
package struct FeedFrame: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// Messages of one topic, each a length (4 bytes) and its bytes. `offset` is that of the first one. Without a
    /// message it is the offset of the next one, sent after a second without messages so that a loss is noticed.
    case update = 1
    /// The book is alive. The body is the announcement of `BookPublisher`. The age is that of the data which the book
    /// has of its feed: zero, unless it passes an upstream feed on. `offset` is the time of sending by the book's wall
    /// clock, in milliseconds since 1970.
    case heartbeat = 2
    /// An answer to a dump request: the number of the dump (8 bytes) and the bytes of the part. `offset` is that of the
    /// last message that the dump includes.
    case dump = 3
    /// A refusal of a dump request. The body is a `Refusal`.
    case refusal = 4
    /// On the subject of the heartbeats: the term ends before its time, and no other book may follow. On the subject of
    /// a topic: the book cannot have the topic any more, and messages before `offset` are out of date.
    case ended = 5
  }

  static let version: UInt8 = 1
  static let headerSize = 32

  package let kind: Kind
  package let identity: BookIdentity
  package let offset: UInt64
  package let count: UInt16
  package let part: UInt16
  package let parts: UInt16
  package let body: ByteBuffer

  init(
    _ kind: Kind, _ identity: BookIdentity, offset: UInt64, count: UInt16 = 0, part: UInt16 = 0, parts: UInt16 = 1,
    body: ByteBuffer = ByteBuffer()
  ) {
    self.kind = kind
    self.identity = identity
    self.offset = offset
    self.count = count
    self.part = part
    self.parts = parts
    self.body = body
  }

  /// Parses a payload. Nil if it is not a frame of this version.
  package init?(_ payload: ByteBuffer) {
    var buffer = payload
    guard
      let (version, code, count, part, parts, book, epoch, offset) = buffer.readMultipleIntegers(
        as: (UInt8, UInt8, UInt16, UInt16, UInt16, UInt64, UInt64, UInt64).self),
      version == Self.version, let kind = Kind(rawValue: code), part < parts,
      // So that no sum of an offset and a count overflows.
      epoch <= BookIdentity.maxEpoch, offset < .max / 2 + .max / 4
    else { return nil }
    self.init(
      kind, BookIdentity(epoch: epoch, book: book), offset: offset, count: count, part: part, parts: parts, body: buffer
    )
  }

  /// The age of a heartbeat.
  package var age: Duration { .milliseconds(Int64(count)) }

  /// The payload.
  package var encoded: ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: Self.headerSize + body.readableBytes)
    buffer.writeMultipleIntegers(
      Self.version, kind.rawValue, count, part, parts, identity.book, identity.epoch, offset)
    buffer.writeImmutableBuffer(body)
    return buffer
  }

  /// The messages of a whole update. They share the storage of the payload. Nil if the body is malformed.
  package var messages: [ByteBuffer]? {
    var rest = body
    var messages: [ByteBuffer] = []
    messages.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let size = rest.readInteger(as: UInt32.self), let message = rest.readSlice(length: Int(size)) else {
        return nil
      }
      messages.append(message)
    }
    return rest.readableBytes == 0 ? messages : nil
  }
}
