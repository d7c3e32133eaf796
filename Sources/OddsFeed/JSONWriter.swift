/// Writes JSON text into bytes, straight, without a tree. The caller keeps to the grammar; commas come by themselves.
package struct JSONWriter {
  /// What has been written.
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  package mutating func object(_ content: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    content(&self)
    close(UInt8(ascii: "}"))
  }

  package mutating func array(_ content: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "["))
    content(&self)
    close(UInt8(ascii: "]"))
  }

  package mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func string(_ text: String?) {
    guard let text else { return bare("null") }
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(contentsOf: (byte < 16 ? "0" : "").utf8)
        bytes.append(contentsOf: String(byte, radix: 16).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  package mutating func bool(_ value: Bool) { bare(value ? "true" : "false") }

  /// Odds as a JSON number with every decimal that they have.
  package mutating func odds(_ odds: DecimalOdds?) { bare(odds?.description ?? "null") }

  /// Ends a line and begins anew, for JSON lines.
  package mutating func newline() {
    bytes.append(0x0A)
    needsComma = false
  }

  /// Gives the bytes away and starts empty.
  package mutating func takeBytes() -> [UInt8] {
    defer { self = JSONWriter() }
    return bytes
  }

  private mutating func bare(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }
}
