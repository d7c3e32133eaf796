import JSONText
import OddsFeed
import OddsModel

extension MessageDecoder {
  /// Reads the value of a known key. Numbers are also accepted as strings, because the feed sometimes sends them so
  /// (Records.md: string counters).
  @inline(__always)
  func value(_ kind: RecordField.Kind, _ cursor: inout JSONCursor, _ text: inout [UInt8]) throws(JSONError)
    -> FieldValue
  {
    switch kind {
    case .id: if let id = cursor.plainID() { return .id(id) }
    case .code: if let integer = cursor.plainInteger() { return .integer(integer) }
    case .time: if let time = cursor.plainInteger() { return Self.time(time) }
    case .fixed: if let fixed = cursor.plainFixed() { return .fixed(fixed) }
    case .flag, .text: break
    }
    return try anyValue(kind, &cursor, &text)
  }

  /// The last millisecond of the year 9999. Arithmetic on times up to it cannot overflow.
  private static let lastTime: Int64 = 253_402_300_799_999

  @inline(__always)
  private static func time(_ milliseconds: Int64) -> FieldValue {
    0...lastTime ~= milliseconds ? .integer(milliseconds) : .outOfRange
  }

  /// The longest text of a value, in bytes of UTF-8. The rest is cut off: no name is longer.
  private static let longestText = 1024

  /// Reads the value in any notation.
  @inline(never)
  private func anyValue(_ kind: RecordField.Kind, _ cursor: inout JSONCursor, _ text: inout [UInt8])
    throws(JSONError) -> FieldValue
  {
    switch cursor.peek() {
    case UInt8(ascii: "\""):
      let (bytes, escaped) = try cursor.string()
      switch kind {
      case .text:
        let start = text.count
        if bytes.count > Self.longestText {
          Self.appendBeginning(of: bytes, escaped, to: &text)
        } else if escaped {
          JSONValue.unescape(bytes, into: &text)
        } else {
          text.append(contentsOf: bytes)
        }
        return .text(TextRange(start: UInt32(start), count: UInt32(text.count - start)))
      case .id, .code, .time, .fixed, .flag:
        if escaped { return JSONValue.unescaped(bytes).withUnsafeBufferPointer { quoted(kind, $0) } }
        return quoted(kind, bytes)
      }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try cursor.skip()
      return .wrongType
    default: return scalar(kind, try cursor.bare())
    }
  }

  /// Appends the characters of a text that end within the first `longestText` bytes of its UTF-8.
  @inline(never)
  private static func appendBeginning(of bytes: UnsafeBufferPointer<UInt8>, _ escaped: Bool, to text: inout [UInt8]) {
    let start = text.count
    // A byte of UTF-8 has at most six bytes as an escape. The last character, of up to twelve, may be incomplete.
    let beginning = UnsafeBufferPointer(rebasing: bytes.prefix(6 * longestText + 12))
    if escaped { JSONValue.unescape(beginning, into: &text) } else { text.append(contentsOf: beginning) }
    var end = start + longestText
    if text.count <= end { return }
    while end > start + longestText - 3, text[end] & 0xC0 == 0x80 { end -= 1 }
    text.removeLast(text.count - end)
  }

  /// Returns the value of an id or number in quotes.
  private func quoted(_ kind: RecordField.Kind, _ bytes: UnsafeBufferPointer<UInt8>) -> FieldValue {
    switch kind {
    case .id: RawID.parse(bytes).map(FieldValue.id) ?? .wrongType
    case .code: JSONValue.integer(bytes).map(FieldValue.integer) ?? .wrongType
    case .time: JSONValue.integer(bytes).map(Self.time) ?? .wrongType
    case .fixed: JSONValue.fixed(bytes).map(FieldValue.fixed) ?? .wrongType
    case .flag, .text: .wrongType
    }
  }

  private func scalar(_ kind: RecordField.Kind, _ bytes: UnsafeBufferPointer<UInt8>) -> FieldValue {
    if bytes.first == UInt8(ascii: "n") { return bytes.elementsEqual("null".utf8) ? .null : .wrongType }
    switch kind {
    case .id: return JSONValue.integer(bytes) == nil ? .wrongType : quoted(.id, bytes)
    case .flag:
      if bytes.elementsEqual("true".utf8) { return .flag(true) }
      return bytes.elementsEqual("false".utf8) ? .flag(false) : .wrongType
    case .code, .time, .fixed, .text: return quoted(kind, bytes)
    }
  }

  /// Reads a time, a number or a string of digits. Returns nil for anything else, and for a time that is out of range.
  @inline(__always)
  func time(_ cursor: inout JSONCursor) throws(JSONError) -> Int64? {
    var text: [UInt8] = []
    guard case .integer(let time) = try value(.time, &cursor, &text) else { return nil }
    return time
  }

  /// Reads an id. Returns nil if the value is no id.
  @inline(__always)
  func id(_ cursor: inout JSONCursor) throws(JSONError) -> UInt64? {
    if let id = cursor.plainID() { return id }
    var text: [UInt8] = []
    guard case .id(let id) = try anyValue(.id, &cursor, &text) else { return nil }
    return id
  }
}
