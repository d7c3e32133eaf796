import NIOCore
import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedFanOut

extension RealServerTests {
  @Suite(.timeLimit(.minutes(5))) struct ListDumpTests {
    private let topics = (0..<2).map { Topic(path: "/\($0)") }

    @Test("At a book and its gateways, the dump for a client does not wait for those of lists, also of the same topic")
    func clientsFirst() async throws {
      let (server, subjects, book) = (try NATSServer(), try Subjects(name: "test"), TestBook(topics))
      let publisher = BookPublisher(try server.connect(name: "book"), subjects, origin: book.origin)
      publisher.activate(BookIdentity(epoch: 1, book: 7), until: ClientClock.live.uptime() + .seconds(3600))
      var timing = GatewayTiming()
      timing.messagesAfterDump = 0
      // A list's dump is not given up while it is blocked, however slow the machine is.
      timing.dumpTimeout = .seconds(3600)
      let (events, news) = (EventRecorder<BookSubscriber.Event>(), EventRecorder<Int>())
      let subscriber = BookSubscriber(try server.connect(name: "gateway"), subjects, timing: timing) { events.add($0) }
      try subscriber.start { news.add(1) }
      try await events.wait { if case .book(.found) = $0 { true } else { false } }
      let reader = TestTopicReader(subscriber, topics[1])
      #expect(try await reader.open() == nil)
      // The message makes the dump too old for further clients.
      book.add(["a"], to: topics[1])
      try await news.wait(until: { $0.count >= 2 })

      let (gate, lists) = (DispatchGate(), EventRecorder<Topic>())
      do {
        defer { gate.open() }
        book.dumpGate.withLock { $0 = gate }
        for topic in topics {
          let count = publisher.counters.dumps
          subscriber.dump(of: topic, isForList: true) { if (try? $0.get()) != nil { lists.add(topic) } }
          while !Task.isCancelled, publisher.counters.dumps == count { await Task.yield() }
          // Only the dump of the first topic is blocked. That of the second one waits for it.
          book.dumpGate.withLock { $0 = nil }
        }
        let dump: ReplicaDump? = try await completionValue { completion in
          subscriber.dump(of: topics[1]) { completion(try? $0.get()) }
        }
        #expect(dump.map { String(buffer: $0.payload) } == "a")
        #expect(!lists.elements.contains(topics[0]))
      }
      try await lists.wait(until: { $0.count == 2 })
      subscriber.stop()
      withExtendedLifetime((server, publisher)) {}
    }
  }
}
