import NIOCore
import NIOWebSocket

// NB: Frames are not encoded by `WebSocketFrameEncoder`: all subscribers share the text of an update, and only the
// bytes around it differ. Encoding here writes the frames of one client side by side into one buffer.
extension ByteBuffer {
  /// The maximum length of the head of a server's frame, in bytes.
  static let longestFrameHead = 10

  /// Writes the head of an unfragmented, unmasked frame with a payload of `count` bytes.
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

  mutating func writeControlFrame(_ opcode: WebSocketOpcode, _ content: some Collection<UInt8> = []) {
    writeFrameHead(opcode, count: content.count)
    writeBytes(content)
  }
}
