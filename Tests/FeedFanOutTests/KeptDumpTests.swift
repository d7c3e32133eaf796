import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedFanOut

extension RealServerTests {
  @Suite(.timeLimit(.minutes(5))) struct KeptDumpTests {
    private let topic = Topic(path: "/test")

    @Test("A gateway drops the dump of an open topic when no further client can get it, because messages follow it")
    func dropped() async throws {
      let (server, subjects, book) = (try NATSServer(), try Subjects(name: "test"), TestBook([topic]))
      let publisher = BookPublisher(try server.connect(name: "book"), subjects, origin: book.origin)
      publisher.activate(BookIdentity(epoch: 1, book: 7), until: ClientClock.live.uptime() + .seconds(3600))
      var timing = GatewayTiming()
      timing.messagesAfterDump = 1
      timing.bookTimeout = .seconds(3600)
      timing.quietTimeout = .seconds(3600)
      let (events, news) = (EventRecorder<BookSubscriber.Event>(), EventRecorder<Int>())
      let subscriber = BookSubscriber(try server.connect(name: "gateway"), subjects, timing: timing) { events.add($0) }
      try subscriber.start { news.add(1) }
      try await events.wait { if case .book(.found) = $0 { true } else { false } }
      let reader = TestTopicReader(subscriber, topic)
      #expect(try await reader.open() == nil)
      let open = try #require(subscriber.state.withLock { $0.topics[topic] })
      try await news.wait(until: { $0.count >= 1 })
      #expect(open.hasDump)
      for (number, keepsDump) in [(2, true), (3, false)] {
        book.add(["\(number)"], to: topic)
        try await news.wait(until: { $0.count >= number })
        #expect(open.hasDump == keepsDump)
      }
      #expect(try await reader.content() == ["2", "3"])
      #expect(open.hasDump)
      subscriber.stop()
      withExtendedLifetime((server, publisher)) {}
    }
  }
}
