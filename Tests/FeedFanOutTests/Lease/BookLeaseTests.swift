import NIOCore
import Platform
import TestSupport
import Testing

@testable import FeedFanOut

extension BookLease.Event {
  var acquired: BookIdentity? { if case .acquired(let identity, _) = self { identity } else { nil } }
  var lost: BookIdentity? { if case .lost(let identity) = self { identity } else { nil } }
  var extended: BookIdentity? { if case .extended(let identity, _) = self { identity } else { nil } }
  var unreplicated: NATSError? { if case .unreplicated(let error) = self { error } else { nil } }
  /// The end of the time for which the lease is confirmed.
  var end: Duration? {
    switch self {
    case .acquired(_, let end), .extended(_, let end): end
    case .lost, .unreachable, .unreplicated: nil
    }
  }
}

extension RealServerTests {
  @Suite struct BookLeaseTests {
    private struct Candidate {
      let connection: NATSConnection
      let lease: BookLease
      let events = EventRecorder<BookLease.Event>()

      init(_ server: NATSServer, _ timing: LeaseTiming = LeaseTiming()) throws {
        connection = try server.connect(name: "book")
        lease = BookLease(connection, try Subjects(name: "test"), timing: timing) { [events] in events.add($0) }
        try lease.start()
      }
    }

    /// Long enough that a busy machine does not lose the lease.
    private static let longTimeToLive: LeaseTiming = {
      var timing = LeaseTiming()
      timing.ttl = .seconds(5)
      return timing
    }()

    @Test("One of two candidates holds the lease; after it stops, the other acquires it with a higher epoch")
    func handsOver() async throws {
      let server = try NATSServer()
      let first = try Candidate(server, Self.longTimeToLive)
      try await first.events.wait { $0.acquired != nil }
      let second = try Candidate(server, Self.longTimeToLive)
      try await first.events.wait { $0.count { $0.extended != nil } >= 8 }
      #expect(second.events.elements.isEmpty)
      first.lease.stop()
      #expect(first.events.elements.last?.lost == first.events.elements.first?.acquired)
      try await second.events.wait { $0.acquired != nil }
      let epochs = [first, second].map { $0.events.elements.compactMap(\.acquired?.epoch)[0] }
      #expect(epochs[1] == epochs[0] + 1)
      second.lease.stop()
    }

    @Test("A disconnected holder loses the lease by itself, and a standby takes over")
    func takesOver() async throws {
      let server = try NATSServer()
      let first = try Candidate(server, Self.longTimeToLive)
      try await first.events.wait { $0.acquired != nil }
      let second = try Candidate(server, Self.longTimeToLive)
      first.connection.close()
      try await first.events.wait { $0.lost != nil }
      try await second.events.wait { $0.acquired != nil }
      let epochs = [first, second].map { $0.events.elements.compactMap(\.acquired?.epoch)[0] }
      #expect(epochs[1] > epochs[0])
    }

    @Test("When NATS is killed, the holder loses the lease; after a restart, a candidate gets it with a new epoch")
    func survivesTheServer() async throws {
      let server = try NATSServer()
      let candidates = [try Candidate(server), try Candidate(server)]
      try await withThrowingTaskGroup { group in
        for candidate in candidates { group.addTask { try await candidate.events.wait { $0.acquired != nil } } }
        try await group.next()
        let holder = candidates.first { $0.events.elements.contains { $0.acquired != nil } }!
        server.kill()
        try await holder.events.wait { $0.lost != nil }
        // Counted before the restart: a candidate can get the lease while the server still starts.
        let known = candidates.map { $0.events.elements.count { $0.acquired != nil } }
        try server.restart()
        try await withThrowingTaskGroup { again in
          for (candidate, known) in zip(candidates, known) {
            again.addTask { try await candidate.events.wait { $0.count { $0.acquired != nil } > known } }
          }
          try await again.next()
          // The other candidate need not get the lease. This event ends the task that waits for it.
          for candidate in candidates { candidate.events.add(.acquired(BookIdentity(epoch: 0, book: 0), until: .zero)) }
        }
      }
      let epochs = candidates.flatMap { $0.events.elements.compactMap(\.acquired?.epoch) }.filter { $0 > 0 }.sorted()
      #expect(epochs.count >= 2)
      #expect(Set(epochs).count == epochs.count)
      for candidate in candidates { candidate.lease.stop() }
    }

    @Test("A deleted bucket is created again, and the term continues")
    func survivesDeletion() async throws {
      let server = try NATSServer()
      // Longer than any delay of a busy machine.
      var timing = LeaseTiming()
      timing.ttl = .seconds(3)
      let first = try Candidate(server, timing)
      try await first.events.wait { $0.acquired != nil }
      let stream = "KV_test-lease-2"
      let answers = EventRecorder<String>()
      let ask = { (operation: String) async throws -> String in
        let count = answers.elements.count
        first.connection.request(ByteBuffer(), to: "$JS.API.STREAM.\(operation).\(stream)", timeout: .seconds(20)) {
          answers.add((try? $0.get()).map { String(buffer: $0) } ?? "")
        }
        try await answers.wait(until: { $0.count > count })
        return answers.elements[count]
      }
      #expect(try await ask("DELETE").contains(#""success":true"#))
      while try await !ask("INFO").contains(#""messages":1"#) {}
      #expect(first.events.elements.count { $0.acquired != nil } == 1)
      #expect(!first.events.elements.contains { $0.lost != nil })
      first.lease.stop()
    }

    @Test("The store reports conflicting writes, and its entries survive a restart of NATS")
    func comparesAndSets() async throws {
      let server = try NATSServer()
      let connection = try server.connect()
      let store = try LeaseStore(connection, bucket: "test-lease-1", timeout: .seconds(20))
      #expect(try store.read() == nil)
      let record = LeaseRecord(epoch: 5, holder: 9)
      #expect(store.write(record, expecting: 3) == .conflict)
      guard case .written(let revision) = store.write(record, expecting: 0) else {
        Issue.record("the lease was not written")
        return
      }
      #expect(try store.read() == LeaseEntry(record: record, revision: revision))
      #expect(store.write(record, expecting: 0) == .conflict)
      #expect(store.write(record, expecting: revision) == .written(revision: revision + 1))
      server.kill()
      try server.restart()
      // A new connection, because the first one needs time to reconnect.
      let later = try LeaseStore(server.connect(), bucket: "test-lease-1", timeout: .seconds(20))
      #expect(try later.read() == LeaseEntry(record: record, revision: revision + 1))
    }
  }
}
