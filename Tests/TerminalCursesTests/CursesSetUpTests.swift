import Localization
import TerminalCore
import TestSupport
import Testing

@testable import TerminalCurses

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Makes ncurses and the C library treat text as UTF-8, regardless of the machine's locale.
func useUTF8() {
  setenv("LC_ALL", "C.UTF-8", 1)
}

extension CursesTests {
  @Suite("Supported terminals")
  struct CursesSetUpTests {
    @Test("Leaving the screen restores every setting that entering it changed")
    func passage() throws {
      let screen = try makeScreen("xterm-256color")
      #expect(UnrestoredTerminalSettings(screen.enter, rows: 24).settings == [.mode(1049), .hiddenCursor])
      #expect(UnrestoredTerminalSettings(screen.enter + screen.leave, rows: 24).settings.isEmpty)
      #expect(!String(decoding: screen.enter + screen.leave, as: UTF8.self).contains("\u{1B}]104"))
      #expect(String(decoding: screen.enter, as: UTF8.self).contains("\u{1B}[22;2t"))
      #expect(String(decoding: screen.leave, as: UTF8.self).contains("\u{1B}[23;2t"))
    }

    @Test("The Linux console is sent no title sequences")
    func console() throws {
      let screen = try makeScreen("linux")
      #expect(!String(decoding: screen.enter + screen.leave, as: UTF8.self).contains(";2t"))
    }

    @Test("An unknown terminal or one without cursor movement is refused, with its name and a remedy")
    func refuses() throws {
      #expect(throws: TerminalError.cannotMoveCursor("dumb")) { try makeScreen("dumb") }
      let unknown = #expect(throws: TerminalError.unknownType("nonesuch")) { try makeScreen("nonesuch") }
      #expect(unknown?.description.contains("'nonesuch'") == true)
      #expect(unknown?.description.contains("toteboard list") == true)
    }

    @Test("Without colours, rising and falling prices differ by attributes, and no colour is sent")
    func monochrome() throws {
      let pty = try Pty()
      let window = WindowSize(Size(rows: 24, columns: 80))
      let screen = try CursesScreen(type: "xterm-256color", tty: pty.device, window: window)
      screen.use(.monochrome)
      var frame = Frame(size: window.size)
      frame.rows[0].write("up", at: 0, style: Style(.rising))
      frame.rows[1].write("down", at: 0, style: Style(.falling))
      _ = screen.paint(frame, damage: [], whole: true)
      pty.readAvailable()
      #expect(pty.text.contains("\u{1B}[0;1mup") && pty.text.contains("\u{1B}[0;4mdown"))
      #expect(!pty.text.contains("\u{1B}[3") && !pty.text.contains("\u{1B}[4"))
    }

    @Test("Without a UTF-8 locale, non-ASCII characters become question marks of the same width")
    func ascii() throws {
      setenv("LC_ALL", "C", 1)
      defer { useUTF8() }
      let pty = try Pty()
      let window = WindowSize(Size(rows: 24, columns: 80))
      let screen = try CursesScreen(type: "xterm-256color", tty: pty.device, window: window)
      #expect(screen.glyphs == .ascii)
      var frame = Frame(size: window.size)
      frame.rows[0].write("é|馬|e\u{301}|", at: 0)
      _ = screen.paint(frame, damage: [], whole: true)
      pty.readAvailable()
      #expect(pty.text.contains("?|? |e|"))
    }

    @Test("Painting on a lost terminal writes nothing and does not fail")
    func lostTerminal() throws {
      let pty = try Pty()
      let window = WindowSize(Size(rows: 24, columns: 80))
      let screen = try CursesScreen(type: "xterm-256color", tty: pty.device, window: window)
      pty.hangUp()
      #expect(screen.paint(Frame(size: window.size), damage: [], whole: true).bytes == 0)
    }

    @discardableResult
    private func makeScreen(_ type: String) throws -> CursesScreen {
      useUTF8()
      return try CursesScreen(type: type, tty: -1, window: WindowSize(Size(rows: 24, columns: 80)))
    }
  }
}
