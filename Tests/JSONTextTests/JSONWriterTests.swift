import Testing

@testable import JSONText

@Suite("The JSON writer")
struct JSONWriterTests {
  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter(capacity: 0)
    json.object { write(&$0) }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test(
    "writes hundredths without trailing zeros, whole ones as integers",
    arguments: [(245, "2.45"), (240, "2.4"), (300, "3"), (101, "1.01"), (-50, "-0.5"), (0, "0")] as [(Int64, String)])
  func hundredths(value: Int64, expected: String) {
    #expect(text { $0.field("odds", hundredths: value) } == #"{"odds":\#(expected)}"#)
  }

  @Test("writes ids as strings and all of Int64")
  func integers() {
    #expect(text { $0.field("id", id: 273_905_045_266_774_016) } == #"{"id":"273905045266774016"}"#)
    #expect(text { $0.field("least", Int64.min) } == #"{"least":-9223372036854775808}"#)
  }

  @Test("escapes quotes, backslashes and control characters, and leaves other text unchanged")
  func strings() {
    #expect(
      text { $0.field("name", "\"Łódź\" \\ 北京\n\u{1f}\u{9b}\u{7f}\u{a0}") }
        == #"{"name":"\"Łódź\" \\ 北京\u000a\u001f\u009b\u007f\#u{a0}"}"#)
  }

  @Test("puts commas between fields and elements only")
  func commas() {
    let written = text { json in
      json.array("records") { json in
        json.object { $0.field("isLive", true) }
        json.object { _ in }
      }
      json.object("none") { $0.null("part") }
    }
    #expect(written == #"{"records":[{"isLive":true},{}],"none":{"part":null}}"#)
  }
}
