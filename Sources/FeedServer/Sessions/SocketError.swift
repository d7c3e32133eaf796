/// A violation of the protocol in a client's frames. Each has a close code and a message with the remedy.
enum SocketError: Error, Hashable, CustomStringConvertible {
  case unmasked, reserved, fragments, binary, notUTF8, malformed, length, closeCode
  /// The maximum size of a message, in bytes.
  case tooLarge(Int)

  var code: UInt16 {
    switch self {
    case .unmasked, .reserved, .fragments, .malformed, .length, .closeCode: 1002
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
    case .notUTF8: "a text message or a close reason is not valid UTF-8: encode it as UTF-8"
    case .tooLarge(let limit): "a message exceeds '\(limit)' bytes: send shorter messages"
    case .malformed: "a control frame is fragmented or too long: send one frame of at most 125 bytes"
    case .length: "a payload length is not in its shortest form: encode it in the fewest bytes"
    case .closeCode: "a close frame has no valid code: send one such as 1000, or an empty frame"
    }
  }

  /// The reason under which the metrics count it.
  var refusal: ServerMetrics.Refusal { self == .notUTF8 || self == .binary ? .text : .frame }
}
