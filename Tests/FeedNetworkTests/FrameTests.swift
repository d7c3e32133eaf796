import NIOCore
import OddsFeed
import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedNetwork

@Suite("The frames of a WebSocket", .timeLimit(.minutes(45)))
struct FrameTests {
  private static func summaries(
    of script: @escaping @Sendable (inout Peer) async throws -> Void, limits: NetworkLimits = .withLongTimeouts
  ) async throws -> [String] {
    try await TestClient(limits: limits).connected { peer in
      try await peer.accept()
      try await script(&peer)
    } _: {
      await $0.events().map(\.summary)
    }
  }

  @Test("Frames that arrive byte by byte, or all at once, give the same text")
  func splitAndMerged() async throws {
    let long = String(repeating: "ä", count: 40_000)
    let frames = Peer.text("a") + Peer.text("") + Peer.text("Köln 浦和 🏀") + Peer.text(long) + Peer.close(1000)
    let expected = ["text a", "text ", "text Köln 浦和 🏀", "text \(long)", "closed(code: Optional(1000))"]
    let merged = try await Self.summaries { peer in
      try await peer.send(frames)
      try await peer.end()
    }
    #expect(merged == expected)
    let split = try await Self.summaries { peer in
      for byte in frames[..<200] { try await peer.send([byte]) }
      try await peer.send(Array(frames[200...]))
      try await peer.end()
    }
    #expect(split == expected)
  }

  @Test("A partially received message is reported as progress")
  func progress() async throws {
    let (signals, signal) = AsyncStream.makeStream(of: Void.self)
    let events = try await TestClient(limits: .withLongTimeouts).connected { peer in
      try await peer.accept()
      let frame = Peer.text("Köln")
      for await _ in signals { break }
      try await peer.send(Array(frame[..<4]))
      for await _ in signals { break }
      try await peer.send(Array(frame[4...]))
      try await peer.end()
    } _: { connection in
      signal.yield()
      var first = await connection.read()
      signal.yield()
      first += await connection.events { !$0.isEmpty }
      return first.map(\.summary)
    }
    #expect(events == ["progress", "text Köln"])
  }

