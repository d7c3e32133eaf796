import TerminalCore
import TestSupport
import Testing

@testable import TerminalCurses

extension CursesTests {
  @Suite("Painting")
  struct CursesScreenTests {
    private let pty: Pty
    private let window: WindowSize
    private let screen: CursesScreen
    private var frame: Frame

    init() throws {
      useUTF8()
      let size = Size(rows: 40, columns: 120)
      pty = try Pty(size: size)
      window = WindowSize(size)
      screen = try CursesScreen(type: "xterm-256color", tty: pty.device, window: window)
      screen.use(.dark)
      frame = Frame(size: size)
      for row in 0..<40 { frame.rows[row].write("match \(row)", at: 0) }
      frame.rows[9].write("2.34", at: 50)
      _ = screen.paint(frame, damage: frame.damage(since: nil), whole: true)
      pty.readAvailable()
      pty.discardOutput()
    }

    @Test("A digit that changes in colour takes at most 18 bytes, and removing the colour at most 15")
    mutating func colouredDigit() {
      #expect(paint { $0.rows[9].write("5", at: 53, style: Style(.rising)) } == "\u{1B}[10;54H\u{1B}[32m5\u{1B}[m")
      #expect(paint { $0.rows[9].write("5", at: 53) }.utf8.count <= 15)
    }

    @Test("A changed price takes at most 10 bytes")
    mutating func plainPrice() {
      #expect(paint { $0.rows[9].write("5", at: 53) } == "\u{1B}[10;54H5")
      #expect(paint { $0.rows[9].write("2.46", at: 50) }.utf8.count <= 10)
    }

    @Test("Nothing is written without damage, or if the damaged cells are unchanged")
    func nothing() {
      #expect(screen.paint(frame, damage: [], whole: false) == PaintReport(bytes: 0))
      let report = screen.paint(frame, damage: [RowDamage(row: 3, columns: 0..<120)], whole: false)
      #expect(report == PaintReport(bytes: 0))
      pty.readAvailable()
      #expect(pty.output.isEmpty)
    }

    @Test("A whole paint clears the screen and sends every row again")
    func whole() {
      let report = screen.paint(frame, damage: [], whole: true)
      pty.readAvailable()
      #expect(report.bytes == pty.output.count)
      #expect(pty.text.contains("\u{1B}[2J"))
      for row in 0..<40 { #expect(pty.text.contains("match \(row)")) }
    }

    @Test("Escape sequences and control characters in feed text are replaced")
    mutating func hostileText() {
      var escape = ShortText()
      escape.push(0x63)
      escape.push(0x1B)
      let sent = paint {
        $0.rows[5].write("\u{1B}[31mred\u{9B}7m\u{202E}\u{7}\u{D}浦和 e\u{301}", at: 10)
        $0.rows[6].write(escape, at: 10)
      }
      #expect(sent.contains("\u{FFFD}[31mred\u{FFFD}7m\u{FFFD}\u{FFFD}\u{FFFD}浦和 e\u{301}"))
      #expect(sent.contains("?c"))
      #expect(!sent.contains("\u{1B}[31m") && !sent.contains("\u{1B}c") && !sent.contains("\u{7}"))
    }

    @Test("The first paint after a resize paints the whole screen", arguments: [(1, 1), (10, 30), (60, 200)])
    func resize(rows: Int, columns: Int) {
      window.size = Size(rows: rows, columns: columns)
      #expect(screen.size == Size(rows: rows, columns: columns))
      var frame = Frame(size: screen.size)
      frame.rows[rows - 1].write("x", at: columns - 1)
      let report = screen.paint(frame, damage: [], whole: false)
      pty.readAvailable()
      #expect(report.bytes == pty.output.count)
      #expect(pty.text.contains("x") && !pty.text.contains("match"))
      #expect(UnrestoredTerminalSettings(pty.output, rows: rows).settings.isEmpty)
    }

    @Test("A frame of another size than the screen's is clipped")
    func clips() {
      var large = Frame(size: Size(rows: 50, columns: 150))
      large.rows[45].write("below", at: 0)
      large.rows[0].write("right", at: 130)
      _ = screen.paint(large, damage: large.damage(since: nil), whole: true)
      pty.readAvailable()
      #expect(!pty.text.contains("below") && !pty.text.contains("right"))
    }

    /// Returns the bytes that painting a changed frame sends.
    private mutating func paint(_ change: (inout Frame) -> Void) -> String {
      let old = frame
      change(&frame)
      pty.discardOutput()
      let report = screen.paint(frame, damage: frame.damage(since: old), whole: false)
      pty.readAvailable()
      #expect(report.bytes == pty.output.count)
      return pty.text
    }
  }
}
