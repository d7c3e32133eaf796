import NIOCore
import NIOWebSocket

extension ByteBuffer {
  /// The longest head of a frame that a server sends.
  static let longestFrameHead = 10

  /// Writes a whole, unmasked frame of these parts.
  ///
  /// NB: frames are not sent by `WebSocketFrameEncoder`: an update's text is shared by all its subscribers, and only what
  /// stands around it differs, so the frames of one client are best laid side by side in one buffer.
  mutating func writeFrame(
    _ opcode: WebSocketOpcode = .text, _ parts: [UInt8]..., payload: ByteBuffer? = nil, end: [UInt8] = []
  ) {
    let count = parts.reduce(payload?.readableBytes ?? 0) { $0 + $1.count } + end.count
    writeInteger(0x80 | UInt8(webSocketOpcode: opcode))
    switch count {
    case ..<126: writeInteger(UInt8(count))
    case ...0xFFFF:
      writeInteger(126 as UInt8)
      writeInteger(UInt16(count))
    default:
      writeInteger(127 as UInt8)
      writeInteger(UInt64(count))
    }
    for part in parts { writeBytes(part) }
    if let payload { writeImmutableBuffer(payload) }
    writeBytes(end)
  }
}
