import EveryMatrix
import Testing

@testable import FeedSimulator

@Suite("Names in requests")
struct NameLimitTests {
  /// Returns a name of that many bytes that ends with a character of two bytes.
  private static func name(_ count: Int) -> String { "/" + String(repeating: "a", count: count - 3) + "ü" }

  private static func requests(_ name: String) -> [(WAMPMessage, type: UInt64, uri: String)] {
    [
      (.register(request: 5, procedure: name), 64, WAMPMessage.URI.invalidURI),
      (.call(request: 5, procedure: name, topic: "/a"), 48, WAMPMessage.URI.invalidURI),
      (.call(request: 5, procedure: WAMPMessage.dumpProcedure, topic: name), 48, WAMPMessage.URI.invalidArgument),
    ]
  }

  @Test("of more than 4096 bytes are refused with a short error that names the limit", arguments: [4097, 65_000])
  func tooLong(count: Int) {
    for (request, type, uri) in Self.requests(Self.name(count)) {
      guard case .error(type, 5, uri, let text)? = request.nameRefusal else {
        Issue.record("\(String(describing: request.nameRefusal))")
        continue
      }
      #expect(text.contains("\(count) bytes") && text.contains("'4096'") && text.contains(": send "))
      #expect(text.utf8.count < 300)
    }
  }

  @Test("of at most 4096 bytes are not refused, nor are other messages", arguments: ["", "/a", name(4096)])
  func accepted(name: String) {
    for (request, _, _) in Self.requests(name) { #expect(request.nameRefusal == nil) }
    #expect(WAMPMessage.hello(realm: Self.name(9000)).nameRefusal == nil)
    #expect(WAMPMessage.unregister(request: 1, registration: 1).nameRefusal == nil)
  }

  @Test("are truncated to 128 scalars in errors, even within a character")
  func excerpts() {
    let whole = String(repeating: "é", count: 128)
    #expect(whole.excerpt == whole)
    #expect((whole + "x").excerpt == whole + "…")
    #expect("".excerpt == "")
    #expect(("e" + String(repeating: "\u{301}", count: 9000)).excerpt.unicodeScalars.count == 129)
  }
}
