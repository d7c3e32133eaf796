import NIOCore
import Platform
import TestSupport
import Testing

@testable import FeedFanOut

extension NATSConnection.Event {
  fileprivate var isDisconnected: Bool { if case .disconnected = self { true } else { false } }
  fileprivate var isReconnected: Bool { if case .reconnected = self { true } else { false } }
  fileprivate var isConnected: Bool { if case .connected = self { true } else { false } }
  fileprivate var isClosed: Bool { if case .closed = self { true } else { false } }
  fileprivate var isSlowConsumer: Bool { if case .slowConsumer = self { true } else { false } }
}

extension RealServerTests {
  @Suite struct NATSConnectionTests {
    @Test("Invalid options are rejected with an error that has the value and the remedy")
    func refusesOptions() throws {
      func refusal(_ options: NATSOptions) -> String? {
        do throws(NATSError) {
          _ = try NATSConnection(options) { _ in }
          return nil
        } catch {
          return error.description
        }
      }
      #expect(
        refusal(NATSOptions(servers: ["http://a"], name: "x"))
          == "'http://a' is no NATS address: use one such as 'nats://host:4222'")
      #expect(
        refusal(NATSOptions(servers: ["nats://127.0.0.1:1"], credentialsFile: "/nowhere/x.creds", name: "x"))
          == "'/nowhere/x.creds' cannot be read: check the path and the permissions")
      #expect(
        refusal(NATSOptions(servers: ["nats://127.0.0.1:1"], certificateFile: "/etc/hosts", name: "x"))
          == "'/etc/hosts' needs its counterpart: give both a certificate and its key")
      #expect(throws: NATSError.self) { try Subjects(name: "a.b") }
    }

    @Test("A TLS server is accepted only if its certificate is for its host and signed by the given authority")
    func verifiesCertificates() throws {
      let server = try NATSServer([
        "--tls", "--tlscert", Self.fixture("good.pem"), "--tlskey", Self.fixture("good.key"),
      ])
      var options = NATSOptions(servers: ["tls://localhost:\(server.port)"], name: "tls")
      #expect(try !NATSConnection(options) { _ in }.isConnected, "an authority that is not known was trusted")
      options.authorityFile = Self.fixture("ca.pem")
      #expect(try NATSConnection(options) { _ in }.isConnected)
      let strange = try NATSServer([
        "--tls", "--tlscert", Self.fixture("elsewhere.pem"), "--tlskey", Self.fixture("elsewhere.key"),
      ])
      options.servers = ["tls://localhost:\(strange.port)"]
      #expect(try !NATSConnection(options) { _ in }.isConnected, "a certificate for another host was accepted")
    }

    @Test("The user name and password in the address are used, and wrong ones do not connect")
    func logsIn() throws {
      let server = try NATSServer(["--user", "book", "--pass", "secret"])
      func isConnected(_ login: String) throws -> Bool {
        try NATSConnection(NATSOptions(servers: ["nats://\(login)127.0.0.1:\(server.port)"], name: "x")) { _ in }
          .isConnected
      }
      #expect(try isConnected("book:secret@"))
      #expect(try !isConnected("book:wrong@"))
      #expect(try !isConnected(""))
    }

    /// Returns the path of a file with a test certificate or a key.
    private static func fixture(_ name: String) -> String {
      let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
      return "/\(tests)/FeedNetworkTests/Fixtures/\(name)"
    }

    @Test("A message arrives unchanged, and a request gets its answer")
    func delivers() async throws {
      let server = try NATSServer()
      let (a, b) = (try server.connect(), try server.connect())
      let received = EventRecorder<NATSMessage>()
      let subscription = try b.subscribe("test.*") { [weak b] message in
        received.add(message)
        if let reply = message.reply { try? b?.publish(ByteBuffer(string: "answer"), to: reply) }
      }
      try b.flush()
      let payload = ByteBuffer(bytes: (0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
      try a.publish(payload, to: "test.bytes")
      try a.publish(ByteBuffer(), to: "test.empty")
      try await received.wait { $0.count == 2 }
      #expect(received.elements.map(\.subject) == ["test.bytes", "test.empty"])
      #expect(received.elements.map(\.payload) == [payload, ByteBuffer()])

      let answers = EventRecorder<Result<ByteBuffer, NATSError>>()
      a.request(ByteBuffer(string: "question"), to: "test.question", timeout: .seconds(30)) { answers.add($0) }
      try await answers.wait { $0.count == 1 }
      #expect(try answers.elements[0].get() == ByteBuffer(string: "answer"))
      subscription.cancel()
    }

    @Test("A request without responders fails at once, and one without an answer fails after its timeout")
    func failsRequests() async throws {
      let server = try NATSServer()
      let connection = try server.connect()
      let errors = EventRecorder<NATSError.Code?>()
      let report: @Sendable (Result<ByteBuffer, NATSError>) -> Void = { result in
        if case .failure(let error) = result { errors.add(error.code) } else { errors.add(nil) }
      }
      connection.request(ByteBuffer(), to: "nobody", timeout: .seconds(600), completion: report)
      try await errors.wait { $0.count == 1 }
      let silent = try connection.subscribe("silent") { _ in }
      connection.request(ByteBuffer(), to: "silent", timeout: .milliseconds(20), completion: report)
      try await errors.wait { $0.count == 2 }
      #expect(errors.elements == [.noResponders, .timedOut])
      withExtendedLifetime(silent) {}
    }

    @Test("After a restart of the server, the connection reconnects and its subscriptions continue")
    func reconnects() async throws {
      let server = try NATSServer()
      let events = EventRecorder<NATSConnection.Event>()
      let connection = try server.connect { events.add($0) }
      let received = EventRecorder<NATSMessage>()
      let subscription = try connection.subscribe("test") { received.add($0) }
      server.kill()
      try await events.wait { $0.isDisconnected }
      // The library buffers at most one message while it is disconnected.
      try? connection.publish(ByteBuffer(string: "kept"), to: "other")
      #expect(throws: NATSError.self) { try connection.publish(ByteBuffer(string: "lost"), to: "test") }
      try server.restart()
      try await events.wait { $0.isReconnected }
      try connection.publish(ByteBuffer(string: "after"), to: "test")
      try await received.wait { $0.last?.payload == ByteBuffer(string: "after") }
      withExtendedLifetime(subscription) {}
    }

    @Test("A connection created before its server starts connects later")
    func connectsLater() async throws {
      let port = ReservedPort()
      let events = EventRecorder<NATSConnection.Event>()
      let options = NATSOptions(servers: ["nats://127.0.0.1:\(port.number)"], name: "early")
      let connection = try NATSConnection(options) { events.add($0) }
      #expect(!connection.isConnected)
      let received = EventRecorder<NATSMessage>()
      let subscription = try connection.subscribe("test") { received.add($0) }
      // NB: Go can listen on an address that is bound by a socket that does not listen.
      let server = try NATSServer(port: port.number)
      try await events.wait { $0.isConnected }
      try connection.publish(ByteBuffer(string: "hello"), to: "test")
      try await received.wait { $0.count == 1 }
      withExtendedLifetime((server, subscription)) {}
    }

    @Test("A slow subscriber is notified of the number of dropped messages")
    func dropsMessages() async throws {
      let server = try NATSServer()
      let events = EventRecorder<NATSConnection.Event>()
      let connection = try server.connect { events.add($0) }
      let drops = EventRecorder<Int>()
      let gate = DispatchGate()
      let received = EventRecorder<NATSMessage>()
      let subscription = try connection.subscribe("test", limit: 10_000) {
        drops.add($0)
      } onMessage: { message in
        gate.wait()
        received.add(message)
      }
      for _ in 0..<100 { try connection.publish(ByteBuffer(repeating: 0, count: 1000), to: "test") }
      try await events.wait { $0.isSlowConsumer }
      try await drops.wait { $0.count > 0 }
      gate.open()
      #expect(drops.elements[0] > 0)
      withExtendedLifetime(subscription) {}
    }

    @Test("Draining handles the messages that have arrived, then closes the connection")
    func drains() async throws {
      let server = try NATSServer()
      let events = EventRecorder<NATSConnection.Event>()
      let connection = try server.connect { events.add($0) }
      let received = EventRecorder<NATSMessage>()
      let subscription = try connection.subscribe("test") { received.add($0) }
      for _ in 0..<1000 { try connection.publish(ByteBuffer(string: "x"), to: "test") }
      try connection.flush()
      try connection.drain()
      try await events.wait { $0.isClosed }
      #expect(received.elements.count == 1000)
      #expect(throws: NATSError.self) { try connection.publish(ByteBuffer(), to: "test") }
      withExtendedLifetime(subscription) {}
    }

    @Test(
      "No handler starts after its subscription is cancelled, and a connection can be released while messages arrive")
    func endsCallbacks() async throws {
      let server = try NATSServer()
      let sender = try server.connect()
      for _ in 0..<20 {
        let received = EventRecorder<Int>()
        var connection: NATSConnection? = try server.connect()
        var subscription: NATSSubscription? = try connection!.subscribe("test") { _ in received.add(1) }
        try connection!.flush()
        for _ in 0..<200 { try sender.publish(ByteBuffer(string: "x"), to: "test") }
        try await received.wait { !$0.isEmpty }
        subscription!.cancel()
        // One call may have started before the cancellation.
        let count = received.elements.count
        subscription = nil
        connection = nil
        try sender.flush()
        #expect(received.elements.count <= count + 1)
      }
    }
  }
}
