import NIOCore
import NIOWebSocket
import Platform

/// Assembles a client's frames into messages and checks them (RFC 6455, §5).
struct MessageAssembler {
  /// The result of one frame.
  enum Piece: Equatable {
    /// A fragment of an unfinished message.
    case part
    case text([UInt8])
    case ping(ByteBuffer)
    case pong
    /// A close frame with its code; nil if it has none.
    case close(UInt16?)
    case fault(SocketError)
  }

  /// The maximum size of a message, in bytes.
  let limit: Int
  /// The fragments of the current message so far; nil between messages.
  private(set) var fragments: ByteBuffer?

  mutating func append(_ frame: WebSocketFrame) -> Piece {
    if frame.maskKey == nil { return .fault(.unmasked) }
    if !frame.reservedBits.isEmpty { return .fault(.reserved) }
    switch frame.opcode {
    case .ping: return .ping(frame.unmaskedData)
    case .pong: return .pong
    case .connectionClose:
      var data = frame.unmaskedData
      return .close(data.readInteger(as: UInt16.self))
    case .binary: return .fault(.binary)
    case .text:
      if fragments != nil { return .fault(.fragments) }
      return append(frame.unmaskedData, isLast: frame.fin)
    case .continuation:
      guard var message = fragments.take() else { return .fault(.fragments) }
      message.writeImmutableBuffer(frame.unmaskedData)
      return append(message, isLast: frame.fin)
    default: return .fault(.reserved)
    }
  }

  private mutating func append(_ message: ByteBuffer, isLast: Bool) -> Piece {
    if message.readableBytes > limit { return .fault(.tooLarge(limit)) }
    if !isLast {
      fragments = message
      return .part
    }
    let text = Array(message.readableBytesView)
    return text.isUTF8 ? .text(text) : .fault(.notUTF8)
  }
}

/// A violation of the protocol in a client's frames. Each has a close code and a message with the remedy.
enum SocketError: Error, Hashable, CustomStringConvertible {
  case unmasked, reserved, fragments, binary, notUTF8, malformed
  /// The maximum size of a message, in bytes.
  case tooLarge(Int)

  var code: UInt16 {
    switch self {
    case .unmasked, .reserved, .fragments, .malformed: 1002
    case .binary: 1003
    case .notUTF8: 1007
    case .tooLarge: 1009
    }
  }

  var description: String {
    switch self {
    case .unmasked: "a frame is not masked: clients must mask every frame"
    case .reserved: "a frame has reserved bits or a reserved opcode: no extension was negotiated"
    case .fragments: "fragments are out of order: complete a message before the next one"
    case .binary: "a frame is binary: send JSON in text frames"
    case .notUTF8: "a text message is not valid UTF-8: encode it as UTF-8"
    case .tooLarge(let limit): "a message exceeds '\(limit)' bytes: send shorter messages"
    case .malformed: "a control frame is fragmented or too long: send one frame of at most 125 bytes"
    }
  }

  /// The reason under which the metrics count it.
  var refusal: ServerMetrics.Refusal { self == .notUTF8 || self == .binary ? .text : .frame }
}
