import NIOCore
import TestSupport
import Testing

@testable import FeedFanOut

extension RealServerTests {
  @Suite struct LeaseClusterTests {
    /// Three servers of one cluster.
    private static func servers() throws -> [NATSServer] {
      let ports = (0..<3).map { _ in ReservedPort() }
      let routes = ports.map { "nats://127.0.0.1:\($0.number)" }
      return try (0..<3).map { index in
        try NATSServer([
          "--cluster_name", "test", "--name", "server-\(index)", "--cluster", routes[index], "--routes",
          routes.joined(separator: ","),
        ])
      }
    }

    @Test("With three servers the lease is on all of them, and the death of any one ends no more than a term")
    func survivesOne() async throws {
      let servers = try Self.servers()
      let events = Journal<BookLease.Event>()
      let connection = try NATSConnection(NATSOptions(servers: servers.map(\.url), name: "book")) { _ in }
      let lease = BookLease(connection, try Subjects(name: "test")) { events.add($0) }
      try lease.start()
      await events.wait { if case .acquired = $0 { true } else { false } }

      let answers = Journal<Result<ByteBuffer, NATSError>>()
      connection.request(ByteBuffer(), to: "$JS.API.STREAM.INFO.KV_test-lease", timeout: .seconds(20)) {
        answers.add($0)
      }
      await answers.wait { !$0.isEmpty }
      #expect(try String(buffer: answers.elements[0].get()).contains(#""num_replicas":3"#))

      for server in servers {
        server.kill()
        let count = events.elements.count
        await events.wait { events in
          events.dropFirst(count).count { if case .extended = $0 { true } else { false } } >= 4
        }
        try server.restart()
        // A second server may only be killed once the first one has caught up: the lease is renewed by all three then,
        // and this asks the cluster.
        await Self.catchUp(connection)
      }
      let epochs = events.elements.compactMap { event -> UInt64? in
        if case .acquired(let identity, _) = event { identity.epoch } else { nil }
      }
      #expect(zip(epochs, epochs.dropFirst()).allSatisfy { $0 < $1 })
      lease.stop()
    }

    /// Returns once no replica of the lease is offline or behind.
    private static func catchUp(_ connection: NATSConnection) async {
      while true {
        let text = await withCheckedContinuation { continuation in
          connection.request(ByteBuffer(), to: "$JS.API.STREAM.INFO.KV_test-lease", timeout: .seconds(2)) {
            continuation.resume(returning: (try? $0.get()).map { String(buffer: $0) } ?? "")
          }
        }
        if text.split(separator: #""current":true"#, omittingEmptySubsequences: false).count == 3 { return }
      }
    }
  }
}
