import Foundation

/// A second JSON decoder, based on Foundation, that shares no code with the engine's.
enum FeedJSON {
  /// The type of a key's value.
  enum Kind { case id, integer, fixed, text, flag }

  enum Value: Hashable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    /// Sent as null.
    case null
  }

  /// The prefix of a number that is read as a string, so that no id or price passes through a `Double`.
  private static let mark: Character = "\u{E000}"

  /// Returns the value of a JSON text with its numbers as marked strings, or nil if it is not JSON.
  static func parse(_ text: String) -> Any? {
    var marked: [UInt8] = []
    var (isString, isEscaped, isNumber) = (false, false, false)
    for byte in text.utf8 {
      let wasNumber = isNumber
      switch byte {
      case 0x30...0x39, 0x2B, 0x2D, 0x2E: isNumber = !isString
      case 0x45, 0x65: isNumber = wasNumber
      default: isNumber = false
      }
      if isNumber != wasNumber { marked += (isNumber ? "\"\(mark)" : "\"").utf8 }
      if !isEscaped, byte == 0x22 { isString.toggle() }
      isEscaped = isString && !isEscaped && byte == 0x5C
      marked.append(byte)
    }
    return try? JSONSerialization.jsonObject(with: Data(marked), options: .fragmentsAllowed)
  }

  /// Returns a value converted to the type of its key, or nil if it has the wrong type. Numbers may be sent as strings.
  static func value(_ raw: Any, _ kind: Kind) -> Value? {
    if raw is NSNull { return .null }
    if let flag = raw as? Bool { return kind == .flag ? .flag(flag) : nil }
    guard let string = raw as? String else { return nil }
    let isNumber = string.first == mark
    let text = isNumber ? String(string.dropFirst()) : string
    switch kind {
    case .flag: return nil
    case .text: return isNumber ? nil : .text(text)
    case .id: return text.isEmpty ? nil : .text(text)
    case .integer:
      guard let number = decimal(text), let whole = Int64("\(number)") else { return nil }
      return .number(whole)
    case .fixed:
      guard var scaled = decimal(text).map({ $0 * 10_000_000 }) else { return nil }
      var whole = Decimal()
      NSDecimalRound(&whole, &scaled, 0, scaled < 0 ? .up : .down)
      return Int64("\(whole)").map(Value.number)
    }
  }

  private static func decimal(_ text: String) -> Decimal? {
    if let whole = Int64(text) { return Decimal(whole) }
    guard text.wholeMatch(of: /-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?/) != nil, let number = Decimal(string: text),
      !number.isNaN
    else { return nil }
    return number
  }
}
