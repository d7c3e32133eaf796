import NIOCore
import Platform

/// The latest messages of a topic, encoded once for all subscribers and numbered from 1.
final class TopicLog: Sendable {
  /// The messages that a subscriber lacks.
  enum News: Sendable {
    case none
    /// The messages up to and including number `upTo`, in order.
    case messages([ByteBuffer], upTo: UInt64)
    /// The subscriber is too far behind: the log no longer has all messages it lacks.
    case lost
  }

  private struct Kept {
    var messages = CircularBuffer<ByteBuffer>()
    var bytes = 0
    /// The number of the last message; 0 before the first.
    var last: UInt64 = 0
  }

  private let mostMessages: Int
  private let mostBytes: Int
  private let kept = Locked(Kept())

  init(limits: ServerLimits) {
    mostMessages = limits.keptMessages
    mostBytes = limits.keptBytes
  }

  var last: UInt64 { kept.withLock { $0.last } }

  /// Appends messages and drops the oldest ones beyond the limits.
  func append(_ messages: [[UInt8]]) {
    kept.withLock { kept in
      for message in messages {
        kept.messages.append(ByteBuffer(bytes: message))
        kept.bytes += message.count
      }
      kept.last += UInt64(messages.count)
      while kept.messages.count > mostMessages || kept.bytes > mostBytes, let oldest = kept.messages.popFirst() {
        kept.bytes -= oldest.readableBytes
      }
    }
  }

  /// Returns the messages after number `cursor`.
  func news(after cursor: UInt64) -> News {
    kept.withLock { kept in
      guard cursor < kept.last else { return .none }
      let count = kept.last - cursor
      guard count <= UInt64(kept.messages.count) else { return .lost }
      return .messages(Array(kept.messages.suffix(Int(count))), upTo: kept.last)
    }
  }
}