  @Test("Fragments form one message, and pings between them are answered in order")
  func fragments() async throws {
    let answers = EventRecorder<Peer.Frame?>()
    let events = try await Self.summaries { peer in
      // A character is split between two fragments.
      let bytes = Array("Köln".utf8)
      try await peer.send(Peer.frame(1, Array(bytes[..<2]), isLast: false) + Peer.frame(9, [1, 2, 3]))
      answers.add(try await peer.frame())
      try await peer.send(Peer.frame(0, Array(bytes[2...3]), isLast: false) + Peer.frame(10, []) + Peer.frame(9, []))
      answers.add(try await peer.frame())
      try await peer.send(Peer.frame(0, Array(bytes[4...])) + Peer.close(nil))
      answers.add(try await peer.frame())
      answers.add(try await peer.frame())
    }
    #expect(events == ["pong", "text Köln", "closed(code: nil)"])
    #expect(
      answers.elements == [
        Peer.Frame(opcode: 10, bytes: [1, 2, 3]), Peer.Frame(opcode: 10, bytes: []), Peer.Frame(opcode: 8, bytes: []),
        nil,
      ])
  }

  @Test("A ping is answered by a pong, and frames are sent masked and in order")
  func sending() async throws {
    let frames = EventRecorder<Peer.Frame?>()
    let long = String(repeating: "x", count: 70_000)
    try await TestClient().connected { peer in
      try await peer.accept()
      for _ in 1...4 { frames.add(try await peer.frame()) }
      try await peer.send(Peer.frame(10, []))
      frames.add(try await peer.frame())
      try await peer.send(Peer.close(1000))
    } _: { connection in
      for text in ["a", "", long] { connection.send(Array(text.utf8)) }
      connection.ping(1)
      #expect(await connection.read().map(\.summary) == ["pong"])
      connection.close(code: 1000)
      connection.close(code: 1001)
      connection.send([65])
      #expect(await connection.events().map(\.summary) == ["closed(code: Optional(1000))"])
      connection.close(code: 1000)
      connection.ping(1)
    }
    #expect(frames.elements.map { $0?.opcode } == [1, 1, 1, 9, 8])
    #expect(frames.elements.map { $0?.isMasked } == [true, true, true, true, true])
    #expect(frames.elements.prefix(3).map { $0?.text } == ["a", "", long])
    #expect(frames.elements[4]?.bytes == [0x03, 0xE8])
  }

  @Test("The peer's close frame is answered, and its code and reason are part of the error")
  func closedByPeer() async throws {
    let answers = EventRecorder<Peer.Frame?>()
    try await TestClient().connected { peer in
      try await peer.accept()
      try await peer.send(Peer.text("x") + Peer.close(4001, "see\u{1B}[2J you\nlater") + Peer.text("too late"))
      answers.add(try await peer.frame())
    } _: { connection in
      let events = await connection.events()
      #expect(events.map(\.summary) == ["text x", "closed(code: Optional(4001))"])
      let message = events.last?.connectionError?.problem.message
      #expect(message?.hasSuffix("closed the connection with code 4001: 'see[2J you later'") == true)
    }
    #expect(answers.elements == [Peer.Frame(opcode: 8, bytes: [0x0F, 0xA1])])
  }

  @Test("The connection ends even if the peer does not answer a close frame")
  func silentClose() async throws {
    var limits = NetworkLimits.withLongTimeouts
    limits.close = .milliseconds(20)
    let ended = EventRecorder<Bool>()
    try await TestClient(limits: limits).connected { peer in
      try await peer.accept()
      try await peer.end()
      ended.add(true)
    } _: { connection in
      connection.close(code: 1000)
      #expect(await connection.events().map(\.summary) == ["closed(code: Optional(1000))"])
      try await ended.wait { !$0.isEmpty }
      #expect(!ended.elements.isEmpty)
    }
  }

  @Test("A frame that is invalid, not UTF-8 or too long ends the connection with the matching close code")
  func garbage() async throws {
    var limits = NetworkLimits.withLongTimeouts
    limits.messageBytes = 1000
    let long = [UInt8](repeating: 65, count: 600)
    let cases: [(name: String, frames: [UInt8], code: UInt16)] = [
      ("bad UTF-8", Peer.frame(1, [0xC3, 0x28]), 1007),
      ("UTF-8 cut short", Peer.frame(1, [0x61], isLast: false) + Peer.frame(0, [0xC3]), 1007),
      ("binary", Peer.frame(2, [1]), 1003), ("reserved bit", Peer.frame(0x41, [65]), 1002),
      ("reserved opcode", Peer.frame(3, [65]), 1002), ("masked", Peer.frame(1, [65], isMasked: true), 1002),
      ("continuation of nothing", Peer.frame(0, [65]), 1002),
      ("text in a message", Peer.frame(1, [65], isLast: false) + Peer.frame(1, [65]), 1002),
      ("frame too long", Peer.frame(1, long + long), 1009),
      ("message too long", Peer.frame(1, long, isLast: false) + Peer.frame(0, long), 1009),
      ("length beyond all", [0x81, 127, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 1009),
      ("ping in fragments", Peer.frame(9, [1], isLast: false), 1002),
      ("ping too long", Peer.frame(9, [UInt8](repeating: 0, count: 126)), 1002),
      ("close of one byte", Peer.frame(8, [3]), 1002), ("close with a code that is none", Peer.close(1005), 1002),
      ("close with a reason that is no UTF-8", Peer.frame(8, [3, 0xE8, 0xFF]), 1002),
    ]
    for (name, frames, code) in cases {
      let answers = EventRecorder<Peer.Frame?>()
      let events = try await Self.summaries(
        of: { peer in
          try await peer.send(Peer.text("before") + frames)
          answers.add(try await peer.frame())
        }, limits: limits)
      #expect(events == ["text before", "protocolViolation"], "\(name)")
      #expect(answers.elements == [Peer.Frame(opcode: 8, bytes: [UInt8(code >> 8), UInt8(code & 0xFF)])], "\(name)")
    }
  }

  @Test("A connection lost within a frame delivers the frames before it and then the loss")
  func halfFrame() async throws {
    let cut = try await TestClient().connected { peer in
      try await peer.accept()
      _ = try await peer.frame()
      try await peer.send(Peer.text("a") + Peer.frame(1, [UInt8](repeating: 65, count: 500)).prefix(100))
    } _: { connection in
      connection.ping(1)
      return await connection.events().map(\.summary)
    }
    #expect(cut == ["text a", "lost"])
    let reset = try await TestClient().connected { peer in
      try await peer.accept()
      _ = try await peer.frame()
      try await peer.reset()
    } _: { connection in
      connection.ping(1)
      return await connection.events().map(\.summary)
    }
    #expect(reset == ["lost"])
  }

  @Test("Backpressure stops a fast peer: the buffer stays bounded, and no message is lost")
  func backpressure() async throws {
    let (count, size) = (3000, 50_000)
    var limits = NetworkLimits.withLongTimeouts
    limits.inbox = .init(count: 4096, cost: 1 << 20)
    try await TestClient(limits: limits).connected { peer in
      try await peer.accept()
      let filling = String(repeating: ".", count: size)
      for number in 0..<count { try await peer.send(Peer.text("\(number) \(filling)")) }
      try await peer.send(Peer.close(1000))
      try await peer.end()
    } _: { connection in
      let held = try #require(connection as? WebSocketConnection)
      await eventually { held.isFull }
      #expect(held.isFull)
      var (next, maxHeld, isOver) = (0, 0, false)
      while !isOver {
        let events = await connection.read()
        var bytes = 0
        for event in events where !event.isProgress {
          guard case .text(let text) = event else {
            #expect(event.summary == "closed(code: Optional(1000))")
            isOver = true
            continue
          }
          #expect(text.starts(with: Array("\(next) ".utf8)))
          next += 1
          bytes += text.count
        }
        maxHeld = max(maxHeld, bytes)
        if events.isEmpty { isOver = true }
        // From time to time the reader lets the peer catch up.
        if next % 7 == 0, next < count / 2 { await eventually { held.isFull } }
      }
      #expect(next == count)
      // The limit has room for the data of one turn of the event loop.
      #expect(maxHeld < 2 << 20)
    }
  }

  @Test("A cancelled read returns nothing, and the next read returns the next message")
  func cancelledReader() async throws {
    try await TestClient().connected { peer in
      try await peer.accept()
      _ = try await peer.frame()
      try await peer.send(Peer.text("a"))
      try await peer.end()
    } _: { connection in
      let reading = Task { await connection.read().count }
      reading.cancel()
      let count = try? await reading.cancellableValue
      #expect(count == 0)
      connection.ping(1)
      #expect(await connection.read().map(\.summary) == ["text a"])
    }
  }

  @Test("A connection without references is closed")
  func forgotten() async throws {
    let ended = EventRecorder<Bool>()
    try await PeerServer.run { peer in
      try await peer.accept()
      try await peer.end()
      ended.add(true)
    } with: { server in
      try await TestClient().connector(to: server.port) { connector in
        _ = try await connector.connect()
        try await ended.wait { !$0.isEmpty }
        #expect(!ended.elements.isEmpty)
      }
    }
  }
}
