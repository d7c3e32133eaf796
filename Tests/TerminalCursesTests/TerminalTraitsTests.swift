import Foundation
import TerminalCore
import Testing

@testable import TerminalCurses

@Suite("Terminal requests besides frames")
struct TerminalTraitsTests {
  private static let xterm = TerminalTraits(type: "xterm-256color", environment: [:])
  private static let console = TerminalTraits(type: "linux", environment: [:])

  private func sent(_ request: TerminalRequest, _ traits: TerminalTraits = xterm, _ glyphs: GlyphSet = .unicode)
    -> String
  {
    String(decoding: traits.bytes(for: request, glyphs: glyphs), as: UTF8.self)
  }

  @Test("A title is set by OSC 2, and the previous title is restored")
  func titles() {
    #expect(sent(.title("Live · Toteboard")) == "\u{1B}]2;Live · Toteboard\u{7}")
    #expect(sent(.title("Live · Toteboard"), Self.xterm, .ascii) == "\u{1B}]2;Live ? Toteboard\u{7}")
    #expect(sent(.title("")) == "\u{1B}[23;2t\u{1B}[22;2t")
    #expect(sent(.title("x"), Self.console) == "")
  }

  @Test(
    "Text cannot begin or end an escape sequence",
    arguments: ["a\u{7}b\u{1B}]2;evil\u{7}", "\u{9C}\u{9D}52;c;x\u{9C}", "\u{1B}\\\u{1B}[31m", "\u{202E}\u{200B}\r\n"])
  func hostile(text: String) {
    let types = ["xterm-kitty", "foot", "xterm-ghostty", "xterm"]
    for traits in types.map({ TerminalTraits(type: $0, environment: ["TERM_PROGRAM": "iTerm.app"]) }) {
      for request in [.title(text), .notify(title: text, body: text)] as [TerminalRequest] {
        let safe = [.title("x"), .notify(title: "x", body: "x")] as [TerminalRequest]
        let plain = sent(request == .title(text) ? safe[0] : safe[1], traits)
        func controls(_ text: String) -> [UInt32] {
          text.unicodeScalars.filter { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }.map(\.value)
        }
        #expect(controls(sent(request, traits)) == controls(plain))
      }
    }
  }

  @Test("Text is copied to the clipboard as base64 of its UTF-8, truncated to what terminals accept")
  func copies() {
    for text in ["", "a", "ab", "abc", "Köln - 浦和  2.45", "two\nlines"] {
      #expect(sent(.copy(text)) == "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}")
    }
    #expect(sent(.copy("a\u{1B}[31m\u{202E}b")).contains(Data("a\u{FFFD}[31m\u{FFFD}b".utf8).base64EncodedString()))
    let long = sent(.copy(String(repeating: "馬", count: 50_000)))
    #expect(long.utf8.count < 100_000 + 8)
    let text = Data(base64Encoded: String(long.dropFirst(7).dropLast())).flatMap { String(data: $0, encoding: .utf8) }
    #expect(text == String(repeating: "馬", count: 74_994 / 3))
    #expect(sent(.copy("x"), Self.console) == "")
  }

  @Test(
    "A notification uses only the sequence of the terminal, and the bell is a separate request",
    arguments: [
      ("xterm-kitty", [:], "\u{1B}]99;i=toteboard:d=0;a,b\u{1B}\\\u{1B}]99;i=toteboard:d=1:p=body;c;d\u{1B}\\"),
      ("foot", [:], "\u{1B}]777;notify;a,b;c;d\u{1B}\\"),
      ("xterm-256color", ["TERM_PROGRAM": "WezTerm"], "\u{1B}]777;notify;a,b;c;d\u{1B}\\"),
      ("xterm-256color", ["TERM_PROGRAM": "iTerm.app"], "\u{1B}]9;a,b: c;d\u{1B}\\"),
      ("xterm-256color", ["LC_TERMINAL": "iTerm2"], "\u{1B}]9;a,b: c;d\u{1B}\\"),
      ("tmux-256color", ["KITTY_WINDOW_ID": "1"], ""), ("xterm-kitty", ["TMUX": "/tmp/tmux"], ""),
      ("xterm-256color", [:], ""), ("linux", [:], ""),
    ] as [(String, [String: String], String)])
  func notifies(type: String, environment: [String: String], bytes: String) {
    #expect(sent(.notify(title: "a;b", body: "c;d"), TerminalTraits(type: type, environment: environment)) == bytes)
  }

  @Test("An alert with a bell and a desktop notification rings once on every terminal")
  func oneBell() {
    for type in ["xterm-256color", "xterm-kitty", "foot", "tmux-256color", "screen", "linux", "vt220"] {
      for environment in [[:], ["TERM_PROGRAM": "iTerm.app"], ["TERM_PROGRAM": "WezTerm"], ["TMUX": "/tmp/tmux"]] {
        let traits = TerminalTraits(type: type, environment: environment)
        let bytes = sent(.bell, traits) + sent(.notify(title: "Alert", body: "a; b"), traits)
        #expect(bytes.count { $0 == "\u{7}" } == 1, "\(type), \(environment)")
      }
    }
  }

  @Test("The last query is one that every terminal answers, and the console is sent none")
  func questions() {
    #expect(sent(.answers) == "\u{1B}]11;?\u{7}\u{1B}[?2026$p\u{1B}[c")
    #expect(sent(.answers, Self.console) == "")
    #expect(sent(.bell, Self.console) == "\u{7}")
  }

  @Test(
    "Terminal types similar to xterm are recognized",
    arguments: [
      ("xterm", true), ("tmux-256color", true), ("screen", true), ("foot-extra", true), ("alacritty", true),
      ("linux", false), ("vt220", false), ("ansi", false), ("dumb", false), ("sun", false),
    ])
  func types(type: String, isLike: Bool) {
    #expect(TerminalTraits(type: type, environment: [:]).isXtermLike == isLike)
    #expect(TerminalTraits(type: type, environment: [:], isXtermLike: true).isXtermLike)
  }
}
