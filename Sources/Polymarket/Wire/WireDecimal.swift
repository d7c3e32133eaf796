import JSONText

/// Decimal numbers as Polymarket writes them: in quotes or not, with or without a digit before the point.
enum WireDecimal {
  /// Steps over one value. Returns it in ten-millionths; nil if it is empty, negative or no number, or does not fit.
  static func read(_ cursor: inout JSONCursor) throws(JSONError) -> Int64? {
    switch cursor.peek() {
    case UInt8(ascii: "\""): return units(try cursor.string().bytes)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try cursor.skip()
      return nil
    default: return units(try cursor.bare())
    }
  }

  /// Returns a number in ten-millionths: `0.48` and `.48` are 4,800,000. Further decimals are cut off.
  static func units(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard bytes.first == UInt8(ascii: ".") else {
      guard let value = JSONValue.fixed(bytes), value >= 0 else { return nil }
      return value
    }
    guard bytes.count > 1, bytes.dropFirst().allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    var value: Int64 = 0
    for index in 1...7 {
      value = value * 10 + (index < bytes.count ? Int64(bytes[index] - UInt8(ascii: "0")) : 0)
    }
    return value
  }
}
