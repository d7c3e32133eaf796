import CNCurses
import CTerminalGuard
package import TerminalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The terminal, painted through ncurses.
///
/// ncurses finds the shortest bytes; they reach the terminal in one write of our own. ncurses keeps its state in
/// globals: there is one such screen at a time, and one thread uses it, the one that runs the `TerminalLoop`.
package final class CursesScreen: Screen {
  /// What the locale can show.
  package let glyphs: GlyphSet
  /// What takes the terminal's screen, and what gives it back.
  let enter, leave: [UInt8]
  private let tty: CInt
  private let window: WindowSize
  private let screen: OpaquePointer
  private let traits: TerminalTraits
  private var capture: FrameCapture
  private var encoder: CellEncoder
  private var substitution = ColorSubstitution()
  /// Nil until a theme has needed to know.
  private var depth: ColorDepth?
  /// Whether the terminal shows a frame at once where it is told to.
  private var isSynchronized = false
  private var taken: Size
  private let clock = ContinuousClock()

  /// A blank screen for a terminal of that type; writes nothing. Without colours until it is to use a theme that has
  /// some.
  package init(
    type: String, tty: CInt, window: WindowSize, environment: [String: String] = [:]
  ) throws(TerminalError) {
    Self.setLocale()
    // The size will be the window's, whatever LINES and COLUMNS say.
    use_env(false)
    // NB: without this ncurses 6.4 refuses types of no fixed size, such as 'linux'.
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
    // Else a scrolled list is sent again line by line.
    idlok(curses_screen(), true)
    typeahead(-1)
    curs_set(0)
    let traits = TerminalTraits(type: type, environment: environment, isXtermLike: curses_has_flag("XT"))

    // NB: until it has come back from an endwin(), ncurses 6.4 writes at every move of the cursor.
    wrefresh(curses_screen())
    _ = capture.take()
    endwin()
    leave = ScreenSequences.leave(Array(capture.take()), traits)
    wrefresh(curses_screen())
    enter = ScreenSequences.enter(Array(capture.take()), traits)

    glyphs = curses_speaks_utf8() ? .unicode : .ascii
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

  /// The terminal's extent, as the loop last told the board.
  package var size: Size { window.size }

  /// Shows the damaged cells of a frame; cells outside the screen are left out. A new size makes the paint a whole one.
  package func paint(_ frame: Frame, damage: [RowDamage], whole: Bool) -> PaintReport {
    if takeSize() || whole {
      clearok(curses_physical_screen(), true)
      werase(curses_screen())
      for row in frame.rows.indices { draw(row, of: frame, 0..<frame.columns) }
    } else {
      guard !damage.isEmpty else { return PaintReport(bytes: 0) }
      for part in damage { draw(part.row, of: frame, part.columns) }
    }
    wnoutrefresh(curses_screen())
    doupdate()
    let bytes = capture.take(bracketed: isSynchronized)
    guard !bytes.isEmpty else { return PaintReport(bytes: 0) }
    let start = clock.now
    let count =
      substitution.isEmpty
      ? write(all: bytes, to: tty) : substitution.replaced(in: bytes).withUnsafeBytes { write(all: $0, to: tty) }
    return PaintReport(bytes: count, writing: clock.now - start)
  }

  package func report(_ reports: InputModes) {
    send(ScreenSequences.asking(for: reports))
  }

  package func ask(_ request: TerminalRequest) {
    let bytes = traits.bytes(for: request, glyphs: glyphs)
    if bytes.isEmpty { return }
    if request == .answers { terminal_guard_asked() }
    send(bytes)
  }

  package func use(_ theme: Theme) {
    let table = StyleTable(theme, theme.hasColors ? startColors() : .none)
    for (place, pair) in table.pairs.enumerated() {
      _ = curses_set_pair(CInt(place + 1), pair.foreground, pair.background)
    }
    encoder = CellEncoder(styles: table, glyphs: glyphs)
    substitution = ColorSubstitution(table.substitutes)
    // What a clear leaves behind is what the frame's blanks look like.
    curses_set_background(table[.plain].attributes, table[.plain].pair)
  }

  package func take(_ answer: TerminalAnswer) {
    if case .mode(TerminalTraits.synchronizedMode, let isKnown) = answer { isSynchronized = isKnown }
  }

  private func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { write(all: $0, to: tty) }
  }

  /// NB: not before there is a theme with colours: ncurses resets them then, and somebody may not want any.
  private func startColors() -> ColorDepth {
    if let depth { return depth }
    let started = start_color() == OK && use_default_colors() == OK ? curses_colors() : 0
    let found: ColorDepth =
      switch started {
      case ..<8: .none
      case ..<16: .eight
      case ..<256: .sixteen
      // NB: with a type such as 'xterm-256color' terminfo knows of no more, whatever the terminal can.
      case 256...32767: traits.hasTrueColor ? .trueColor : .palette
      default: curses_has_flag("RGB") ? .direct : .palette
      }
    depth = found
    return found
  }

  /// Takes the environment's locale. Where the system lacks it, its name still tells how the terminal encodes text.
  private static func setLocale() {
    guard setlocale(LC_CTYPE, "") == nil else { return }
    let variables: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let name = variables.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
    guard let name = name?.lowercased(), name.contains("utf-8") || name.contains("utf8") else { return }
    for known: String in ["C.UTF-8", "en_US.UTF-8"] where setlocale(LC_CTYPE, known) != nil { return }
  }

  private func takeSize() -> Bool {
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
  }
}
