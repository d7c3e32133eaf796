import NIOCore
import TestSupport
import Testing

@testable import FeedFanOut

extension RealServerTests {
  @Suite struct LeaseClusterTests {
    /// Three servers of one cluster, a candidate for the lease, and its events.
    private struct Cluster {
      private(set) var servers: [NATSServer]
      private let arguments: [[String]]
      let connection: NATSConnection
      let lease: BookLease
      let events = EventRecorder<BookLease.Event>()

      /// - Parameters:
      ///   - count: The number of servers that start at once.
      ///   - spreads: False if the leaders are not distributed over the servers.
      init(starting count: Int = 3, spreads: Bool) throws {
        let ports = (0..<3).map { _ in ReservedPort() }
        let routes = ports.map { "nats://127.0.0.1:\($0.number)" }
        arguments = (0..<3).map { index in
          [
            "--cluster_name", "test", "--name", "server-\(index)", "--cluster", routes[index], "--routes",
            routes.joined(separator: ","),
          ]
        }
        servers = try arguments.prefix(count).map { try NATSServer($0) }
        // Longer than any delay of a busy machine, and shorter than NATS needs to elect a leader.
        var timing = LeaseTiming()
        timing.ttl = .seconds(3)
        timing.leaderCheckInterval = spreads ? .milliseconds(100) : .seconds(3600)
        timing.leaderMoveInterval = .seconds(1)
        connection = try NATSConnection(NATSOptions(servers: servers.map(\.url), name: "book")) { _ in }
        lease = BookLease(connection, try Subjects(name: "test"), timing: timing) { [events] in events.add($0) }
        try lease.start()
      }

      mutating func startLast() throws { servers.append(try NATSServer(arguments[servers.count])) }

      /// Returns the answer of the first server that answers.
      func ask(_ subject: String) async throws -> String {
        while true {
          let answer = try await completionValue { completion in
            connection.request(ByteBuffer(), to: subject, timeout: .seconds(2), completion: completion)
          }
          if let answer = try? answer.get() { return String(buffer: answer) }
        }
      }

      /// Returns the leaders of the streams once each stream has three replicas, a leader and two current followers,
      /// and the leaders meet the condition.
      @discardableResult func leaders(where isMet: ([Int]) -> Bool) async throws -> [Int] {
        while true {
          var leaders: [Int] = []
          for key in 1...3 {
            let text = try await information(of: "lease-\(key)")
            let current = text.split(separator: #""current":true"#, omittingEmptySubsequences: false).count - 1
            guard let index = (0..<3).first(where: { text.contains(#""leader":"server-\#($0)""#) }), current == 2,
              text.contains(#""num_replicas":3"#)
            else { break }
            leaders.append(index)
          }
          if leaders.count == 3, lease.confirmedKeys == 3, isMet(leaders) { return leaders }
        }
      }

      /// Kills a server. Returns after the holder has lost the lease, or has extended it beyond the end that was
      /// confirmed before.
      func kill(_ server: Int) async throws {
        let count = events.elements.count
        servers[server].kill()
        let end = events.elements.compactMap(\.end).max()!
        try await events.wait { events in
          events.dropFirst(count).contains { $0.lost != nil } || events.contains { $0.end ?? .zero > end + .seconds(3) }
        }
      }

      func information(of bucket: String) async throws -> String {
        try await ask("$JS.API.STREAM.INFO.KV_test-\(bucket)")
      }

      var epochs: [UInt64] { events.elements.compactMap(\.acquired?.epoch) }
    }

    @Test("The leaders of the three keys move to three servers, and the loss of any server does not end the term")
    func survivesOne() async throws {
      let cluster = try Cluster(spreads: true)
      for server in 0..<3 {
        try await cluster.leaders { Set($0).count == 3 }
        try await cluster.kill(server)
        try cluster.servers[server].restart()
      }
      #expect(cluster.epochs.count == 1)
      #expect(!cluster.events.elements.contains { $0.lost != nil })
      cluster.lease.stop()
    }

    @Test("A lease and accounts created on two servers have three replicas after the third server starts")
    func addsReplicas() async throws {
      var cluster = try Cluster(starting: 2, spreads: true)
      try await cluster.events.wait { $0.acquired != nil }
      let identity = try #require(cluster.events.elements.compactMap(\.acquired).first)
      _ = try AccountStore(cluster.connection, try Subjects(name: "test")).load(identity)
      try await cluster.events.wait { $0.unreplicated != nil }
      while !Task.isCancelled, cluster.lease.replicas != 1 { await Task.yield() }
      try cluster.startLast()
      try await cluster.leaders { Set($0).count == 3 }
      while try await !cluster.information(of: "accounts").contains(#""num_replicas":3"#) {}
      while !Task.isCancelled, cluster.lease.replicas != 3 { await Task.yield() }
      #expect(cluster.epochs.count == 1)
      cluster.lease.stop()
    }

    @Test("After the loss of a server that leads two keys, the term continues or a later one follows")
    func losesTwoKeys() async throws {
      let cluster = try Cluster(spreads: false)
      var leaders = try await cluster.leaders { _ in true }
      while Set(leaders).count == 3 {
        _ = try await cluster.ask("$JS.API.STREAM.LEADER.STEPDOWN.KV_test-lease-1")
        leaders = try await cluster.leaders { _ in true }
      }
      let server = leaders.first { leader in leaders.count { $0 == leader } > 1 }!
      try await cluster.kill(server)
      if cluster.events.elements.contains(where: { $0.lost != nil }) {
        try await cluster.events.wait { $0.count { $0.acquired != nil } >= 2 }
      }
      #expect(zip(cluster.epochs, cluster.epochs.dropFirst()).allSatisfy { $0 < $1 })
      cluster.lease.stop()
    }
  }
}
