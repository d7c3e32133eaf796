extension MessageDecoder {
  /// The value of a known key, as that key's kind; numbers are taken from strings too, as the feed now and then
  /// sends them so (FEED.md §3: string counters).
  func value(_ kind: WireField.Kind, _ cursor: inout JSONCursor, _ texts: inout [String]) throws(JSONCursor.Fault)
    -> WireValue
  {
    switch cursor.peek() {
    case UInt8(ascii: "\""):
      let (bytes, escaped) = try cursor.string()
      switch kind {
      case .text:
        texts.append(JSONValue.text(bytes, escaped: escaped))
        return .text(texts.count - 1)
      case .id: return RawID.parse(bytes).map(WireValue.id) ?? .wrongType
      case .code, .time: return JSONValue.integer(bytes).map(WireValue.integer) ?? .wrongType
      case .fixed: return JSONValue.fixed(bytes).map(WireValue.fixed) ?? .wrongType
      case .flag: return .wrongType
      }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try cursor.skip()
      return .wrongType
    default: return scalar(kind, try cursor.bare())
    }
  }

  private func scalar(_ kind: WireField.Kind, _ bytes: UnsafeBufferPointer<UInt8>) -> WireValue {
    if bytes.first == UInt8(ascii: "n") { return bytes.elementsEqual("null".utf8) ? .null : .wrongType }
    switch kind {
    case .id: return JSONValue.integer(bytes) == nil ? .wrongType : RawID.parse(bytes).map(WireValue.id) ?? .wrongType
    case .code, .time: return JSONValue.integer(bytes).map(WireValue.integer) ?? .wrongType
    case .fixed: return JSONValue.fixed(bytes).map(WireValue.fixed) ?? .wrongType
    case .flag:
      if bytes.elementsEqual("true".utf8) { return .flag(true) }
      return bytes.elementsEqual("false".utf8) ? .flag(false) : .wrongType
    case .text: return .wrongType
    }
  }

  /// A time as a number or a string of digits; nil for anything else.
  func time(_ cursor: inout JSONCursor) throws(JSONCursor.Fault) -> Int64? {
    var texts: [String] = []
    guard case .integer(let time) = try value(.time, &cursor, &texts) else { return nil }
    return time
  }

  func id(_ cursor: inout JSONCursor) throws(JSONCursor.Fault) -> UInt64? {
    var texts: [String] = []
    guard case .id(let id) = try value(.id, &cursor, &texts) else { return nil }
    return id
  }

  /// Nil for a change that nobody has seen yet: better passed over than guessed.
  func changeKind(_ cursor: inout JSONCursor) throws(JSONCursor.Fault) -> ChangeKind? {
    guard cursor.peek() == UInt8(ascii: "\"") else {
      try cursor.skip()
      return nil
    }
    return changes[try cursor.string().bytes]
  }

  func entityKind(_ cursor: inout JSONCursor) throws(JSONCursor.Fault) -> EntityKind {
    guard cursor.peek() == UInt8(ascii: "\"") else {
      try cursor.skip()
      return .other
    }
    return kinds[try cursor.string().bytes] ?? .other
  }
}
