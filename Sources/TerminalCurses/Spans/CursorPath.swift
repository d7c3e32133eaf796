import CNCurses
import TerminalCore

/// The shortest sequences that move a terminal's cursor, for terminals that obey those of ANSI.
struct CursorPath {
  /// The cursor's position; nil if it is not known.
  var position: Size?

  /// The sequence to the upper left corner.
  static let home = Array("\u{1B}[H".utf8)

  /// Returns nil if the terminal of ncurses has other sequences.
  init?() {
    func has(_ name: String, _ value: String) -> Bool { curses_capability(name).map { String(cString: $0) } == value }
    guard has("cup", "\u{1B}[%i%p1%d;%p2%dH"), has("cuf", "\u{1B}[%p1%dC"), has("cud", "\u{1B}[%p1%dB"),
      has("cub1", "\u{8}")
    else { return nil }
  }

  /// Appends the bytes that move the cursor to a cell.
  mutating func move(to target: Size, _ bytes: inout [UInt8]) {
    defer { position = target }
    let direct = 4 + Self.digits(target.rows + 1) + Self.digits(target.columns + 1)
    if let position, position.rows <= target.rows {
      let (down, right) = (target.rows - position.rows, target.columns - position.columns)
      let relative = Self.length(down) + (right < 0 ? -right : Self.length(right))
      if relative <= direct {
        Self.append(down, UInt8(ascii: "B"), &bytes)
        if right < 0 { for _ in right..<0 { bytes.append(8) } } else { Self.append(right, UInt8(ascii: "C"), &bytes) }
        return
      }
    }
    bytes.append(0x1B)
    bytes.append(UInt8(ascii: "["))
    Self.append(target.rows + 1, &bytes)
    bytes.append(UInt8(ascii: ";"))
    Self.append(target.columns + 1, &bytes)
    bytes.append(UInt8(ascii: "H"))
  }

  private static func digits(_ number: Int) -> Int { number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : 4 }

  /// Returns the length of a relative movement by a number of cells.
  private static func length(_ cells: Int) -> Int { cells == 0 ? 0 : cells == 1 ? 3 : 3 + digits(cells) }

  private static func append(_ cells: Int, _ final: UInt8, _ bytes: inout [UInt8]) {
    if cells == 0 { return }
    bytes.append(0x1B)
    bytes.append(UInt8(ascii: "["))
    if cells > 1 { append(cells, &bytes) }
    bytes.append(final)
  }

  private static func append(_ number: Int, _ bytes: inout [UInt8]) {
    if number >= 10 { append(number / 10, &bytes) }
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}
