import CLibrary
import CNCurses
import CTerminalGuard
package import TerminalCore

/// The terminal's screen, painted through ncurses.
///
/// `paint` sends the bytes of a frame in one write: those of the `SpanWriter` for a small change, those of ncurses for
/// any other. ncurses keeps its state in globals: only one such screen may exist at a time, and only one thread may use
/// it, the one that runs the `TerminalLoop`.
package final class CursesScreen: Screen {
  package let glyphs: GlyphSet
  /// The bytes that take over the terminal's screen, and those that restore it.
  let enter, leave: [UInt8]
  /// Called before the thread waits for a terminal that takes no more output.
  var beforeBlocking: () -> Void = {}
  private let tty: CInt
  private let window: WindowSize
  private let screen: OpaquePointer
  private let traits: TerminalTraits
  private var capture: FrameCapture
  private var encoder: CellEncoder
  private var substitution = ColorSubstitution()
  /// The writer of small changes; nil before the first paint in a theme, and if the terminal has unusual sequences.
  private var writer: SpanWriter?
  private var sequences: StyleSequences?
  /// The supported colours; nil until the first theme with colours.
  private var depth: ColorDepth?
  /// True if the terminal supports synchronized output, which shows a frame all at once.
  private var isSynchronized = false
  /// The size to which ncurses was set last.
  private var taken: Size
  private let clock = ContinuousClock()

  /// Creates a blank screen for a terminal of the given type, without colours until `use(_:)` sets a theme that has
  /// some. Writes nothing to the terminal.
  package init(
    type: String, tty: CInt, window: WindowSize, environment: [String: String] = [:]
  ) throws(TerminalError) {
    glyphs = TerminalLocale.activate()
    // `window` determines the size, not LINES and COLUMNS.
    use_env(false)
    // NB: without this, ncurses 6.4 rejects types without a fixed size, such as 'linux'.
    use_tioctl(true)
    guard var capture = FrameCapture() else { throw .noResources(errno: errno) }
    guard let screen = newterm(type, capture.output, capture.input) else { throw .unknownType(type) }
    guard curses_capability("cup") != nil else {
      delscreen(screen)
      throw .cannotMoveCursor(type)
    }

    let size = window.size
    resizeterm(CInt(size.rows), CInt(size.columns))
    leaveok(curses_screen(), true)
    // Otherwise ncurses sends a scrolled list again row by row.
    idlok(curses_screen(), true)
    typeahead(-1)
    curs_set(0)
    let traits = TerminalTraits(type: type, environment: environment, isXtermLike: curses_has_flag("XT"))

    // NB: until the first refresh after an endwin(), ncurses 6.4 writes at every cursor movement.
    wrefresh(curses_screen())
    _ = capture.drain()
    endwin()
    leave = ScreenSequences.leave(Array(capture.drain()), traits)
    wrefresh(curses_screen())
    enter = ScreenSequences.enter(Array(capture.drain()), traits)

    encoder = CellEncoder(styles: StyleTable(.monochrome, .none), glyphs: glyphs)
    taken = size
    self.traits = traits
    self.tty = tty
    self.window = window
    self.screen = screen
    self.capture = capture
  }

  deinit {
    endwin()
    delscreen(screen)
  }

  /// The terminal's extent, as last published by the loop.
  package var size: Size { window.size }

  /// Shows the damaged cells of a frame; omits cells outside the screen. Repaints everything after a change of size.
  package func paint(_ frame: Frame, damage: [RowDamage], whole: Bool) -> PaintReport {
    let whole = applySize() || whole
    if damage.isEmpty, !whole { return PaintReport(bytes: 0) }
    if !whole, writer?.write(frame, damage, bracketed: isSynchronized) == true {
      return writer?.bytes.withUnsafeBytes(send(frame:)) ?? PaintReport(bytes: 0)
    }
    if whole {
      clearok(curses_physical_screen(), true)
      werase(curses_screen())
      startWriter()
      for row in frame.rows.indices { draw(row, of: frame, 0..<frame.columns) }
    } else {
      repeatChanges()
      if writer == nil { startWriter() }
      for part in damage { draw(part.row, of: frame, part.columns) }
    }
    wnoutrefresh(curses_screen())
    doupdate()
    let bytes = capture.drain(bracketed: isSynchronized)
    return substitution.isEmpty
      ? send(frame: bytes) : substitution.replaced(in: bytes).withUnsafeBytes(send(frame:))
  }

  private func send(frame bytes: UnsafeRawBufferPointer) -> PaintReport {
    if bytes.isEmpty { return PaintReport(bytes: 0) }
    let start = clock.now
    let count = write(all: bytes, to: tty, beforeBlocking: beforeBlocking)
    return PaintReport(bytes: count, writing: clock.now - start)
  }

  package func report(_ reports: InputModes) { send(ScreenSequences.asking(for: reports)) }

  package func ask(_ request: TerminalRequest) {
    let bytes = traits.bytes(for: request, glyphs: glyphs)
    if bytes.isEmpty { return }
    if request == .answers { terminal_guard_asked() }
    send(bytes)
  }

  package func use(_ theme: Theme) {
    repeatChanges()
    writer = nil
    let table = StyleTable(theme, theme.hasColors ? startColors() : .none)
    for (place, pair) in table.pairs.enumerated() {
      _ = curses_set_pair(CInt(place + 1), pair.foreground, pair.background)
    }
    encoder = CellEncoder(styles: table, glyphs: glyphs)
    substitution = ColorSubstitution(table.substitutes)
    // A clear must leave cells that look like the blanks of a frame.
    curses_set_background(table[.plain].attributes, table[.plain].pair)
    sequences = StyleSequences(table, substitution)
  }

  package func apply(_ answer: TerminalAnswer) {
    if case .mode(TerminalTraits.synchronizedMode, let isKnown) = answer { isSynchronized = isKnown }
  }

  private func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { write(all: $0, to: tty, beforeBlocking: beforeBlocking) }
  }

  /// Enables colours and returns their depth. NB: called only for a theme with colours, because ncurses then resets the
  /// colours, which a user may not want.
  private func startColors() -> ColorDepth {
    if let depth { return depth }
    let started = start_color() == OK && use_default_colors() == OK ? curses_colors() : 0
    let found: ColorDepth =
      switch started {
      case ..<8: .none
      case ..<16: .eight
      case ..<256: .sixteen
      // NB: for types such as 'xterm-256color', terminfo never has an entry for true colour.
      case 256...32767: traits.hasTrueColor ? .trueColor : .palette
      default: curses_has_flag("RGB") ? .direct : .palette
      }
    depth = found
    return found
  }

  private func applySize() -> Bool {
    let size = window.size
    guard size != taken else { return false }
    resizeterm(CInt(size.rows), CInt(size.columns))
    taken = size
    return true
  }

  private func draw(_ row: Int, of frame: Frame, _ columns: Range<Int>) {
    let columns = columns.clamped(to: 0..<min(taken.columns, frame.columns))
    guard row < taken.rows, !columns.isEmpty else { return }
    encoder.encode(frame.rows[row].cells[columns])
    wmove(curses_screen(), CInt(row), CInt(columns.lowerBound))
    wadd_wchnstr(curses_screen(), encoder.cells, CInt(encoder.cells.count))
    writer?.painted(frame.rows[row], at: row, columns)
  }

  /// True if ncurses does not know of some cells on the terminal.
  var hasUnrepeatedChanges: Bool { writer?.hasChanges == true }

  private func startWriter() {
    guard let sequences, let cursor = CursorPath() else { return writer = nil }
    writer = SpanWriter(size: taken, glyphs: glyphs, sequences: sequences, cursor: cursor)
  }

  /// Brings ncurses' copy of the screen up to date with the writer's output: ncurses paints it again, and its bytes are
  /// dropped. ncurses then assumes that the cursor is at home, where the first bytes of the next frame put it.
  private func repeatChanges() {
    guard writer?.hasChanges == true else { return }
    writer?.takeChanges { row, column, cells in
      encoder.encode(cells[...])
      wmove(curses_screen(), CInt(row), CInt(column))
      wadd_wchnstr(curses_screen(), encoder.cells, CInt(encoder.cells.count))
    }
    leaveok(curses_screen(), false)
    wmove(curses_screen(), 0, 0)
    wnoutrefresh(curses_screen())
    doupdate()
    leaveok(curses_screen(), true)
    _ = capture.drain()
    capture.append(CursorPath.home)
  }
}
