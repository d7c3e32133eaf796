/// A writer of JSON into bytes. It inserts commas; the caller is responsible for names and nesting.
package struct JSONWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Writes an object: a field if it has a name, otherwise an element.
  package mutating func object(_ name: StaticString? = nil, _ write: (inout JSONWriter) -> Void) {
    if let name { key(name) } else { separate() }
    open("{")
    write(&self)
    close("}")
  }

  /// Writes an array: a field if it has a name, otherwise an element.
  package mutating func array(_ name: StaticString? = nil, _ write: (inout JSONWriter) -> Void) {
    if let name { key(name) } else { separate() }
    open("[")
    write(&self)
    close("]")
  }

  package mutating func field(_ name: StaticString, _ value: StaticString) {
    key(name)
    quote()
    raw(value)
    quote()
  }

  package mutating func field(_ name: StaticString, _ value: String) {
    key(name)
    text(value)
  }

  private mutating func text(_ value: String) {
    quote()
    var value = value
    value.withUTF8 { text in
      var at = 0
      while at < text.count {
        // Terminals may interpret U+0080 to U+009F as control characters.
        if text[at] == 0xC2, text[at + 1] < 0xA0 {
          control(text[at + 1])
          at += 2
        } else {
          escape(text[at])
          at += 1
        }
      }
    }
    quote()
  }

  /// Writes an id as a quoted number, because it may exceed 2^53.
  package mutating func field(_ name: StaticString, id: Int64) {
    key(name)
    quote()
    digits(id)
    quote()
  }

  package mutating func field(_ name: StaticString, optional value: String?) {
    if let value { field(name, value) } else { null(name) }
  }

  /// Writes a number that is already formatted as JSON, or null. Not validated.
  package mutating func field(_ name: StaticString, number text: String?) {
    key(name)
    bytes.append(contentsOf: (text ?? "null").utf8)
  }

  package mutating func field(_ name: StaticString, _ value: Int64) {
    key(name)
    digits(value)
  }

  package mutating func field(_ name: StaticString, _ value: Bool) {
    key(name)
    raw(value ? "true" : "false")
  }

  /// Writes a field copied from another JSON text, with its name given without quotes. Not validated.
  package mutating func field(copying name: some Sequence<UInt8>, _ value: some Sequence<UInt8>) {
    separate()
    quote()
    bytes.append(contentsOf: name)
    quote()
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: value)
  }

  /// Writes an element copied from another JSON text. Not validated.
  package mutating func element(copying value: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: value)
  }

  package mutating func null(_ name: StaticString) {
    key(name)
    raw("null")
  }

  // Elements of an array.

  package mutating func element(_ value: Int64) {
    separate()
    digits(value)
  }

  package mutating func element(_ value: String) {
    separate()
    text(value)
  }

  /// Writes JSON as given. Not validated.
  package mutating func element(json: StaticString) {
    separate()
    raw(json)
  }

  /// Writes a number with up to two decimals and no trailing zeros: 250 becomes 2.5, 300 becomes 3.
  package mutating func field(_ name: StaticString, hundredths: Int64) {
    key(name)
    if hundredths < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
    digits(whole)
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    bytes.append(UInt8(ascii: "0") + UInt8(rest / 10))
    if rest % 10 > 0 { bytes.append(UInt8(ascii: "0") + UInt8(rest % 10)) }
  }

  /// Opens an array that is written in several steps; `closeArray()` must follow.
  package mutating func openArray() { open("[") }
  package mutating func closeArray() { close("]") }
  package mutating func openObject() { open("{") }
  package mutating func closeObject() { close("}") }

  /// Ends a JSON text with a newline, for JSON lines.
  package mutating func newline() {
    bytes.append(0x0A)
    needsComma = false
  }

  package mutating func key(_ name: StaticString) {
    separate()
    quote()
    raw(name)
    quote()
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  private mutating func quote() { bytes.append(UInt8(ascii: "\"")) }

  private mutating func raw(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case ..<0x20, 0x7F: control(byte)
    default: bytes.append(byte)
    }
  }

  private mutating func control(_ byte: UInt8) {
    bytes.append(contentsOf: "\\u00".utf8)
    bytes.append(contentsOf: [byte / 16, byte % 16].map { $0 < 10 ? $0 + 48 : $0 + 87 })
  }

  private mutating func digits(_ value: Int64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var start = buffer.endIndex
      var rest = value.magnitude
      repeat {
        start -= 1
        buffer[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if value < 0 {
        start -= 1
        buffer[start] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start...]))
    }
  }
}
