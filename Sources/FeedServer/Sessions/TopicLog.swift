import NIOCore
import Platform

/// The last messages of a topic, encoded once for all its subscribers, each with its number: 1, 2, ….
final class TopicLog: Sendable {
  /// What a subscriber has to be sent.
  enum News: Sendable {
    case none
    /// The messages up to that number, in order.
    case messages([ByteBuffer], upTo: UInt64)
    /// It is so far behind that messages are gone.
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

  /// The number of the last message; 0 before the first.
  var last: UInt64 { kept.withLock { $0.last } }

  /// Takes messages in, and gives up the oldest beyond the bounds.
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

  /// What comes after a message that a subscriber has.
  func news(after cursor: UInt64) -> News {
    kept.withLock { kept in
      guard cursor < kept.last else { return .none }
      let count = kept.last - cursor
      guard count <= UInt64(kept.messages.count) else { return .lost }
      return .messages(Array(kept.messages.suffix(Int(count))), upTo: kept.last)
    }
  }
}
