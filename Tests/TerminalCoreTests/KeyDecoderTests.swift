import TerminalCore
import TestSupport
import Testing

@Suite("Decoding terminal input")
struct KeyDecoderTests {
  @Test(
    "Each form of a key that terminals send is decoded",
    arguments: [
      ("a", [.character("a")]), ("é", [.character("é")]), ("馬", [.character("馬")]), ("🐎", [.character("🐎")]),
      ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
      ("\u{1}", [.control("a")]), ("\u{13}", [.control("s")]), ("\u{1A}", [.control("z")]), ("\u{0}", []),
      ("\u{1B}[A", [.up]), ("\u{1B}OA", [.up]), ("\u{1B}[1;5A", [.up]), ("\u{1B}[B", [.down]), ("\u{1B}[C", [.right]),
      ("\u{1B}[D", [.left]), ("\u{1B}[H", [.home]), ("\u{1B}OH", [.home]), ("\u{1B}[1~", [.home]),
      ("\u{1B}[7~", [.home]), ("\u{1B}[F", [.end]), ("\u{1B}[4~", [.end]), ("\u{1B}[8~", [.end]),
      ("\u{1B}[5~", [.pageUp]), ("\u{1B}[6;2~", [.pageDown]), ("\u{1B}[2~", [.insert]), ("\u{1B}[3~", [.delete]),
      ("\u{1B}[Z", [.backTab]), ("\u{1B}OP", [.function(1)]), ("\u{1B}[1;2S", [.function(4)]),
      ("\u{1B}[[A", [.function(1)]), ("\u{1B}[11~", [.function(1)]), ("\u{1B}[15~", [.function(5)]),
      ("\u{1B}[17~", [.function(6)]), ("\u{1B}[21~", [.function(10)]), ("\u{1B}[24~", [.function(12)]),
      ("\u{1B}x", [.character("x")]), ("\u{1B}\u{7F}", [.backspace]), ("\u{1B}é", [.character("é")]),
      ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}OM", [.enter]),
    ] as [(String, [Key])])
  func knows(text: String, keys: [Key]) {
    #expect(keysOf(Array(text.utf8)) == keys)
  }

  @Test(
    "A sequence that is not a key is discarded completely",
    arguments: [
      "\u{1B}[<0;12;7m", "\u{1B}[M !!", "\u{1B}[32;10;10M", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}[>62;22c",
      "\u{1B}[24;80R", "\u{1B}[2026;2$y", "\u{1B}[?$2026;1y", "\u{1B}[I", "\u{1B}]10;rgb:0000/0000/0000\u{7}",
      "\u{1B}P11;rgb:ffff/ffff/ffff\u{1B}\\", "\u{1B}P>|xterm(370)\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\",
      "\u{1B}[99999999999999999999~",
    ])
  func swallows(text: String) {
    #expect(keysOf(Array((text + "q").utf8)) == [.character("q")])
    #expect(!KeyDecoder(fed: Array(text.utf8)).isPending)
  }

  @Test(
    "Invalid UTF-8 is dropped, and the next key is decoded",
    arguments: [
      [0xC3], [0xFF], [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
    ] as [[UInt8]])
  func dropsBroken(bytes: [UInt8]) {
    #expect(keysOf(bytes + [0x71]) == [.character("q")])
  }

  @Test(
    "A flush decodes or discards an incomplete sequence",
    arguments: [
      ("\u{1B}", [.escape]), ("\u{1B}[", [.character("[")]), ("\u{1B}O", [.character("O")]),
      ("\u{1B}]", [.character("]")]), ("\u{1B}[1", []), ("a", []),
    ] as [(String, [Key])])
  func flushes(text: String, keys: [Key]) {
    var decoder = KeyDecoder(fed: Array(text.utf8))
    #expect(decoder.isPending == (text != "a"))
    #expect(decoder.flush() == keys)
    #expect(!decoder.isPending)
    #expect(decoder.feed([0x71]) == [.key(.character("q"))])
  }

  @Test(
    "A mouse press is reported with its zero-based cell; releases, movements and other buttons are not",
    arguments: [
      ("\u{1B}[<0;12;7M", MousePress(.left, row: 6, column: 11)),
      ("\u{1B}[<2;1;1M", MousePress(.right, row: 0, column: 0)),
      ("\u{1B}[<1;300;200M", MousePress(.middle, row: 199, column: 299)),
      ("\u{1B}[<64;5;5M", MousePress(.wheelUp, row: 4, column: 4)),
      ("\u{1B}[<65;5;5M", MousePress(.wheelDown, row: 4, column: 4)),
      ("\u{1B}[<20;5;6M", MousePress(.left, row: 5, column: 4)), ("\u{1B}[<0;12;7m", nil), ("\u{1B}[<32;12;7M", nil),
      ("\u{1B}[<3;1;1M", nil), ("\u{1B}[<128;1;1M", nil), ("\u{1B}[<0;0;1M", nil), ("\u{1B}[<0;1M", nil),
      ("\u{1B}[<M", nil), ("\u{1B}[0<;1;1M", nil),
    ] as [(String, MousePress?)])
  func mouse(text: String, press: MousePress?) {
    let events = eventsOf(Array(text.utf8) + [0x71])
    #expect(events == (press.map { [.mouse($0)] } ?? []) + [.key(.character("q"))])
  }

  @Test(
    "A terminal answer is decoded in every notation, and an invalid one is ignored",
    arguments: [
      ("\u{1B}]11;rgb:0000/8080/ffff\u{7}", .background(.rgb(0, 128, 255))),
      ("\u{1B}]11;rgb:fdfd/f6f6/e3e3\u{1B}\\", .background(.rgb(0xFD, 0xF6, 0xE3))),
      ("\u{1B}]11;rgb:f/80/000\u{7}", .background(.rgb(255, 128, 0))),
      ("\u{1B}]11;rgba:0000/0000/0000/ffff\u{7}", .background(.rgb(0, 0, 0))),
      ("\u{1B}[?2026;2$y", .mode(2026, isKnown: true)), ("\u{1B}[?2026;1$y", .mode(2026, isKnown: true)),
      ("\u{1B}[?2026;0$y", .mode(2026, isKnown: false)), ("\u{1B}[?2026;4$y", .mode(2026, isKnown: false)),
      ("\u{1B}[?62;22c", .end), ("\u{1B}[?6c", .end),
      ("\u{1B}]11;rgb:0000/8080\u{7}", nil), ("\u{1B}]11;rgb:00000/0/0\u{7}", nil), ("\u{1B}]11;rgb://\u{7}", nil),
      ("\u{1B}]11;rgb:0/0/0/0/0\u{7}", nil), ("\u{1B}]11;rgb:0/0/0\u{18}", nil), ("\u{1B}]11;#000000\u{7}", nil),
      ("\u{1B}[200~\u{1B}[?2026;1$y\u{1B}[201~", nil),
    ] as [(String, TerminalAnswer?)])
  func answers(text: String, answer: TerminalAnswer?) {
    let bytes = Array(text.utf8)
    let wanted: [TerminalEvent] = (answer.map { [.answer($0)] } ?? []) + [.key(.character("q"))]
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      #expect(decoder.feed(bytes[..<cut]) + decoder.feed(bytes[cut...] + [0x71]) == wanted)
    }
  }

  @Test("Only characters of pasted text are keys, until the end of the paste or a flush")
  func paste() {
    #expect(
      keysOf(Array("a\u{1B}[200~b\rc\td\u{3}\u{1B}[Ae馬\u{1B}[201~\r".utf8))
        == [
          .character("a"), .character("b"), .character("c"), .character("d"), .character("e"), .character("馬"), .enter,
        ])
    var decoder = KeyDecoder(fed: Array("\u{1B}[200~\u{1B}".utf8))
    #expect(decoder.flush() == [.escape])
    #expect(decoder.feed([0x0D]) == [.key(.enter)])
  }

  @Test("Keys do not depend on how the bytes are split into reads", arguments: 1...40)
  func cuts(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "a", "é", "🐎", "\u{1B}[A", "\u{1B}OP", "\u{1B}[1;5D", "\u{1B}[15~", "\u{1B}]0;title\u{7}", "\u{1B}[<0;1;1M",
      "\u{1B}[M !!", "\u{1B}", "\r", "\u{1B}Pq\u{1B}\\",
      "\u{1B}]11;rgb:1/2/3\u{7}", "\u{1B}[?2026;2$y",
    ]
    var bytes: [UInt8] = []
    for _ in 0..<60 {
      if Int.random(in: 0..<8, using: &random) == 0 { bytes.append(.random(in: 0...255, using: &random)) }
      bytes += pieces.randomElement(using: &random)!.utf8
    }
    var decoder = KeyDecoder()
    var events: [TerminalEvent] = []
    var at = 0
    while at < bytes.count {
      let end = min(bytes.count, at + Int.random(in: 1...5, using: &random))
      events += decoder.feed(bytes[at..<end])
      at = end
    }
    #expect(events == eventsOf(bytes))
  }

  private func eventsOf(_ bytes: [UInt8]) -> [TerminalEvent] {
    var decoder = KeyDecoder()
    return decoder.feed(bytes)
  }

  private func keysOf(_ bytes: [UInt8]) -> [Key] {
    eventsOf(bytes).compactMap { if case .key(let key) = $0 { key } else { nil } }
  }
}

extension KeyDecoder {
  fileprivate init(fed bytes: [UInt8]) {
    self.init()
    _ = feed(bytes)
  }
}
