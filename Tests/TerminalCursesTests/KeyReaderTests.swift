import TerminalCore
import TestSupport
import Testing

@testable import TerminalCurses

@Suite("Escape keys and sequences that arrive late")
struct KeyReaderTests {
  private let pty: Pty

  init() throws {
    pty = try Pty()
    // NB: Reading `unread` ends the line mode of the device.
    #expect(pty.unread.isEmpty)
  }

  @Test(
    "An answer that arrives in pieces is not read as keys while one is awaited", arguments: [true, false])
  func slowAnswer(isAsking: Bool) {
    var reader = KeyReader(tty: pty.device)
    var events: [TerminalEvent] = []
    for (step, character) in "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?2026;2$y".enumerated() {
      pty.type(String(character))
      events += reader.drain(now: .milliseconds(step * 100), isAsking: isAsking)
      events += reader.resolve(now: .milliseconds(step * 100 + 99))
    }
    let answers: [TerminalEvent] = [.answer(.background(.rgb(255, 255, 255))), .answer(.mode(2026, isKnown: true))]
    #expect((events == answers) == isAsking)
  }

  @Test(
    "An escape key is reported after 25 ms, or after 500 ms while an answer is awaited",
    arguments: [(false, 25), (true, 500)])
  func escape(isAsking: Bool, delay: Int) {
    var reader = KeyReader(tty: pty.device)
    pty.type("\u{1B}")
    #expect(reader.drain(now: .zero, isAsking: isAsking).isEmpty)
    #expect(reader.deadline == .milliseconds(delay))
    #expect(reader.resolve(now: .milliseconds(delay - 1)).isEmpty)
    #expect(reader.resolve(now: .milliseconds(delay)) == [.key(.escape)])
  }
}
