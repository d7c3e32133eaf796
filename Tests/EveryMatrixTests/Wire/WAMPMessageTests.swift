import Testing

@testable import EveryMatrix

@Suite("WAMP messages")
struct WAMPMessageTests {
  private func parse(_ text: String) throws(WAMPError) -> WAMPMessage {
    let bytes = Array(text.utf8)
    return try bytes.withUnsafeBufferPointer { bytes throws(WAMPError) in try WAMPMessage.parse(bytes) }
  }

  private static let all: [WAMPMessage] = [
    .hello(realm: "www.example.com"), .welcome(session: WAMPMessage.largestID),
    .abort(reason: "a.b", text: "why: \"x\"\n"),
    .goodbye(reason: "a.b"), .error(type: 48, request: 3, uri: "wamp.no.backend", text: ""),
    .call(request: 1, procedure: WAMPMessage.dumpProcedure, topic: "/sports/ü"),
    .call(request: 1, procedure: "/x", topic: nil),
    .register(request: 2, procedure: "/a"), .registered(request: 2, registration: 9),
    .unregister(request: 3, registration: 9), .unregistered(request: 3), .yield(request: 77), .other(type: 36),
  ]

  @Test("a written message is parsed to an equal one", arguments: all)
  func roundTrip(message: WAMPMessage) throws {
    #expect(try parse(String(decoding: message.text, as: UTF8.self)) == message)
  }

  @Test("a payload is found among white space and nested brackets")
  func payloads() throws {
    let texts: [(String, String?)] = [
      (#"[68,1,2,{},[],{"a":[1]}]"#, #"{"a":[1]}"#), (" [ 68 , 1,2 ,{ } ,[ ], {\"a\":\"]\"} ] \n", "{\"a\":\"]\"} "),
      ("[68,1,2,{}]", nil), ("[68,1,2,{},[]]", nil),
    ]
    for (text, payload) in texts {
      guard case .invocation(1, 2, let range) = try parse(text) else {
        Issue.record("\(text)")
        continue
      }
      #expect(range.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) } == payload)
    }
    let result = WAMPMessage.result(request: 5, payload: Array("{\"b\":1}".utf8))
    guard case .result(5, let range?) = try parse(String(decoding: result, as: UTF8.self)) else {
      Issue.record("no result")
      return
    }
    #expect(result[range].elementsEqual("{\"b\":1}".utf8))
  }

  @Test("details and arguments of other implementations are skipped")
  func others() throws {
    #expect(
      try parse(#"[2,9129137332,{"roles":{"broker":{"features":{"x":true}},"dealer":{}}}]"#)
        == .welcome(session: 9_129_137_332))
    #expect(
      try parse(#"[8,48,4,{"x":[1,2]},"wamp.no.backend",["a"],{"k":null}]"#)
        == .error(type: 48, request: 4, uri: "wamp.no.backend", text: ""))
    #expect(
      try parse(#"[48,7,{"d":1},"/sports#initialDump",[],{"other":{"topic":"no"},"t\u006fpic":"a","topic":"yes"}]"#)
        == .call(request: 7, procedure: "/sports#initialDump", topic: "yes"))
  }

  @Test(
    "an id in a client's message is from 1 to 2^53",
    arguments: [
      (#"[64,"#, #",{},"/a"]"#), (#"[66,"#, ",1]"), ("[66,1,", "]"), (#"[48,"#, #",{},"/a"]"#), ("[70,", ",{}]"),
      ("[8,68,", #",{},"a"]"#),
    ])
  func clientIDs(before: String, after: String) throws {
    for id in ["1", "9007199254740992"] { _ = try parse(before + id + after) }
    for id in ["0", "9007199254740993", "9223372036854775807", "18446744073709551616", "-1"] {
      #expect(throws: WAMPError.self, "\(id)") { try parse(before + id + after) }
    }
  }

  @Test("a server may choose any id, because its client only returns it")
  func serverIDs() throws {
    for id in [0, 9_007_199_254_740_993, 9_223_372_036_854_775_807] as [UInt64] {
      #expect(try parse("[2,\(id),{}]") == .welcome(session: id))
      #expect(try parse("[68,\(id),\(id),{}]") == .invocation(request: id, registration: id, payload: nil))
      #expect(try parse("[65,1,\(id)]") == .registered(request: 1, registration: id))
    }
  }

  @Test("a truncated message never crashes the parser", arguments: all)
  func cuts(message: WAMPMessage) {
    let text = message.text
    for length in 0..<text.count {
      _ = text[..<length].withContiguousStorageIfAvailable { try? WAMPMessage.parse($0) }
    }
  }

  @Test(
    "a text that is not a message throws an error",
    arguments: [
      ("", WAMPError.notAMessage), ("7", .notAMessage), ("{}", .notAMessage), ("[]", .notAMessage),
      ("[1.5]", .notAMessage),
      ("[-1]", .notAMessage), ("[null]", .notAMessage), ("[99999999999999999999999]", .notAMessage),
      ("[1]", .malformed(type: 1)), ("[1,2,{}]", .malformed(type: 1)), ("[1,\"a\"]", .malformed(type: 1)),
      ("[64,\"1\",{},\"/a\"]", .malformed(type: 64)), ("[65,1]", .malformed(type: 65)),
      ("[3,[],\"a\"]", .malformed(type: 3)), ("[8,48,1,{},5]", .malformed(type: 8)),
    ])
  func faults(text: String, fault: WAMPError) {
    #expect(throws: fault) { try parse(text) }
  }
}
