/// The FNV-1a hash: stable across processes, not resistant to attacks.
package struct FNV1aHash {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }

  /// The hash as 16 hexadecimal digits.
  package var hex: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
