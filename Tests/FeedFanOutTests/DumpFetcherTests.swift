import NIOCore
import OddsModel
import TestSupport
import Testing

@testable import FeedFanOut

extension RealServerTests {
  @Suite(.timeLimit(.minutes(5))) struct DumpFetcherTests {
    private struct Request: Sendable {
      let topic: Topic
      let part: UInt16
      let reply: String
    }

    /// A book that answers only what the test answers, and a gateway that fetches its dumps.
    private struct Cluster {
      let server: NATSServer
      let book: NATSConnection
      let subscription: NATSSubscription
      let fetcher: DumpFetcher
      let requests = EventRecorder<Request>()

      init() throws {
        server = try NATSServer()
        book = try server.connect(name: "book")
        let subjects = try Subjects(name: "test")
        subscription = try book.subscribe(subjects.dump) { [requests] message in
          guard let request = DumpRequest(message.payload), let reply = message.reply else { return }
          requests.add(Request(topic: request.topic, part: request.part, reply: reply))
        }
        try book.flush()
        // A part is requested again only after the test.
        var timing = GatewayTiming()
        timing.dumpTimeout = .seconds(3600)
        timing.partTimeout = .seconds(3600)
        fetcher = DumpFetcher(try server.connect(name: "gateway"), subjects, gateway: 1, timing: timing)
      }

      func answer(_ request: Request, parts: Int) throws {
        let frame = FeedFrame(
          .dump, BookIdentity(epoch: 1, book: 7), offset: 1, part: request.part, parts: UInt16(parts),
          body: ByteBuffer(integer: 1 as UInt64))
        try book.publish(frame.encoded, to: request.reply)
      }
    }

    @Test("A gateway that fetches 512 dumps of 1 MB at once awaits parts of less than 24 MB at a time")
    func takeover() async throws {
      let cluster = try Cluster()
      let (topics, partSize, limit) = (512, BookTiming().partSize, 24_000_000)
      let parts = (1 << 20) / partSize
      for number in 0..<topics { cluster.fetcher.fetch(Topic(path: "/\(number)"), minimum: 0) { _ in } }

      try await cluster.requests.wait(until: { $0.count >= topics })
      let first = cluster.requests.elements
      #expect(first.count * partSize < limit)
      #expect(Set(first.map(\.topic)).count == topics)
      for request in first { try cluster.answer(request, parts: parts) }
      // Now each fetch awaits as many parts as it may.
      let further = (1...topics).reduce(0) { $0 + min(parts - 1, max(1, DumpFetcher.maxWindow / $1)) }
      try await cluster.requests.wait(until: { $0.count >= topics + further })
      let next = cluster.requests.elements[topics...]
      #expect(next.count * partSize < limit)
      #expect(next.allSatisfy { $0.part > 0 })
      withExtendedLifetime(cluster) {}
    }

    @Test("A single fetch awaits up to 2 MiB, also after others have ended")
    func single() async throws {
      let cluster = try Cluster()
      let ends = EventRecorder<Bool>()
      for number in 0..<3 {
        cluster.fetcher.fetch(Topic(path: "/\(number)"), minimum: 0) { ends.add((try? $0.get()) != nil) }
      }
      try await cluster.requests.wait(until: { $0.count >= 3 })
      for request in cluster.requests.elements { try cluster.answer(request, parts: 1) }
      try await ends.wait(until: { $0.count == 3 })
      #expect(ends.elements == [true, true, true])

      cluster.fetcher.fetch(Topic(path: "/3"), minimum: 0) { _ in }
      try await cluster.requests.wait(until: { $0.count >= 4 })
      try cluster.answer(cluster.requests.elements[3], parts: 100)
      try await cluster.requests.wait(until: { $0.count >= 4 + DumpFetcher.maxWindow })
      #expect(DumpFetcher.maxWindow * BookTiming().partSize == 2 << 20)
      withExtendedLifetime(cluster) {}
    }
  }
}
