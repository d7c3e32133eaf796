/// Cleans text of unknown origin and cuts it into cells, all of plain style.
///
/// What a terminal might obey (control characters, bidirectional overrides) or cannot show (private, unassigned and
/// invisible characters) becomes U+FFFD. A combining mark is a cell of width 0 with scalar 0 and the mark set; it
/// belongs upon the cell before. Variation selectors are left out.
package struct TextScanner: Sequence, IteratorProtocol {
  private var scalars: String.UnicodeScalarView.Iterator

  /// A scanner at the start of a text.
  package init(_ text: String) {
    scalars = text.unicodeScalars.makeIterator()
  }

  /// The next cell, or nil at the end of the text.
  package mutating func next() -> Cell? {
    while let scalar = scalars.next() {
      if scalar.isPrintableASCII { return Cell(scalar.value) }
      if scalar.isVariationSelector { continue }
      if scalar.isUnfitForScreen { return Cell(0xFFFD) }
      let width = scalar.cellWidth
      return width == 0 ? Cell(0, mark: scalar.value, width: 0) : Cell(scalar.value, width: UInt8(width))
    }
    return nil
  }
}

extension String {
  /// How many terminal cells the text takes, cleaned by `TextScanner`.
  package var cellWidth: Int {
    TextScanner(self).reduce(0) { $0 + Int($1.width) }
  }

  /// The text with what may not reach a terminal replaced, and nothing invisible in it.
  package var cleaned: String {
    var row = Row(width: cellWidth)
    row.write(self, at: 0)
    return row.description
  }
}

extension Unicode.Scalar {
  fileprivate var isPrintableASCII: Bool { 0x20..<0x7F ~= value }

  fileprivate var isVariationSelector: Bool {
    // Cheaper than the property of that name, which is asked for every scalar of a foreign name.
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
