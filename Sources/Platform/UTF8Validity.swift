extension [UInt8] {
  /// Whether the bytes are UTF-8, as a text frame's have to be (RFC 6455, §8.1). Most are ASCII, which costs little to see.
  package var isUTF8: Bool { allSatisfy { $0 < 0x80 } || String(validating: self, as: UTF8.self) != nil }
}
