@testable import FeedServer

/// The frames of a client up to the first fault, read byte by byte from the whole stream.
struct FrameReference: Equatable {
  var frames: [ClientFrame]
  var fault: SocketError?

  init(frames: [ClientFrame], fault: SocketError? = nil) {
    self.frames = frames
    self.fault = fault
  }

  /// Reads the frames of a server that accepts messages of at most `limit` bytes. An incomplete frame at the end is
  /// ignored, unless the available part of its head has a fault.
  init(of stream: [UInt8], limit: Int) {
    self.init(frames: [])
    var rest = stream[...]
    var message: [UInt8]?
    do throws(SocketError) {
      while rest.count >= 2 {
        let bits = rest.prefix(2).flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        let (isLast, opcode) = (bits[0] == 1, Self.number(bits[4...7], base: 2))
        if bits[8] == 0 { throw .unmasked }
        if bits[1...3].contains(1) || ![0, 1, 2, 8, 9, 10].contains(opcode) { throw .reserved }
        if opcode == 2 { throw .binary }
        if opcode < 8, (opcode == 0) != (message != nil) { throw .fragments }
        var length = Self.number(bits[9...], base: 2)
        if opcode >= 8, !isLast || length > 125 { throw .malformed }
        rest = rest.dropFirst(2)
        if length > 125 {
          let (bytes, least) = length == 126 ? (2, 126) : (8, 65_536)
          if rest.count < bytes { return }
          length = Self.number(rest.prefix(bytes), base: 256)
          if length < least || length > Int.max { throw .length }
          rest = rest.dropFirst(bytes)
        }
        if opcode < 8, length + UInt128(message?.count ?? 0) > limit { throw .tooLarge(limit) }
        if rest.count < 4 + length { return }
        let (mask, masked) = (Array(rest.prefix(4)), rest.dropFirst(4).prefix(Int(length)))
        let payload = masked.enumerated().map { $1 ^ mask[$0 % 4] }
        rest = rest.dropFirst(4 + Int(length))
        switch opcode {
        case 8: frames.append(.close(try Self.closeCode(payload)))
        case 9: frames.append(.ping(payload))
        case 10: frames.append(.pong)
        default:
          message = (message ?? []) + payload
          if !isLast {
            frames.append(.part)
          } else {
            if !Self.isText(message!) { throw .notUTF8 }
            frames.append(.text(message!))
            message = nil
          }
        }
      }
    } catch { fault = error }
  }

  private static func number(_ digits: some Sequence<UInt8>, base: UInt128) -> UInt128 {
    digits.reduce(0) { $0 * base + UInt128($1) }
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    // Decoding replaces invalid UTF-8, which changes the bytes.
    Array(String(decoding: bytes, as: UTF8.self).utf8) == bytes
  }

  private static func closeCode(_ payload: [UInt8]) throws(SocketError) -> UInt16? {
    if payload.isEmpty { return nil }
    let code = payload.count == 1 ? 0 : Int(number(payload.prefix(2), base: 256))
    let isDefined = (1000...1014).contains(code) && !(1004...1006).contains(code)
    if !isDefined, !(3000..<5000).contains(code) { throw .closeCode }
    if !isText(Array(payload.dropFirst(2))) { throw .notUTF8 }
    return UInt16(code)
  }
}
