import TestSupport
import Testing

@testable import AccountClient

@Suite("Server-Sent Events")
struct ServerSentEventsTests {
  /// Each event as "type: data", in order.
  private static func events(_ chunks: [[UInt8]], _ parser: inout ServerSentEvents) -> [String] {
    chunks.flatMap { parser.append($0) }.map { "\($0.type): \(String(decoding: $0.data, as: UTF8.self))" }
  }

  private static func events(_ text: String) -> [String] {
    var parser = ServerSentEvents()
    return events([Array(text.utf8)], &parser)
  }

  @Test(
    "Streams are parsed as the standard requires",
    arguments: [
      ("data: a\n\n", ["message: a"]), ("data:a\n\n", ["message: a"]), ("data:  a\n\n", ["message:  a"]),
      ("data: a\r\rdata: b\r\r", ["message: a", "message: b"]), ("data: a\r\n\r\n", ["message: a"]),
      ("data: a\r\n\ndata: b\n\r\n", ["message: a", "message: b"]),
      ("data: YHOO\ndata: +2\ndata: 10\n\n", ["message: YHOO\n+2\n10"]),
      ("data\n\ndata\ndata\n\n", ["message: ", "message: \n"]),
      (": a comment\n\n:\n\ndata: a\n\n", ["message: a"]), ("\u{FEFF}data: a\n\n", ["message: a"]),
      ("\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n", ["message: b"]),
      ("event: x\ndata: a\n\ndata: b\n\n", ["x: a", "message: b"]),
      ("event: x\n\ndata: a\n\n", ["message: a"]), ("data: a", []), ("data: a\n", []),
      ("data: a\n\ndata: b\n", ["message: a"]),
      ("Data: a\nnothing: b\ndata : c\ndata: d\n\n", ["message: d"]), ("event\ndata: a\n\n", ["message: a"]),
      ("data: a:b: c\n\n", ["message: a:b: c"]), ("data: é浦\n\n", ["message: é浦"]),
    ])
  func streams(text: String, events: [String]) {
    #expect(Self.events(text) == events)
  }

  @Test("The last id is that of the last complete event, persists until the next id, and has no NUL")
  func ids() {
    var parser = ServerSentEvents(lastEventID: "0")
    for (text, id) in [
      ("data: a\n\n", "0"), ("id: 1\n", "0"), ("data: b\n\n", "1"), ("id: 2\n\n", "2"),
      ("id: 3\u{0}\ndata: c\n\n", "2"),
      ("data: d\n\n", "2"), ("id\ndata: e\n\n", ""), ("id: 4\ndata: f", ""),
    ] {
      _ = parser.append(Array(text.utf8))
      #expect(parser.lastEventID == id, "after '\(text)'")
    }
  }

  @Test(
    "An oversized event is dropped and counted, and the next one is delivered",
    arguments: ["data: 0123456789\n", "data: 01\ndata: 2345\ndata: 6789\n"])
  func bounds(tooLong: String) {
    var parser = ServerSentEvents(maxBytes: 12)
    let text = "id: 1\n\(tooLong)\ndata: a\n\n\(tooLong)"
    #expect(parser.append(Array(text.utf8)).map(\.data) == [Array("a".utf8)])
    #expect(parser.oversized == 1 && parser.lastEventID == "1")
  }

  private static let whole =
    "\u{FEFF}: hello\r\nid: 1\r\nevent: x\r\ndata: é\r\ndata: 浦和\r\n\r\nretry: 9\rdata: b\r\rid\ndata\n\n\r\ndata: c\n\r"

  @Test("A stream gives the same events wherever it is split")
  func everyCut() {
    let bytes = Array(Self.whole.utf8)
    var uncut = ServerSentEvents()
    let events = Self.events([bytes], &uncut)
    #expect(events == ["x: é\n浦和", "message: b", "message: ", "message: c"])
    for cut in 0...bytes.count {
      var parser = ServerSentEvents()
      #expect(Self.events([Array(bytes[..<cut]), Array(bytes[cut...])], &parser) == events, "cut at \(cut)")
      #expect(parser.lastEventID == uncut.lastEventID)
    }
  }

  @Test("A random stream gives the same events however it is split", arguments: 0..<200)
  func cuts(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let alphabet: [[UInt8]] =
      ["data", "id", "event", "retry", ":", " ", "\r", "\n", "\r\n", "a", "é", "\u{FEFF}", "\u{0}", "9"].map {
        Array($0.utf8)
      } + [[0xEF], [0xFF]]
    let bytes = (0..<200).flatMap { _ in alphabet.randomElement(using: &random)! }
    var uncut = ServerSentEvents(maxBytes: 40)
    let events = Self.events([bytes], &uncut)
    var parser = ServerSentEvents(maxBytes: 40)
    var chunks: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Int.random(in: 0...7, using: &random)
      chunks.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    #expect(Self.events(chunks, &parser) == events)
    #expect(parser.lastEventID == uncut.lastEventID && parser.oversized == uncut.oversized)
  }

  @Test("The newest ids are remembered, up to the limit")
  func recentIDs() {
    var ids = RecentIDs(most: 3)
    for (id, isNew) in [
      ("a", true), ("b", true), ("a", false), ("c", true), ("d", true), ("b", false), ("a", true), ("b", true),
      ("d", false),
    ] {
      #expect(ids.insert(id) == isNew, "\(id)")
    }
    for number in 0..<10_000 { _ = ids.insert("\(number)") }
    #expect(ids.count == 3)
  }
}
