import CVTerm
import TerminalCore

/// A terminal emulator without a window: it interprets a program's output and keeps the content of the screen.
final class VTermScreen {
  private(set) var size: Size
  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  private let modes: UnsafeMutablePointer<vterm_modes>
  private var faint = FaintAsFont()

  init(size: Size) {
    self.size = size
    terminal = vterm_new(CInt(size.rows), CInt(size.columns))
    modes = .allocate(capacity: 1)
    modes.initialize(to: vterm_modes(has_cursor: true, is_alternate: false))
    screen = vterm_prepare_screen(terminal, modes)
  }

  deinit {
    vterm_free(terminal)
    modes.deallocate()
  }

  var hasCursor: Bool { modes.pointee.has_cursor }
  var isAlternate: Bool { modes.pointee.is_alternate }

  func feed(_ bytes: ArraySlice<UInt8>) {
    faint.rewrite(bytes).withUnsafeBytes { buffer in
      _ = vterm_input_write(terminal, buffer.bindMemory(to: CChar.self).baseAddress, buffer.count)
    }
  }

  /// Changes the size and clears the screen, so that old content is not mistaken for a repaint.
  func resize(to size: Size) {
    self.size = size
    vterm_set_size(terminal, CInt(size.rows), CInt(size.columns))
    feed(Array("\u{1B}[2J".utf8)[...])
  }

  func cell(_ row: Int, _ column: Int) -> vterm_cell { vterm_cell_at(screen, CInt(row), CInt(column)) }

  /// Returns the text of a row's cells, without blanks at its end.
  func text(_ row: Int, _ columns: Range<Int>? = nil) -> String {
    var text = String.UnicodeScalarView()
    for column in columns ?? 0..<size.columns { append(cell(row, column), to: &text) }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Every row's text.
  var rows: [String] { (0..<size.rows).map { text($0) } }

  /// Returns the column where a text begins in a row.
  func column(of wanted: String, in row: Int) -> Int? {
    (0..<size.columns).first { text(row, $0..<size.columns).hasPrefix(wanted) }
  }

  func contains(_ wanted: String) -> Bool { rows.contains { $0.contains(wanted) } }

  private func append(_ cell: vterm_cell, to text: inout String.UnicodeScalarView) {
    if cell.is_right_half { return }
    withUnsafeBytes(of: cell.scalars) { bytes in
      let scalars = bytes.bindMemory(to: UInt32.self)
      if scalars[0] == 0 { text.append(" ") }
      for scalar in scalars.prefix(while: { $0 != 0 }) { text.append(Unicode.Scalar(scalar) ?? "\u{FFFD}") }
    }
  }
}
