import Testing

@testable import TerminalCurses

@Suite("Removal of redundant resets from a frame's bytes")
struct FrameCompactorTests {
  @Test(
    "A reset replaces the partial resets just before it",
    arguments: [
      ("", ""),
      ("plain", "plain"),
      ("\u{1B}[32m7\u{1B}[39m\u{1B}(B\u{1B}[m", "\u{1B}[32m7\u{1B}[m"),
      ("\u{1B}[39;49m\u{1B}(B\u{1B}[mx", "\u{1B}[mx"),
      ("\u{1B}[49m\u{1B}[39m\u{1B}[0m", "\u{1B}[0m"),
      ("\u{1B}(B\u{1B}[0;7mbar\u{1B}(B\u{1B}[m", "\u{1B}[0;7mbar\u{1B}[m"),
      ("a\u{1B}[m\u{1B}(B\u{1B}[mb", "a\u{1B}[m\u{1B}[mb"),
    ])
  func shortens(frame: String, short: String) {
    #expect(compacted(frame) == short)
  }

  @Test(
    "A partial reset that no full reset follows stays, even at the end of the bytes",
    arguments: [
      "\u{1B}[39mx", "\u{1B}(B\u{1B}[7m", "\u{1B}[39;49m", "\u{1B}[39m\u{1B}(B", "\u{1B}[39m\u{1B}[", "\u{1B}",
      "\u{1B}(B\u{1B}[1;7m", "\u{1B}[39m\u{1B}[2;1H\u{1B}[m",
    ])
  func keeps(frame: String) {
    #expect(compacted(frame) == frame)
  }

  private func compacted(_ frame: String) -> String {
    var bytes = Array(frame.utf8)
    let count = bytes.withUnsafeMutableBufferPointer { FrameCompactor.compact($0) }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
