import EveryMatrix
import NIOCore
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

/// Most tests run beside a good client, which must receive later updates as usual.
@Suite("Bad clients", .timeLimit(.minutes(45)))
struct BadClientTests {
  struct BadFrame: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let first: UInt8
    var content: [UInt8] = Array("[]".utf8)
    var isMasked = true
    /// The number of bytes of the encoded length; nil for the minimum.
    var lengthBytes: Int?
    let fault: SocketError

    var bytes: [UInt8] {
      SocketClient.frame(first, content, mask: isMasked ? SocketClient.mask : nil, lengthBytes: lengthBytes)
    }
  }

  /// Frames that are refused by a server that accepts messages of at most 4,096 bytes.
  static let badFrames: [BadFrame] = [
    BadFrame(
      testDescription: "too long", first: 0x81, content: [UInt8](repeating: 0x20, count: 5000), fault: .tooLarge(4096)
    ),
    BadFrame(testDescription: "no UTF-8", first: 0x81, content: [0x22, 0xC3, 0x28, 0x22], fault: .notUTF8),
    BadFrame(testDescription: "a surrogate in UTF-8", first: 0x81, content: [0xED, 0xA0, 0x80], fault: .notUTF8),
    BadFrame(testDescription: "not masked", first: 0x81, isMasked: false, fault: .unmasked),
    BadFrame(testDescription: "binary", first: 0x82, fault: .binary),
    BadFrame(testDescription: "a reserved bit", first: 0xC1, fault: .reserved),
    BadFrame(testDescription: "a reserved type", first: 0x83, fault: .reserved),
    BadFrame(testDescription: "a rest without a beginning", first: 0x80, fault: .fragments),
    BadFrame(testDescription: "a ping in fragments", first: 0x09, fault: .malformed),
    BadFrame(
      testDescription: "a long ping", first: 0x89, content: [UInt8](repeating: 0, count: 126), fault: .malformed),
    BadFrame(testDescription: "a length of 2 in three bytes", first: 0x81, lengthBytes: 3, fault: .length),
    BadFrame(testDescription: "a length of 2 in nine bytes", first: 0x81, lengthBytes: 9, fault: .length),
    BadFrame(
      testDescription: "a length of 300 in nine bytes", first: 0x81, content: [UInt8](repeating: 0x20, count: 300),
      lengthBytes: 9, fault: .length),
    BadFrame(testDescription: "a close frame of 1 byte", first: 0x88, content: [3], fault: .closeCode),
    BadFrame(
      testDescription: "a close reason that is no UTF-8", first: 0x88, content: [0x03, 0xE8, 0xC3, 0x28],
      fault: .notUTF8),
  ]

  /// Close frames with codes that are not valid.
  static let badCodes = [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535].map { code in
    BadFrame(
      testDescription: "a close frame with the code \(code)", first: 0x88,
      content: [UInt8(code >> 8), UInt8(code & 0xFF)], fault: .closeCode)
  }

  @Test("an invalid frame is answered with the matching close code", arguments: badFrames + badCodes)
  func frame(_ bad: BadFrame) async throws {
    try await withGoodClient { server in
      let client = try await SocketClient.session(to: server.port)
      client.raw.send(bad.bytes)
      let end = await client.next()
      #expect(end == .close(bad.fault.code, "\(bad.fault)"))
      client.send(0x88, [0x03, 0xE8])
      let last = await client.next()
      #expect(last == .end)
    }
  }

  @Test("the total size of fragments is limited like that of one frame")
  func fragments() async throws {
    try await withGoodClient { server in
      let client = try await SocketClient.session(to: server.port)
      client.send(0x01, [UInt8](repeating: 0x20, count: 2000))
      for _ in 0..<3 { client.send(0x00, [UInt8](repeating: 0x20, count: 2000)) }
      let end = await client.next()
      #expect(end == .close(1009, "\(SocketError.tooLarge(4096))"))
    }
  }

  @Test("a length with its highest bit set is rejected before the payload arrives")
  func highestBit() async throws {
    try await withGoodClient { server in
      let client = try await SocketClient.session(to: server.port)
      client.raw.send([0x81, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 1])
      let end = await client.next()
      #expect(end == .close(1002, "\(SocketError.length)"))
    }
  }

  @Test("frames after an invalid frame are not answered and do not prevent the close frame")
  func afterwards() async throws {
    try await withGoodClient { server in
      let client = try await SocketClient.session(to: server.port)
      client.send(0x82, [1])
      for _ in 0..<20 { client.send(0x89, []) }
      let end = await client.next()
      #expect(end == .close(1003, "\(SocketError.binary)"))
      let last = await client.next()
      #expect(last == .end)
    }
  }

  @Test("a close frame is answered with its code", arguments: [1000, 1003, 1007, 1014, 3000, 4999] as [UInt16])
  func close(_ code: UInt16) async throws {
    try await withGoodClient { server in
      let client = try await SocketClient.session(to: server.port)
      client.send(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)] + "gone".utf8)
      let end = await client.next()
      #expect(end == .close(code, ""))
      let last = await client.next()
      #expect(last == .end)
    }
  }

  @Test("a frame with a huge length is rejected before the payload arrives")
  func announced() async throws {
    try await withGoodClient { server in
      let client = try await SocketClient.session(to: server.port)
      client.raw.send([0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4])
      let end = await client.next()
      #expect(end == .close(1009, "\(SocketError.tooLarge(4096))"))
    }
  }

  @Test("text that is not WAMP, or is sent before HELLO, is answered with ABORT")
  func noWAMP() async throws {
    try await withGoodClient { server in
      for text in ["[]", "nonsense", "[64,1,{},\"/x\"]", "[1]", "\u{0}", String(repeating: "[", count: 4000)] {
        let client = try await SocketClient(to: server.port)
        client.send(text)
        let abort = await client.text()
        #expect(abort?.hasPrefix("[3,") == true && abort?.contains("wamp.error.protocol_violation") == true)
        let end = await client.next()
        #expect(end == .close(1002, ""))
      }
    }
  }

  @Test("topics above the limit of a session get ERROR, and a flood of requests ends the session")
  func flood() async throws {
    try await withServer(try ManualBookFeed(), Self.setLowLimits) { server in
      let client = try await SocketClient.session(to: server.port)
      func register(_ numbers: ClosedRange<Int>) {
        for number in numbers {
          let topic = Topic.aggregator(.popular, matches: number)
          client.send(.register(request: UInt64(number), procedure: topic.path))
        }
      }
      var received: [String] = []
      register(1...12)
      while received.count < 12, let text = await client.text() { received.append(text) }
      #expect(received.prefix(8).allSatisfy { $0.hasPrefix("[65,") })
      #expect(received.dropFirst(8).allSatisfy { $0.hasPrefix("[8,64,") && $0.contains("toteboard.error.limit") })
      register(13...400)
      while let text = await client.text() { received.append(text) }
      #expect(received.last?.hasPrefix("[3,") == true && received.last?.contains("per second") == true)
    }
  }

  @Test("answers to invocations do not count toward the request limit")
  func manyAnswers() async throws {
    let script = ScriptedFeed()
    try await withServer(script, Self.setLowLimits) { server in
      let client = try await SocketClient.session(to: server.port)
      _ = await client.register(ScriptedFeed.topic)
      for number in 1...300 {
        script.schedule(FeedText.update(FeedText.odds(121, "\(number)")))
        server.feed.tick()
        let update = await client.nextUpdate()
        #expect(update?.contains("\"odds\":\(number)}") == true)
      }
    }
  }

  @Test("a client that sends no HELLO in time gets ABORT")
  func noHello() async throws {
    try await withServer(ScriptedFeed(), { $0.limits.helloTime = .milliseconds(20) }) { server in
      let client = try await SocketClient(to: server.port)
      let abort = await client.text()
      #expect(abort?.contains("no HELLO arrived in time") == true)
      let end = await client.next()
      #expect(end == .close(1008, "no HELLO arrived in time: send it right after the handshake"))
    }
  }

  @Test(
    "an incomplete request gets 408 after the timeout", arguments: ["", "GET /v2 HTTP/1.1\r\nHost: a\r\nX-"])
  func slowLoris(_ beginning: String) async throws {
    try await withServer(ScriptedFeed(), { $0.limits.requestTime = .milliseconds(30) }) { server in
      let client = try await RawClient(to: server.port)
      client.send(beginning)
      let answer = await client.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains("send it without delay"))
    }
  }

  @Test("an incomplete later request on the same connection ends the connection after the timeout")
  func slowLater() async throws {
    try await withServer(ScriptedFeed(), { $0.limits.requestTime = .milliseconds(200) }) { server in
      let client = try await RawClient(to: server.port)
      client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = await client.read(through: "ok\n")
      client.send("POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
      let rest = await client.readToEnd()
      #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 408 ") || rest.hasPrefix("HTTP/1.1 404 "))
    }
  }

  @Test(
    "invalid HTTP is answered with 400",
    arguments: [
      "\u{16}\u{3}\u{1}\u{2}", "GARBAGE\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
      "GET / HTTP/1.1\r\nX: " + String(repeating: "y", count: 20_000) + "\r\n\r\n",
    ])
  func garbage(_ text: String) async throws {
    try await withGoodClient { server in
      let client = try await RawClient(to: server.port)
      client.send(text)
      let answer = await client.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test("garbage after a request gets 400, and the connection is closed")
  func lateGarbage() async throws {
    try await withGoodClient { server in
      let client = try await RawClient(to: server.port)
      client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
      let first = await client.read(through: "ok\n")
      #expect(first?.hasPrefix("HTTP/1.1 200") == true)
      client.send("\u{1}\u{2}\r\n\r\n")
      let answer = await client.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test("a connection that closes in the middle of its first frame does not affect other clients")
  func early() async throws {
    try await withGoodClient { server in
      let client = try await RawClient(to: server.port)
      client.send(SocketClient.handshake() + "\u{1}")
      _ = try await client.channel.close().get()
    }
  }

  // MARK: Helpers

  /// Sets the low limits that these tests exceed.
  private static func setLowLimits(_ options: inout ServerOptions) {
    options.limits.frameSize = 4096
    options.limits.topics = 8
    options.limits.requestBurst = 100
    options.limits.requestRate = 1
    options.limits.closeTime = .milliseconds(500)
  }

  /// Runs a bad client beside a good one.
  private func withGoodClient(_ body: (RunningServer) async throws -> Void) async throws {
    let script = ScriptedFeed()
    try await withServer(script, Self.setLowLimits) { server in
      let good = try await SocketClient.session(to: server.port)
      _ = await good.register(ScriptedFeed.topic)
      try await body(server)
      script.schedule(FeedText.update(FeedText.odds(121, "2.5")))
      server.feed.tick()
      let update = await good.nextUpdate()
      #expect(update == FeedText.update(FeedText.odds(121, "2.5")))
    }
  }
}
