/// A number of bytes, written as `500MB`, `1GB` or `2TB`.
struct ByteSize: Hashable, CustomStringConvertible {
  private static let units: [(text: String, bytes: Int64)] = [
    ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000),
  ]
  private static let range: ClosedRange<Int64> = 10_000_000...100_000_000_000_000

  let bytes: Int64

  init(_ bytes: Int64) { self.bytes = bytes }

  /// Parses a size; nil if the text is none between 10 MB and 100 TB.
  init?(text: String) {
    let upper = text.uppercased()
    guard let unit = Self.units.first(where: { upper.hasSuffix($0.text) }),
      let count = Int64(upper.dropLast(2)), case (let bytes, false) = count.multipliedReportingOverflow(by: unit.bytes),
      Self.range.contains(bytes)
    else { return nil }
    self.bytes = bytes
  }

  var description: String {
    let unit = Self.units.first { bytes.isMultiple(of: $0.bytes) } ?? Self.units[2]
    return "\(bytes / unit.bytes)\(unit.text)"
  }
}
