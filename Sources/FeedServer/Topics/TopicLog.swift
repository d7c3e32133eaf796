import EveryMatrix
package import NIOCore
import Platform

/// The latest messages of a topic, encoded once for all subscribers and numbered. Numbers only grow. A dump may have a
/// greater number than the log, which has its messages later.
package final class TopicLog: Sendable {
  /// The messages that a subscriber lacks.
  enum News: Sendable {
    case none
    /// The messages up to and including number `upTo`, in order.
    case messages([ByteBuffer], upTo: UInt64)
    /// Too many messages to send each of them: a conflated message for the first part.
    case conflated(Conflation)
    /// A dump is needed: the log no longer has all messages that the subscriber lacks.
    case lost
    /// No message follows, and the subscriber's state is out of date.
    case ended
  }

  /// A range of messages to conflate. Its ends are multiples of the block, so that subscribers share ranges. `after` is
  /// the number before the oldest kept message if the multiple is less.
  struct Conflation: Hashable, Sendable {
    /// The number of the last message before the range. Requires that the subscriber's last message is from `after` up
    /// to `upTo` - 1: it gets some updates twice, and all later ones follow.
    let after: UInt64
    let upTo: UInt64
  }

  fileprivate struct Kept {
    var messages = CircularBuffer<ByteBuffer>()
    /// The memory that the messages take.
    var bytes = 0
    /// The number of the last message; 0 before the first.
    var last: UInt64 = 0
    var isEnded = false
    var conflated: [Conflation: ByteBuffer] = [:]
    var conflatedBytes = 0

    var size: Int { bytes + conflatedBytes }
  }

  /// The maximum number of conflated messages that are kept.
  private static let maxConflated = 16

  private let maxMessages: Int
  private let maxBytes: Int
  /// The number of pending messages above which they are conflated, and the size of the blocks of conflation.
  private let block: UInt64
  private let memory: LogMemory?
  private let kept = Locked(Kept())

  package convenience init(limits: ServerLimits) { self.init(limits: limits, memory: nil) }

  /// - Parameter memory: The limit that this log shares with others.
  init(limits: ServerLimits, memory: LogMemory?) {
    self.memory = memory
    maxMessages = limits.keptMessages
    maxBytes = limits.keptBytes
    block = UInt64(limits.conflatedFrom)
  }

  deinit { memory?.remove(ObjectIdentifier(self)) }

  package var last: UInt64 { kept.withLock { $0.last } }

  /// Appends messages and drops the oldest ones beyond the limits.
  package func append(_ messages: [[UInt8]]) {
    append(messages.map { ByteBuffer(bytes: $0) })
  }

  /// Appends messages that another process encoded.
  package func append(_ messages: [ByteBuffer]) {
    change { kept in
      for message in messages { kept.append(message) }
      kept.trim(maxMessages, maxBytes)
    }
  }

  /// Changes the stored messages, and counts the change of their size.
  private func change(_ body: (inout Kept) -> Void) {
    let growth = kept.withLock { kept in
      let before = kept.size
      body(&kept)
      return kept.size - before
    }
    memory?.count(growth, of: self)
  }

  /// Drops the older half of the messages' bytes. Returns the change of the size, which the caller counts.
  func dropOlderHalf() -> Int {
    kept.withLock { kept in
      let before = kept.size
      kept.trim(maxMessages, kept.bytes / 2)
      return kept.size - before
    }
  }

  /// Drops all messages. The next one has number `number` + 1, and every reader that has not all up to `number` needs a
  /// dump. `number` is not less than that of the last message.
  package func restart(after number: UInt64) { change { $0.restart(after: number) } }

  /// Ends the log, because the topic can no longer be had. Every reader gets `News.ended`.
  package func end() { kept.withLock { $0.isEnded = true } }

  var isEnded: Bool { kept.withLock { $0.isEnded } }

  /// Returns true if a reader that has the messages up to `number` gets the others one by one.
  func follows(_ number: UInt64) -> Bool {
    kept.withLock { kept in
      number <= kept.last && kept.last - number <= min(block, UInt64(kept.messages.count))
    }
  }

  /// Returns the messages after number `cursor`.
  func news(after cursor: UInt64) -> News {
    kept.withLock { kept in
      if kept.isEnded { return .ended }
      if cursor >= kept.last { return .none }
      guard kept.last - cursor <= UInt64(kept.messages.count) else { return .lost }
      let count = kept.last - cursor
      if count <= block { return .messages(Array(kept.messages.suffix(Int(count))), upTo: kept.last) }
      let first = kept.last - UInt64(kept.messages.count)
      return .conflated(Conflation(after: max(cursor / block * block, first), upTo: kept.last / block * block))
    }
  }

  /// Returns the message of a range, if it is known.
  func conflated(_ range: Conflation) -> ByteBuffer? { kept.withLock { $0.conflated[range] } }

  /// Makes one message that has the effect of a range, and keeps it for other subscribers. Returns nil if the log no
  /// longer has the range, or it cannot be conflated.
  func conflate(_ range: Conflation) -> ByteBuffer? {
    let messages: [ByteBuffer]? = kept.withLock { kept in
      let first = kept.last - UInt64(kept.messages.count)
      guard first <= range.after, range.upTo <= kept.last else { return nil }
      return Array(kept.messages.dropFirst(Int(range.after - first)).prefix(Int(range.upTo - range.after)))
    }
    guard let messages, let bytes = UpdateConflation.message(of: messages.map { Array($0.readableBytesView) }) else {
      return nil
    }
    let message = ByteBuffer(bytes: bytes)
    change { kept in
      guard kept.last - UInt64(kept.messages.count) <= range.after, range.upTo <= kept.last else { return }
      if kept.conflated.count >= Self.maxConflated, let oldest = kept.conflated.keys.min(by: { $0.upTo < $1.upTo }) {
        kept.dropConflated(oldest)
      }
      kept.dropConflated(range)
      kept.conflated[range] = message
      kept.conflatedBytes += message.keptBytes
    }
    return message
  }
}

extension TopicLog.Kept {
  fileprivate mutating func append(_ message: ByteBuffer) {
    messages.append(message)
    bytes += message.keptBytes
    last += 1
  }

  fileprivate mutating func restart(after number: UInt64) {
    messages.removeAll()
    conflated = [:]
    conflatedBytes = 0
    bytes = 0
    last = number
  }

  fileprivate mutating func trim(_ maxMessages: Int, _ maxBytes: Int) {
    while messages.count > maxMessages || bytes > maxBytes, let oldest = messages.popFirst() {
      bytes -= oldest.keptBytes
    }
    if conflated.isEmpty { return }
    let first = last - UInt64(messages.count)
    for range in conflated.keys where range.after < first { dropConflated(range) }
  }

  fileprivate mutating func dropConflated(_ range: TopicLog.Conflation) {
    conflatedBytes -= conflated.removeValue(forKey: range)?.keptBytes ?? 0
  }
}

extension ByteBuffer {
  /// The memory that a copy of the readable bytes takes: SwiftNIO allocates a power of two.
  var keptBytes: Int {
    readableBytes < 2 ? readableBytes : 1 << (Int.bitWidth - (readableBytes - 1).leadingZeroBitCount)
  }
}
