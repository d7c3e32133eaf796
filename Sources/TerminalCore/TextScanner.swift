/// A scanner that cleans text of unknown origin and splits it into cells of plain style.
///
/// Replaces with U+FFFD what a terminal might execute (control characters, bidirectional overrides) or cannot show
/// (private, unassigned and invisible characters). A combining mark becomes a cell of width 0 with scalar 0 and its
/// mark set; it belongs to the cell before. Omits variation selectors.
package struct TextScanner: Sequence, IteratorProtocol {
  private var scalars: String.UnicodeScalarView.Iterator

  package init(_ text: String) { scalars = text.unicodeScalars.makeIterator() }

  package mutating func next() -> Cell? {
    while let scalar = scalars.next() {
      if 0x20..<0x7F ~= scalar.value { return Cell(scalar.value) }
      if scalar.isVariationSelector { continue }
      if scalar.isUnfitForScreen { return Cell(0xFFFD) }
      let width = scalar.cellWidth
      return width == 0 ? Cell(0, mark: scalar.value, width: 0) : Cell(scalar.value, width: UInt8(width))
    }
    return nil
  }
}

extension String {
  /// The number of terminal cells of the text after cleaning by `TextScanner`.
  package var cellWidth: Int { withPrintableASCII(\.count) ?? TextScanner(self).reduce(0) { $0 + Int($1.width) } }

  /// Calls `body` with the bytes if all are printable ASCII characters, as in most texts; otherwise returns nil. Each
  /// such character takes one cell.
  @inline(__always)
  func withPrintableASCII<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
    utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { 0x20..<0x7F ~= $0 } ? body(bytes) : nil
    } ?? nil
  }

  /// The text without trailing blanks, and with U+FFFD for characters that are unsafe or invisible on a terminal.
  package var cleaned: String {
    var row = Row(width: cellWidth)
    row.write(self, at: 0)
    return row.description
  }
}

extension Unicode.Scalar {
  fileprivate var isVariationSelector: Bool {
    // Cheaper than the Unicode property, which would be read for every non-ASCII scalar.
    switch value {
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x180B...0x180D, 0x180F: true
    default: false
    }
  }

  fileprivate var isUnfitForScreen: Bool {
    switch properties.generalCategory {
    case .control, .format, .privateUse, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
