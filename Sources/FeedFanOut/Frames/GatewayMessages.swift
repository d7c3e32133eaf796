package import NIOCore
package import OddsModel

/// A request of a gateway for one part of a topic's dump. It opens the topic at the book.
///
/// Integers are big-endian: version (1 byte), gateway (8), serial (8), number of the dump (8), part (2), minimum (8), a
/// byte 1 if the topic is being opened or 2 if the dump is for a list, then the path.
/// A dump is fetched part by part, a few at a time, so that it is never faster than the gateway reads: NATS disconnects
/// a client that lets 64 MB wait.
package struct DumpRequest: Hashable, Sendable {
  package let topic: Topic
  /// The random number of the gateway's process.
  package let gateway: UInt64
  /// Increases with each message of the gateway. See `InterestAnnouncement`.
  package let serial: UInt64
  /// The number that the first answer gave to the dump; 0 for a new one.
  package let dump: UInt64
  package let part: UInt16
  /// The offset of a message that a new dump must include.
  package let minimum: UInt64
  /// True if the gateway has just subscribed to the updates, so that a new dump must include all messages so far.
  package let isOpening: Bool
  /// True if the dump is for a list: it is built after the others.
  package let isForList: Bool

  /// True if the gateway receives the updates of the topic, and not only this dump.
  package var isFollowed: Bool { isOpening || minimum > 0 }

  init(
    _ topic: Topic, gateway: UInt64, serial: UInt64, dump: UInt64 = 0, part: UInt16 = 0, minimum: UInt64 = 0,
    isOpening: Bool = false, isForList: Bool = false
  ) {
    self.topic = topic
    self.gateway = gateway
    self.serial = serial
    self.dump = dump
    self.part = part
    self.minimum = minimum
    self.isOpening = isOpening
    self.isForList = isForList
  }

  /// Parses a payload. Nil if it is too short or of another version.
  package init?(_ payload: ByteBuffer) {
    var buffer = payload
    guard
      let (version, gateway, serial, dump, part, minimum, kind) = buffer.readMultipleIntegers(
        as: (UInt8, UInt64, UInt64, UInt64, UInt16, UInt64, UInt8).self),
      version == FeedFrame.version
    else { return nil }
    self.init(
      Topic(path: String(buffer: buffer)), gateway: gateway, serial: serial, dump: dump, part: part, minimum: minimum,
      isOpening: kind == 1, isForList: kind == 2)
  }

  package var encoded: ByteBuffer {
    var buffer = ByteBuffer()
    let kind: UInt8 = isOpening ? 1 : isForList ? 2 : 0
    buffer.writeMultipleIntegers(FeedFrame.version, gateway, serial, dump, part, minimum, kind)
    buffer.writeString(topic.path)
    return buffer
  }
}

/// The topics that a gateway has open. A book that hears nothing of a gateway for 15 s forgets what it had open.
///
/// Announcements and dump requests may overtake each other. The book compares their serials: an announcement closes no
/// topic that a later request has opened.
///
/// Integers are big-endian: version (1 byte), gateway (8), serial (8), a byte 1 if `topics` is the whole set or 0 if it
/// is those that were closed, and for each topic the length of its path (2 bytes) and the path.
package struct InterestAnnouncement: Hashable, Sendable {
  package let gateway: UInt64
  package let serial: UInt64
  /// True if the gateway has exactly `topics` open. False if it closed them.
  package let isWhole: Bool
  package let topics: Set<Topic>

  package init(gateway: UInt64, serial: UInt64, isWhole: Bool, topics: Set<Topic>) {
    self.gateway = gateway
    self.serial = serial
    self.isWhole = isWhole
    self.topics = topics
  }

  /// Parses a payload. Nil if it is cut short or of another version.
  package init?(_ payload: ByteBuffer) {
    var buffer = payload
    guard let (version, gateway, serial, whole) = buffer.readMultipleIntegers(as: (UInt8, UInt64, UInt64, UInt8).self),
      version == FeedFrame.version
    else { return nil }
    var topics: Set<Topic> = []
    while buffer.readableBytes > 0 {
      guard let size = buffer.readInteger(as: UInt16.self), let path = buffer.readString(length: Int(size)) else {
        return nil
      }
      topics.insert(Topic(path: path))
    }
    self.init(gateway: gateway, serial: serial, isWhole: whole == 1, topics: topics)
  }

  package var encoded: ByteBuffer {
    var buffer = ByteBuffer()
    buffer.writeMultipleIntegers(FeedFrame.version, gateway, serial, isWhole ? 1 as UInt8 : 0)
    for topic in topics {
      buffer.writeInteger(UInt16(clamping: topic.path.utf8.count))
      buffer.writeBytes(topic.path.utf8.prefix(Int(UInt16.max)))
    }
    return buffer
  }
}
