package import NIOCore

extension FeedFrame {
  /// The reason why a book does not send a dump.
  ///
  /// On the wire a code (1 byte) and, for some, a value:
  ///
  /// | code | value |
  /// |---|---|
  /// | 1 | nothing for `unknown`; the text in UTF-8 for `refused` |
  /// | 2 | nothing for `busy`; the limit (4 bytes, big-endian) for `tooMany` |
  /// | 3 | nothing, for `expired` |
  /// | 4 | nothing, for `lost` |
  package enum Refusal: Hashable, Sendable {
    /// The book does not have the topic.
    case unknown
    /// The upstream feed, or the book itself, refuses the topic. The associated value is the reason.
    case refused(String)
    /// The book has no state of the topic at the moment, or the upstream feed is busy.
    case busy
    /// The book has as many topics open as it may. The associated value is the limit.
    case tooMany(Int)
    /// The book does not have that dump any more: ask for another one.
    case expired
    /// The upstream feed does not serve the topic at the moment.
    case lost

    /// The maximum number of characters of a reason.
    private static let maxReason = 300

    /// Parses the body of a frame. A code that is not known counts as `busy`.
    package init(_ body: ByteBuffer) {
      var rest = body
      switch rest.readInteger(as: UInt8.self) {
      case 1:
        let reason = String(buffer: rest).prefix(Self.maxReason)
        self = reason.isEmpty ? .unknown : .refused(String(reason))
      case 2: self = rest.readInteger(as: UInt32.self).map { .tooMany(Int($0)) } ?? .busy
      case 3: self = .expired
      case 4: self = .lost
      default: self = .busy
      }
    }

    package var encoded: ByteBuffer {
      switch self {
      case .unknown: return ByteBuffer(integer: 1 as UInt8)
      case .refused(let reason):
        var body = ByteBuffer(integer: 1 as UInt8)
        body.writeString(String(reason.prefix(Self.maxReason)))
        return body
      case .busy: return ByteBuffer(integer: 2 as UInt8)
      case .tooMany(let limit):
        var body = ByteBuffer(integer: 2 as UInt8)
        body.writeInteger(UInt32(clamping: limit))
        return body
      case .expired: return ByteBuffer(integer: 3 as UInt8)
      case .lost: return ByteBuffer(integer: 4 as UInt8)
      }
    }
  }
}
