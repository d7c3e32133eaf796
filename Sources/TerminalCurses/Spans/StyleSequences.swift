import CNCurses
import TerminalCore

/// The bytes that switch between the styles of a theme, as ncurses sends them, prepared once.
struct StyleSequences {
  /// The bytes from ordinary text to each style, and back, by the index of the style.
  private var on: [[UInt8]] = [], off: [[UInt8]] = []
  /// True for each style that differs from ordinary text only in the colour of the text.
  private var isOnlyColored: [Bool] = []

  /// Returns nil if a style takes too many bytes to prepare. ncurses must know the pairs of the table.
  init?(_ table: StyleTable, _ substitution: ColorSubstitution) {
    for index in 0..<PackedCell.styleCount {
      let look = table[PackedCell.style(index)]
      guard let on = Self.bytes(look, on: true, substitution), let off = Self.bytes(look, on: false, substitution)
      else { return nil }
      self.on.append(on)
      self.off.append(off)
      let pair = look.pair > 0 ? table.pairs[Int(look.pair) - 1] : .init(foreground: -1, background: -1)
      isOnlyColored.append(look.attributes == 0 && pair.background == -1 && pair.foreground != -1)
    }
  }

  /// Appends the bytes that switch from one style to another; nil is ordinary text.
  func append(from old: Int?, to new: Int?, to bytes: inout [UInt8]) {
    if old == new { return }
    // The next colour replaces the last one.
    let isReplaced = old.map { isOnlyColored[$0] } ?? false && new.map { isOnlyColored[$0] } ?? false
    if let old, !isReplaced { bytes += off[old] }
    if let new { bytes += on[new] }
  }

  private static func bytes(_ look: StyleTable.Appearance, on: Bool, _ substitution: ColorSubstitution) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes {
      Int(curses_style_bytes(look.attributes, look.pair, on, $0.baseAddress!.assumingMemoryBound(to: CChar.self)))
    }
    guard count >= 0 else { return nil }
    let left = bytes.withUnsafeMutableBufferPointer {
      FrameCompactor.compact(UnsafeMutableBufferPointer(rebasing: $0[..<count]))
    }
    bytes.removeSubrange(left...)
    return substitution.isEmpty ? bytes : bytes.withUnsafeBytes(substitution.replaced)
  }
}
