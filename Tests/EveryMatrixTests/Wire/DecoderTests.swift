import OddsFeed
import OddsModel
import TestSupport
import Testing

struct DecoderTests {
  @Test(
    "Odds are exact as int, double, exponent or string",
    arguments: [
      ("2.45", 24_500_000), ("3", 30_000_000), ("1.0000001", 10_000_001), ("1000000", 10_000_000_000_000),
      ("2.5e0", 25_000_000), ("25e-1", 25_000_000), ("\"1.87\"", 18_700_000), ("4.33333339", 43_333_333),
    ])
  func oddsAreExact(text: String, units: Int64) {
    let batch = FeedBatch.of(FeedText.update(FeedText.odds(1, text)))
    #expect(batch.properties.map(\.value) == [.fixed(units)])
  }

  @Test(
    "A value of the wrong type is marked as such",
    arguments: ["true", "{}", "[1]", "\"abc\"", "1e999", "1.2.3", "-"])
  func wrongKind(text: String) {
    let batch = FeedBatch.of(FeedText.update(FeedText.odds(1, text)))
    #expect(batch.properties.map(\.value) == [.wrongType])
    #expect(batch.unparsable == 0)
  }

  @Test("Ids of 18 digits, above 2^53, stay exact, and ids that are not numbers are distinct")
  func ids() throws {
    for text in ["272181284331364608", "0", "007", "a-b", "9223372036854775808", "-5"] {
      #expect(try #require(MatchID(text)).description == text)
    }
    #expect(MatchID("") == nil)
    #expect(MatchID("7") != MatchID("007"))
    #expect(try #require(MatchID("9")) < #require(MatchID("10")))
    #expect(try #require(MatchID("10")) < #require(MatchID("a")))
  }

  @Test("null clears a field, and unknown keys and types are skipped")
  func nullAndUnknown() {
    let batch = FeedBatch.of(
      #"{"messageType":"UPDATE","extra":{"a":[1,{"b":null}]},"records":[7,{"changeType":"UPDATE","entityType":"MOON","id":"1"},"#
        + #"{"changeType":"UPDATE","entityType":"MARKET","id":"2","changedProperties":{"shape":[{}],"isAvailable":null}}]}"#
    )
    #expect(batch.unparsable == 0)
    #expect(batch.records.map(\.kind) == [.other, .market])
    #expect(batch.properties.map(\.value) == [.null])
  }

  @Test("The version may be a string or an integer, and a message of an unknown kind is ignored")
  func envelope() {
    let batch = FeedBatch.of(
      #"{"version":"12","messageType":"UPDATE","records":[]}"#, #"{"version":13,"records":[]}"#,
      #"{"messageType":"HEARTBEAT"}"#, "   ")
    #expect(batch.messages.map(\.version) == [12, 13])
    #expect(batch.messages.allSatisfy { $0.kind == .update })
    #expect(batch.unparsable == 0)
  }

  @Test(
    "A malformed line is counted and leaves no records; the lines around it are read",
    arguments: [
      "{", "{\"records\":[{\"id\":\"1\"", "nonsense", "{\"a\":1}}", "{\"a\" 1}", "[1,2", "{\"a\":\"unended", "\u{0}{}",
      "{\"records\":[{\"entity\":{\"odds\":1}]}",
    ])
  func badLine(line: String) {
    let good = FeedText.update(FeedText.odds(1, "2"))
    let batch = FeedBatch.lines([good, line, good])
    #expect(batch.unparsable == 1)
    #expect(batch.messages.count == 2)
    #expect(batch.records.count == 2)
  }

  @Test("Unlimited nesting is unparsable and does not crash")
  func depth() {
    for opening in ["[", "{\"a\":", "{\"records\":[{\"a\":["] {
      #expect(FeedBatch.lines([String(repeating: opening, count: 100_000)]).unparsable == 1)
    }
  }

  @Test("Every truncated message is unparsable, and none crashes the decoder")
  func everyCut() {
    let whole = Array(
      FeedText.update(FeedText.change("MATCH", 5, #""name":"A \u00e9\ud83d\ude00 \"B\"","startTime":17"#)).utf8)
    for end in 1..<whole.count {
      #expect(FeedBatch.lines([String(decoding: whole[..<end], as: UTF8.self)]).unparsable == 1, "cut at \(end)")
    }
  }

  @Test(
    "Escapes are decoded, and invalid ones become U+FFFD",
    arguments: [
      (#"A \"B\" \\ \/ \n"#, "A \"B\" \\ / \n"), (#"\u00e9\u5317"#, "é北"), (#"\ud83d\ude00!"#, "😀!"),
      (#"\ud83d"#, "\u{FFFD}"), (#"\ud83dx"#, "\u{FFFD}x"), (#"\uZZZZ"#, "\u{FFFD}ZZZZ"),
      (#"\u+123"#, "\u{FFFD}+123"),
    ])
  func escapes(raw: String, text: String) {
    let batch = FeedBatch.of(FeedText.update(FeedText.change("MATCH", 5, #""name":"\#(raw)""#)))
    #expect(batch.properties.map { batch.string($0.value) } == [text])
  }

  @Test("Of a long text, the characters that end within 1024 bytes are read", arguments: Laws.seeds(40))
  func longTexts(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let forms = [
      ("a", "a"), (#"\u0041"#, "A"), (#"\n"#, "\n"), ("é", "é"), (#"\u00e9"#, "é"), ("北", "北"), ("😀", "😀"),
      (#"\ud83d\ude00"#, "😀"),
    ]
    let used = forms.shuffled(using: &random).prefix(Int.random(in: 1...forms.count, using: &random))
    var raw = ""
    var (text, isCut) = ("", false)
    for _ in 0..<1100 {
      let (form, character) = used.randomElement(using: &random)!
      raw += form
      isCut = isCut || text.utf8.count + character.utf8.count > 1024
      if !isCut { text += character }
    }
    let batch = FeedBatch.of(FeedText.update(FeedText.change("MATCH", 5, #""name":"\#(raw)""#)))
    #expect(batch.properties.map { batch.string($0.value) } == [text])
  }

  @Test("A recording's line is its message with its time of receipt, in any order of the keys")
  func recorded() {
    let message = FeedText.update(FeedText.odds(1, "2.5"))
    let batch = FeedBatch.of(
      #"{"receivedAt":1750752646168,"topic":"/a","message":\#(message)}"#,
      #"{"message":\#(message),"extra":[1],"receivedAt":"7"}"#, #"{"message":\#(message)}"#, message)
    #expect(batch.messages.map(\.receivedAt) == [1_750_752_646_168, 7, nil, nil])
    #expect(batch.messages.map(\.version) == Array(repeating: 1_750_752_647_777, count: 4))
    #expect(batch.records.count == 4 && batch.unparsable == 0)
  }

  @Test(
    "A recording's line without a message is unparsable",
    arguments: [#""no JSON""#, "1", "null", "[]", #"{"records":["#])
  func recordedNonsense(message: String) {
    let batch = FeedBatch.of(#"{"receivedAt":1,"topic":"/a","message":\#(message)}"#)
    #expect(batch.messages.isEmpty && batch.unparsable == 1)
  }
}
