/// The Base64 encoding of RFC 4648, with padding.
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    var (bits, count): (UInt32, Int) = (0, 0)
    func digit(_ shift: Int) -> UInt8 { digits[Int(bits >> UInt32(shift) & 0x3F)] }
    for byte in bytes {
      (bits, count) = (bits << 8 | UInt32(byte), count + 1)
      guard count == 3 else { continue }
      text += [digit(18), digit(12), digit(6), digit(0)]
      (bits, count) = (0, 0)
    }
    bits <<= UInt32(8 * (3 - count))
    switch count {
    case 1: text += [digit(18), digit(12), 0x3D, 0x3D]
    case 2: text += [digit(18), digit(12), digit(6), 0x3D]
    default: break
    }
    return text
  }
}
