extension JSONCursor {
  /// Reads a plain number at the cursor, such as `2.45`, in ten-millionths. Returns nil and does not move if the number
  /// is written in another way, or has more than eight digits before or seven after the point.
  @inlinable @inline(__always)
  public mutating func plainFixed() -> Int64? {
    var position = at
    var value: UInt64 = 0
    takeDigits(&position, &value)
    let whole = position &- at
    guard whole > 0, position < end else { return nil }
    var decimals = 0
    if base[position] == UInt8(ascii: ".") {
      position &+= 1
      let first = position
      takeDigits(&position, &value)
      decimals = position &- first
      if decimals == 0 { return nil }
    }
    guard whole <= 8, decimals <= 7, position < end, Self.endsNumber(base[position]) else { return nil }
    at = position
    return Int64(truncatingIfNeeded: value) &* Self.powerOfTen(7 &- decimals)
  }

  /// Reads a whole number of at most 18 digits at the cursor. Returns nil and does not move if there is anything else.
  @inlinable @inline(__always)
  public mutating func plainInteger() -> Int64? {
    var position = at
    var value: UInt64 = 0
    if hasDigits(position) {
      value = eightDigits(position)
      position &+= 8
    }
    takeDigits(&position, &value)
    guard 1...18 ~= position &- at, position < end, Self.endsNumber(base[position]) else { return nil }
    at = position
    return Int64(truncatingIfNeeded: value)
  }

  /// Reads a quoted decimal number of at most 18 digits without a leading zero. Returns nil and does not move if there
  /// is anything else.
  @inlinable @inline(__always)
  public mutating func plainID() -> UInt64? {
    guard at < end, base[at] == UInt8(ascii: "\"") else { return nil }
    let first = at &+ 1
    var position = first
    var value: UInt64 = 0
    if hasDigits(position) {
      value = eightDigits(position)
      position &+= 8
      if hasDigits(position) {
        value = value &* 100_000_000 &+ eightDigits(position)
        position &+= 8
      }
    }
    takeDigits(&position, &value)
    let count = position &- first
    guard 1...18 ~= count, position < end, base[position] == UInt8(ascii: "\""),
      base[first] != UInt8(ascii: "0") || count == 1
    else { return nil }
    at = position &+ 1
    return value
  }

  /// Appends the digits at `position` to `value` and moves `position` past them.
  @inlinable @inline(__always)
  public func takeDigits(_ position: inout Int, _ value: inout UInt64) {
    while position < end {
      let digit = base[position] &- UInt8(ascii: "0")
      if digit > 9 { return }
      value = value &* 10 &+ UInt64(digit)
      position &+= 1
    }
  }

  @inlinable @inline(__always)
  public static func endsNumber(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte == 0x20
      || byte == 0x0D || byte == 0x0A || byte == 0x09
  }

  /// Returns ten to the power of a number from 0 to 7. A table in an array would cost an initialization check for each
  /// number read.
  @inlinable @inline(__always)
  static func powerOfTen(_ exponent: Int) -> Int64 {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    default: 10_000_000
    }
  }

  /// Returns true if the eight bytes at `position` are digits inside the text.
  @inlinable @inline(__always)
  public func hasDigits(_ position: Int) -> Bool {
    guard position &+ 8 <= end else { return false }
    let word = self.word(position)
    return (word & 0xF0F0_F0F0_F0F0_F0F0) | (((word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0) >> 4)
      == 0x3333_3333_3333_3333
  }

  /// Returns the number that the eight digits at `position` form: first combines pairs, then the four pairs.
  @inlinable @inline(__always)
  public func eightDigits(_ position: Int) -> UInt64 {
    let digits = word(position) &- 0x3030_3030_3030_3030
    let pairs = (digits &* 10 &+ (digits >> 8)) & 0x00FF_00FF_00FF_00FF
    let low = pairs & 0x0000_00FF_0000_00FF
    let high = (pairs >> 16) & 0x0000_00FF_0000_00FF
    return (low &* (100 + (1_000_000 << 32)) &+ high &* (1 + (10_000 << 32))) >> 32
  }
}
