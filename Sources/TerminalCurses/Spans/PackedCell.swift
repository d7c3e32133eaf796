import TerminalCore

/// A simple cell in a word: one narrow character without marks, which every terminal shows in one cell. All other cells
/// have one value, which says nothing of them.
struct PackedCell: Equatable {
  private let raw: UInt32

  static let notSimple = PackedCell(raw: .max)
  /// The number of styles. Their indices are from 0.
  static let styleCount = Style.Role.allCases.count * Style.Background.allCases.count

  // A scalar has 21 bits.
  private static let styleShift = UInt32(21)
  private static let roleCount = UInt32(Style.Role.allCases.count)

  private init(raw: UInt32) { self.raw = raw }

  /// Packs a cell of a terminal with a character set.
  @inline(__always)
  init(_ cell: Cell, _ glyphs: GlyphSet) {
    guard cell.width == 1, cell.mark == 0, Self.isSimple(cell.scalar, glyphs) else {
      self = .notSimple
      return
    }
    let style = UInt32(cell.style.ground.rawValue) * Self.roleCount + UInt32(cell.style.role.rawValue)
    raw = cell.scalar | style << Self.styleShift
  }

  var isSimple: Bool { self != .notSimple }
  /// The index of the style.
  var style: Int { Int(raw >> Self.styleShift) }
  var isASCII: Bool { scalar < 0x80 }
  var scalar: UInt32 { raw & (1 << Self.styleShift - 1) }
  var cell: Cell { Cell(scalar, style: Self.style(style)) }

  static func style(_ index: Int) -> Style {
    let (ground, role) = index.quotientAndRemainder(dividingBy: Style.Role.allCases.count)
    return Style(Style.Role.allCases[role], on: Style.Background.allCases[ground])
  }

  /// True for ASCII, and in UTF-8 for Latin letters and for the symbols that the board draws: arrows, lines, blocks and
  /// shapes.
  @inline(__always)
  static func isSimple(_ scalar: UInt32, _ glyphs: GlyphSet) -> Bool {
    if 0x20..<0x7F ~= scalar { return true }
    return glyphs == .unicode && (0xC0..<0x250 ~= scalar || 0x2500..<0x2600 ~= scalar)
  }

  /// Appends the character in UTF-8.
  @inline(__always)
  func append(to bytes: inout [UInt8]) {
    func part(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: scalar >> shift & 0x3F | 0x80) }
    if scalar < 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: scalar))
    } else if scalar < 0x800 {
      bytes.append(UInt8(truncatingIfNeeded: scalar >> 6 | 0xC0))
      bytes.append(part(0))
    } else {
      bytes.append(UInt8(truncatingIfNeeded: scalar >> 12 | 0xE0))
      bytes.append(part(6))
      bytes.append(part(0))
    }
  }
}
