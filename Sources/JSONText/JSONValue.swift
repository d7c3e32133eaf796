/// Functions that decode the raw bytes of JSON strings and numbers.
public enum JSONValue {
  /// Returns a decimal number in ten-millionths, computed without floating point. Nil if the bytes are no number or the
  /// value does not fit. Decimals after the seventh are cut off, before any exponent is applied.
  public static func fixed(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? { decimal(bytes, decimals: 7) }

  /// Returns a whole number. Nil if the bytes are no whole number; a fraction of zeros is allowed (`3.0`, `30e-1`).
  public static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? { decimal(bytes, decimals: 0) }

  /// Returns the number times ten to the power `decimals`, computed without `Double`.
  private static func decimal(_ bytes: UnsafeBufferPointer<UInt8>, decimals: Int) -> Int64? {
    var at = 0
    let negative = bytes.first == UInt8(ascii: "-")
    if negative { at = 1 }
    var mantissa: Int64 = 0
    var scale = decimals
    var digits = 0
    var fraction = false
    scan: while at < bytes.count {
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits += 1
        if fraction {
          if scale <= 0 {
            if decimals == 0, byte != UInt8(ascii: "0") { return nil }
            break
          }
          scale -= 1
        }
        let (tens, over) = mantissa.multipliedReportingOverflow(by: 10)
        let (sum, more) = tens.addingReportingOverflow(Int64(byte &- UInt8(ascii: "0")))
        if over || more { return nil }
        mantissa = sum
      case UInt8(ascii: "."):
        if fraction || digits == 0 { return nil }
        fraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard digits > 0, let power = exponent(bytes, from: at + 1) else { return nil }
        return shift(mantissa, by: scale + power, negative, isWhole: decimals == 0)
      default: return nil
      }
      at += 1
    }
    return digits == 0 ? nil : shift(mantissa, by: scale, negative, isWhole: decimals == 0)
  }

  private static func exponent(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let power = Int(String(decoding: bytes[start...], as: UTF8.self)), -64...64 ~= power else { return nil }
    return power
  }

  /// Returns the mantissa times ten to the power. Cuts off a fraction, or returns nil for one if `isWhole` is true.
  private static func shift(_ mantissa: Int64, by power: Int, _ negative: Bool, isWhole: Bool) -> Int64? {
    var value = mantissa
    for _ in 0..<max(0, power) {
      let (next, over) = value.multipliedReportingOverflow(by: 10)
      if over { return nil }
      value = next
    }
    for _ in 0..<max(0, -power) {
      if isWhole, value % 10 != 0 { return nil }
      value /= 10
    }
    return negative ? -value : value
  }

  /// Returns the UTF-8 of a string's raw bytes with its escapes decoded. Invalid `\u` escapes become U+FFFD.
  public static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    unescape(bytes, into: &text)
    return text
  }

  /// Appends the UTF-8 of a string's raw bytes with its escapes decoded. Invalid `\u` escapes become U+FFFD.
  public static func unescape(_ bytes: UnsafeBufferPointer<UInt8>, into out: inout [UInt8]) {
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      guard byte == UInt8(ascii: "\\"), at < bytes.count else {
        out.append(byte)
        continue
      }
      let letter = bytes[at]
      at += 1
      switch letter {
      case UInt8(ascii: "n"): out.append(0x0A)
      case UInt8(ascii: "t"): out.append(0x09)
      case UInt8(ascii: "r"): out.append(0x0D)
      case UInt8(ascii: "b"): out.append(0x08)
      case UInt8(ascii: "f"): out.append(0x0C)
      case UInt8(ascii: "u"): out.append(contentsOf: String(scalar(bytes, &at)).utf8)
      default: out.append(letter)
      }
    }
  }

  /// Reads the scalar after `\u`, including the second half of a surrogate pair.
  private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Unicode.Scalar {
    guard let high = hex(bytes, at) else { return "\u{FFFD}" }
    at += 4
    if let whole = Unicode.Scalar(high) { return whole }
    guard high < 0xDC00, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u"),
      let low = hex(bytes, at + 2), low & 0xFC00 == 0xDC00
    else { return "\u{FFFD}" }
    at += 6
    return Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + low & 0x3FF) ?? "\u{FFFD}"
  }

  private static func hex(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> UInt32? {
    // NB: Swift's parser takes a sign, too.
    guard at + 4 <= bytes.count, bytes[at] != UInt8(ascii: "+"), bytes[at] != UInt8(ascii: "-") else { return nil }
    return UInt32(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16)
  }
}
