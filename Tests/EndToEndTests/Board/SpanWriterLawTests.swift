import CNCurses
import CVTerm
import TerminalCore
import TestSupport
import Testing

@testable import TerminalCurses

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  /// Compares frames that the span writer and ncurses paint in turns with frames that ncurses paints whole.
  @Suite("The span writer", .serialized)
  struct SpanWriterLawTests {
    @Test("After any sequence of frames, the terminal shows the last frame with its colours", arguments: 1...60)
    func law(seed: UInt64) throws {
      setenv("LC_ALL", "C.UTF-8", 1)
      var random = SeededRandom(seed: seed)
      let sizes = [Size(rows: 8, columns: 40), Size(rows: 24, columns: 80), Size(rows: 16, columns: 130)]
      var frame = Frame(size: sizes.randomElement(using: &random)!)
      let theme: Theme = [.dark, .light, .highContrast, .monochrome].randomElement(using: &random)!
      var steps: [(Frame, whole: Bool)] = []
      for _ in 0..<40 {
        var whole = Int.random(in: 0..<15, using: &random) == 0
        if Int.random(in: 0..<20, using: &random) == 0 {
          let size = sizes.randomElement(using: &random)!
          if size != frame.size { (frame, whole) = (Frame(size: size), true) }
        }
        for _ in 0..<Int.random(in: 1...6, using: &random) { Self.change(&frame, &random) }
        steps.append((frame, whole))
      }
      let type = ["xterm-256color", "screen-256color", "linux", "xterm"].randomElement(using: &random)!
      let shown = try Self.paint(steps, type: type, theme: theme, eachWhole: false)
      let expected = try Self.paint(steps, type: type, theme: theme, eachWhole: true)
      for (step, (shown, expected)) in zip(shown.screens, expected.screens).enumerated() {
        for (row, (shown, expected)) in zip(shown, expected).enumerated() {
          #expect(shown == expected, "seed \(seed), step \(step), row \(row)")
        }
      }
      #expect(shown.unaided > 0, "ncurses has painted all frames")
    }

    @Test("Every character that the span writer sends has a width of one cell in the C library")
    func widths() {
      setenv("LC_ALL", "C.UTF-8", 1)
      setlocale(LC_CTYPE, "C.UTF-8")
      for scalar in UInt32(0)...0x3000 where PackedCell(Cell(scalar), .unicode).isSimple {
        let width = Unicode.Scalar(scalar)!.cellWidth
        if width == 1 { #expect(curses_width(wchar_t(scalar)) == 1, "U+\(String(scalar, radix: 16))") }
      }
    }

    /// Paints frames one after the other. Returns the cells of the terminal after each, and the number of frames that
    /// were painted without ncurses.
    private static func paint(
      _ steps: [(Frame, whole: Bool)], type: String, theme: Theme, eachWhole: Bool
    ) throws -> (screens: [[String]], unaided: Int) {
      var size = steps[0].0.size
      let (pty, window) = (try Pty(size: size), WindowSize(size))
      let screen = try CursesScreen(type: type, tty: pty.device, window: window)
      screen.use(theme)
      let terminal = VTermScreen(size: size)
      var (screens, unaided): ([[String]], Int) = ([], 0)
      var old: Frame?
      for (frame, whole) in steps {
        if frame.size != size {
          size = frame.size
          window.size = size
          terminal.resize(to: size)
        }
        let report = screen.paint(frame, damage: frame.damage(since: old), whole: whole || eachWhole || old == nil)
        if screen.hasUnrepeatedChanges, report.bytes > 0 { unaided += 1 }
        old = frame
        pty.readAvailable()
        terminal.feed(pty.output[...])
        pty.discardOutput()
        screens.append((0..<size.rows).map { row in (0..<size.columns).map { look(terminal.cell(row, $0)) }.joined() })
      }
      return (screens, unaided)
    }

    private static func look(_ cell: vterm_cell) -> String {
      if cell.is_right_half { return "" }
      let scalars = withUnsafeBytes(of: cell.scalars) { $0.bindMemory(to: UInt32.self).prefix { $0 != 0 }.map(\.self) }
      // A cell that was never written equals a space, whose foreground colour is not visible.
      let text = scalars.isEmpty ? [0x20] : scalars
      if text == [0x20], !cell.is_underlined, !cell.is_reversed { return "\(text)\(cell.background)" }
      return "\(text)\(cell.is_bold)\(cell.is_underlined)\(cell.is_reversed)\(cell.is_italic)\(cell.font)"
        + "\(cell.foreground),\(cell.background)"
    }

    private static let texts = [
      "2.34", "12.5", "7", "Ajax", "Malmö", "▲", "▼ 3.10", "浦和", "北京国安", "e\u{301}", "👍🏽", "\u{1B}[2J", "\u{202E}", "x",
      "…", "★", "═", "ＡＢＣ", "مباراة", "⚽️", "", "▁▂▃",
    ]

    private static func change(_ frame: inout Frame, _ random: inout SeededRandom) {
      let (rows, columns) = (frame.rows.count, frame.columns)
      let row = Int.random(in: 0..<rows, using: &random)
      let column = Int.random(in: 0..<columns, using: &random)
      let style = Style(
        Style.Role.allCases.randomElement(using: &random)!,
        on: Int.random(in: 0..<4, using: &random) == 0
          ? Style.Background.allCases.randomElement(using: &random)! : .normal)
      switch Int.random(in: 0..<16, using: &random) {
      case 0..<9:
        // Digits like those of prices, in a few columns, so that changes overlap.
        let text = String(
          (0..<Int.random(in: 1...4, using: &random)).map { _ in "0123456789.".randomElement(using: &random)! })
        frame.rows[row].write(text, at: column / 8 * 8, style: style)
      case 9: frame.rows[row].color(style.role, columns: column..<min(columns, column + 5))
      case 10: frame.rows[row].lay(style.ground, columns: column..<min(columns, column + 12))
      case 11: frame.rows[row] = Row(width: columns, style: style)
      case 12:
        frame.rows.append(frame.rows.removeFirst())
        frame.rows[rows - 1].write("    ", at: columns - 4)
      case 13: frame.rows[rows - 1].write("9", at: columns - 1, style: style)
      default:
        // NB: To write the last cell of the screen, ncurses shifts the cell before it, which cuts a wide character.
        let limit = row == rows - 1 ? columns - 4 : columns
        frame.rows[row].write(texts.randomElement(using: &random)!, at: column, style: style, limit: limit)
      }
    }
  }
}
