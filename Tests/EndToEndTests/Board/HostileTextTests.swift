import CNCurses
import EveryMatrix
import Localization
import OddsModel
import TerminalCore
import TerminalCurses
import TestSupport
import Testing

@testable import Dashboard

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("Hostile text in a feed", .serialized)
  struct HostileTextTests {
    private static let pools: [[String]] = [
      (0x00...0x1F).map(scalar) + (0x7F...0x9F).map(scalar),
      [
        "\u{1B}[2J", "\u{1B}[?1049l", "\u{1B}]52;c;ZXZpbA==\u{7}", "\u{1B}]2;evil\u{1B}\\", "\u{1B}c", "\u{9B}7m",
        "\u{1B}[6n",
      ],
      (0x202A...0x202E).map(scalar) + (0x2066...0x2069).map(scalar) + ["\u{200E}", "\u{200F}", "\u{61C}"],
      ["\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{180E}", "\u{E0020}", "\u{E007F}"],
      ["👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇹🇼", "🇫🇷", "👍🏽", "❤️", "1️⃣", "🏳️‍🌈", "⚽️", "☺︎"],
      [
        "e\u{301}", "a\u{301}\u{302}\u{303}\u{304}", "\u{301}", "x\u{20DD}", "ก็", "क्षि", "நி", "각",
        "\u{1112}\u{1161}\u{11AB}",
      ],
      ["浦和", "北京国安", "ＡＢＣ", "ｱｲｳ", "한국", "𠀋", "〜", "‥", "①", "ａ\u{301}"],
      ["\u{E000}", "\u{F8FF}", "\u{10FFFD}", "\u{378}", "\u{FFFF}", "\u{1FFFE}", "\u{2FFFF}", "\u{30000}"],
      ["مباراة", "שלום", "Ελλάς", "Љубљана", "Đ", "İ", "ß", "ﬁ", "ﷺ", "\u{FFFC}"],
      ["Ajax", "FC", " ", " - ", "U21", "&", "\"", "\\"],
    ]

    @Test("No escape sequence reaches the terminal, and every cell shows what the board has drawn", arguments: 1...40)
    func fuzz(seed: UInt64) throws {
      setenv("LC_ALL", "C.UTF-8", 1)
      var random = SeededRandom(seed: seed)
      let size = Size(rows: 24, columns: [40, 80, 130].randomElement(using: &random)!)
      let pty = try Pty(size: size)
      let screen = try CursesScreen(type: "xterm-256color", tty: pty.device, window: WindowSize(size))
      screen.use(.dark)
      let terminal = VTermScreen(size: size)
      var painter = BoardPainter(glyphs: .unicode)
      let channels = (0..<3).map { BoardChannel(title: Self.text(&random, 4), topic: Topic(path: "/\($0)")) }
      var settings = BoardSettings()
      settings.alerts = [try AlertRule("any > 1.01 again"), try AlertRule("score")]
      var state = BoardState(
        size: size, channels: channels, feedName: Self.text(&random, 3), canReconnect: true, settings: settings)
      var now = FrameTime(uptime: .seconds(10), wall: 1_750_752_000_000, zone: 0)
      for step in 0..<30 {
        let names = (0..<4).map { _ in "\(Self.text(&random, 6)) - \(Self.text(&random, 6))" }
        let changed = names.enumerated().map { index, name in
          let id = 100 + 100 * Int.random(in: 0..<20, using: &random) + index
          let inner = [("MARKET", id + 10, "name"), ("OUTCOME", id + 11, "translatedName")].map { type, id, key in
            FeedText.change(type, id, #""\#(key)":"\#(Self.json(Self.text(&random, 6)))""#)
          }
          return Match.football(id, Self.json(name), then: inner.joined(separator: ","))
        }
        let problem =
          Bool.random(using: &random) ? FeedError(Self.text(&random, 9), remedy: Self.text(&random, 9)) : nil
        let update = ChannelUpdate(
          changed: changed, connection: problem.map(ConnectionState.failed) ?? .live,
          freshness: Freshness(.live, since: now.wall))
        _ = state.reduce(.channelUpdated(update), now: now)
        let keys = "?iypDjGT2A]a".map(Key.character) + [.escape, .enter, .enter, .tab]
        for effect in state.reduce(.keyPressed(keys.randomElement(using: &random)!), now: now) {
          if case .show(let message) = effect { _ = state.reduce(.messageReceived(message), now: now) }
          guard case .openMatch(let id, _) = effect else { continue }
          let known = changed.first { $0.id == id }
          _ = state.reduce(.matchOpened(id, known: known, hasTopic: true), now: now)
        }
        if let id = state.detail.pane?.id, let match = changed.first(where: { $0.id == id }) {
          let own = ChannelUpdate(changed: [match], freshness: Freshness(.live, since: now.wall), source: .stream)
          _ = state.reduce(.matchUpdated(own), now: now)
        }
        _ = state.reduce(.frameDue, now: now)
        let (damage, _) = painter.draw(state, now: now, whole: step % 7 == 0)
        _ = screen.paint(painter.frame, damage: damage, whole: step % 7 == 0)
        pty.readAvailable()
        Self.expectHarmless(pty.output)
        terminal.feed(pty.output[...])
        pty.discardOutput()
        for row in 0..<size.rows { #expect(terminal.text(row) == Self.drawn(painter.frame.rows[row]), "step \(step)") }
        #expect(terminal.isAlternate == false)
        now.uptime += .milliseconds(300)
        now.wall += 300
      }
    }

    @Test("In low-bandwidth mode, 100 matches with 10 updates per second need at most 2 kB/s")
    func lowBandwidth() throws {
      var figures: [Int] = []
      for isLowBandwidth in [true, false] {
        setenv("LC_ALL", "C.UTF-8", 1)
        let size = Size(rows: 110, columns: 120)
        let pty = try Pty(size: size)
        let screen = try CursesScreen(type: "xterm-256color", tty: pty.device, window: WindowSize(size))
        screen.use(.dark)
        var settings = BoardSettings()
        settings.isLowBandwidth = isLowBandwidth
        var state = BoardState(
          size: size, channels: BoardChannel.standard(EveryMatrixCatalog(), matches: 100), feedName: "simulated",
          settings: settings)
        var painter = BoardPainter(glyphs: .unicode)
        var now = FrameTime(uptime: .seconds(10), wall: 1_750_752_000_000, zone: 0)
        var random = SeededRandom(seed: 3)
        func match(_ index: Int) -> Match {
          let odds = (0..<3).map { _ in
            "\(Int.random(in: 1...9, using: &random)).\(Int.random(in: 10...99, using: &random))"
          }
          return .football(100 + 100 * index, "Home \(index) - Away \(index)", odds: odds)
        }
        func paint(_ changed: [Match]) -> Int {
          let freshness = Freshness(.live, since: now.wall)
          let update = ChannelUpdate(changed: changed, oddsUpdates: changed.count, freshness: freshness)
          _ = state.reduce(.channelUpdated(update), now: now)
          _ = state.reduce(.frameDue, now: now)
          var (damage, report) = painter.draw(state, now: now, whole: false)
          report.bytes = screen.paint(painter.frame, damage: damage, whole: false).bytes
          _ = state.reduce(.painted(report), now: now)
          pty.readAvailable()
          return report.bytes
        }
        // NB: a terminal device buffers only about 8 kB, and nobody reads while this thread writes.
        for first in stride(from: 0, to: 100, by: 25) { _ = paint((first..<first + 25).map(match)) }
        let (seconds, frames) = (60, isLowBandwidth ? 2 : 10)
        var bytes = 0
        for _ in 0..<seconds * frames {
          now.uptime += .seconds(1) / frames
          now.wall += Int64(1000 / frames)
          bytes += paint((0..<10 / frames).map { _ in match(Int.random(in: 0..<100, using: &random)) })
        }
        figures.append(bytes / seconds)
      }
      #expect(figures[0] <= 2000 && figures[0] * 2 < figures[1], "\(figures) B/s")
    }

    private static func scalar(_ value: Int) -> String { String(Unicode.Scalar(UInt32(value))!) }

    private static func text(_ random: inout SeededRandom, _ most: Int) -> String {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in
        if Int.random(in: 0..<8, using: &random) == 0,
          let any = Unicode.Scalar(UInt32.random(in: 0xA0...0x323AF, using: &random)), isCounted(any)
        {
          return String(any)
        }
        return pools.randomElement(using: &random)!.randomElement(using: &random)!
      }.joined()
    }

    /// Returns a text for JSON, with each of its UTF-16 units escaped.
    private static func json(_ text: String) -> String {
      text.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }

    /// Returns the text of a row as drawn: a question mark replaces a character whose width differs in the C library.
    private static func drawn(_ row: Row) -> String {
      var text = String.UnicodeScalarView()
      for cell in row.cells where cell.width > 0 {
        if curses_width(wchar_t(cell.scalar)) == CInt(cell.width) {
          text.append(Unicode.Scalar(cell.scalar)!)
          if cell.mark != 0, curses_width(wchar_t(cell.mark)) == 0 { text.append(Unicode.Scalar(cell.mark)!) }
        } else {
          text += (cell.width == 2 ? "? " : "?").unicodeScalars
        }
      }
      while text.last == " " { text.removeLast() }
      return String(text)
    }

    /// Expects only sequences that ncurses sends, and no control characters except those that move the cursor.
    private static func expectHarmless(_ output: [UInt8]) {
      var rest = String(decoding: output, as: UTF8.self).unicodeScalars[...]
      while let scalar = rest.popFirst() {
        if scalar == "\u{1B}" {
          let opener = rest.popFirst()
          if opener == "(" {
            #expect(rest.popFirst() == "B")
            continue
          }
          // One row up; save and restore the cursor.
          if opener == "M" || opener == "7" || opener == "8" { continue }
          #expect(opener == "[")
          let parameters = String(rest.prefix { "?0123456789;".unicodeScalars.contains($0) })
          rest = rest.dropFirst(parameters.count)
          let final = rest.popFirst().map(Character.init) ?? " "
          // Wrapping, blinking and the cursor are the only private modes that ncurses changes.
          let isOrdinary =
            parameters.hasPrefix("?")
            ? ["?7", "?12", "?25", "?12;25"].contains(parameters) && "hl".contains(final)
            : "ABCDGHJKLMPSTXZb@dmrhl".contains(final)
          #expect(isOrdinary, "ESC [ \(parameters) \(final)")
        } else {
          let isControl = scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
          #expect(!isControl || "\r\n\u{8}".unicodeScalars.contains(scalar), "U+\(String(scalar.value, radix: 16))")
        }
      }
    }

    /// Returns true if the emulator and the C library agree on the width. Other characters cannot be tested.
    private static func isCounted(_ scalar: Unicode.Scalar) -> Bool {
      let terminal = VTermScreen(size: Size(rows: 1, columns: 8))
      terminal.feed(Array("x\(scalar)|".utf8)[...])
      let width = max(0, Int(curses_width(wchar_t(scalar.value))))
      return terminal.text(0, 1 + width..<2 + width) == "|"
    }
  }
}
