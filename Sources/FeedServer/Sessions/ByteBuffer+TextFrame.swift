import NIOCore
import NIOWebSocket

// NB: frames are not sent by `WebSocketFrameEncoder`: an update's text is shared by all its subscribers, and only what
// stands around it differs, so the frames of one client are best laid side by side in one buffer.
extension ByteBuffer {
  /// The longest head of a frame that a server sends.
  static let longestFrameHead = 10

  /// Writes the head of a whole, unmasked frame with so many bytes.
  mutating func writeFrameHead(_ opcode: WebSocketOpcode, count: Int) {
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
  }

  /// Writes a control frame.
  mutating func writeControlFrame(_ opcode: WebSocketOpcode, _ content: some Collection<UInt8> = []) {
    writeFrameHead(opcode, count: content.count)
    writeBytes(content)
  }
}
