import NIOCore
import OddsFeed
import Platform

/// The content of a client's frame.
enum ClientFrame: Equatable {
  /// A fragment of an unfinished message.
  case part
  /// A whole message, with its last frame.
  case text([UInt8])
  case ping([UInt8])
  case pong
  /// A close frame with its code, which is valid; nil if it has none.
  case close(UInt16?)
}

/// Decodes and checks a client's frames (RFC 6455, §5), and assembles fragments into messages.
///
/// A frame is refused as soon as its head shows the error, before its payload arrives. After an error, nothing is
/// decoded.
///
/// NB: NIO's `WebSocketFrameDecoder` accepts lengths that are not in their shortest form, and does not report them.
struct ClientFrameDecoder: NIOSingleStepByteToMessageDecoder {
  typealias InboundOut = ClientFrame

  private enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= Self.close.rawValue }
  }

  private struct Head {
    let opcode: Opcode
    let isLast: Bool
    /// The size of the payload, in bytes.
    let count: Int
    /// The four bytes of the mask, in the order in which they arrived.
    let mask: UInt32
  }

  /// The maximum size of a message, in bytes.
  private let limit: Int
  /// The head of the frame whose payload has not arrived.
  private var head: Head?
  /// The fragments of the current message so far; nil between messages.
  private var fragments: [UInt8]?

  /// Creates a decoder that accepts messages of at most `limit` bytes.
  init(limit: Int) { self.limit = limit }

  /// - Throws: A `SocketError`.
  mutating func decode(buffer: inout ByteBuffer) throws -> ClientFrame? {
    if head == nil { head = try readHead(&buffer) }
    guard let head, let payload = buffer.readSlice(length: head.count) else { return nil }
    self.head = nil
    return try frame(head, payload.unmasked(head.mask))
  }

  mutating func decodeLast(buffer: inout ByteBuffer, seenEOF: Bool) throws -> ClientFrame? {
    try decode(buffer: &buffer)
  }

  /// Reads and checks a head. Returns nil, and reads nothing, if the head has not arrived completely.
  private func readHead(_ buffer: inout ByteBuffer) throws(SocketError) -> Head? {
    var rest = buffer
    guard let first = rest.readInteger(as: UInt8.self), let second = rest.readInteger(as: UInt8.self) else {
      return nil
    }
    if second & 0x80 == 0 { throw .unmasked }
    guard first & 0x70 == 0, let opcode = Opcode(rawValue: first & 0x0F) else { throw .reserved }
    let (isLast, length) = (first & 0x80 != 0, second & 0x7F)
    switch opcode {
    case .close, .ping, .pong: if !isLast || length > 125 { throw .malformed }
    case .binary: throw .binary
    case .text: if fragments != nil { throw .fragments }
    case .continuation: if fragments == nil { throw .fragments }
    }
    guard let count = try Self.readLength(length, &rest) else { return nil }
    if !opcode.isControl, count > limit - (fragments?.count ?? 0) { throw .tooLarge(limit) }
    guard let mask = rest.readInteger(endianness: .host, as: UInt32.self) else { return nil }
    buffer = rest
    return Head(opcode: opcode, isLast: isLast, count: count, mask: mask)
  }

  /// Reads the length of a payload, of which `first` are the seven bits in the second byte of the head.
  private static func readLength(_ first: UInt8, _ buffer: inout ByteBuffer) throws(SocketError) -> Int? {
    switch first {
    case 126:
      guard let length = buffer.readInteger(as: UInt16.self) else { return nil }
      if length < 126 { throw .length }
      return Int(length)
    case 127:
      guard let length = buffer.readInteger(as: UInt64.self) else { return nil }
      guard length > 0xFFFF, let count = Int(exactly: length) else { throw .length }
      return count
    default: return Int(first)
    }
  }

  private mutating func frame(_ head: Head, _ payload: [UInt8]) throws(SocketError) -> ClientFrame {
    switch head.opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong
    case .close: return try Self.close(payload)
    case .text, .binary, .continuation:
      var message = fragments.take() ?? []
      if message.isEmpty { message = payload } else { message += payload }
      if !head.isLast {
        fragments = message
        return .part
      }
      if !message.isUTF8 { throw .notUTF8 }
      return .text(message)
    }
  }

  private static func close(_ payload: [UInt8]) throws(SocketError) -> ClientFrame {
    if payload.isEmpty { return .close(nil) }
    guard payload.count > 1 else { throw .closeCode }
    let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
    if !CloseCode.isValid(code) { throw .closeCode }
    if !Array(payload[2...]).isUTF8 { throw .notUTF8 }
    return .close(code)
  }
}

extension ByteBuffer {
  /// Returns the readable bytes without their mask.
  fileprivate func unmasked(_ mask: UInt32) -> [UInt8] {
    // NB: An array without capacity is shared by the process, and its initializer writes to it.
    if readableBytes == 0 { return [] }
    let mask = UInt64(mask) << 32 | UInt64(mask)
    return withUnsafeReadableBytes { bytes in
      [UInt8](unsafeUninitializedCapacity: bytes.count) { result, count in
        let output = UnsafeMutableRawBufferPointer(result)
        let words = bytes.count & ~7
        for index in stride(from: 0, to: words, by: 8) {
          let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          output.storeBytes(of: word ^ mask, toByteOffset: index, as: UInt64.self)
        }
        withUnsafeBytes(of: mask) { for index in words..<bytes.count { output[index] = bytes[index] ^ $0[index & 7] } }
        count = bytes.count
      }
    }
  }
}
