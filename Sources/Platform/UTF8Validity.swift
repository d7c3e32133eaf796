extension [UInt8] {
  /// True if the bytes are UTF-8, as in a text frame (RFC 6455, §8.1). ASCII is checked first, because that is fast.
  package var isUTF8: Bool { allSatisfy { $0 < 0x80 } || String(validating: self, as: UTF8.self) != nil }
}
