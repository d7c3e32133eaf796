import NIOCore
import OddsModel
import Platform
import Testing

@testable import FeedFanOut

extension RealServerTests {
  @Suite(.timeLimit(.minutes(5))) struct StaleTopicTests {
    private let topic = Topic(path: "/test")

    @Test("A topic without updates and dumps is lost 9 s after its last message, even if the book is present")
    func silentTopic() async throws {
      let (server, subjects, book) = (try NATSServer(), try Subjects(name: "test"), TestBook([topic]))
      let publisher = BookPublisher(try server.connect(name: "book"), subjects, origin: book.origin)
      publisher.activate(
        BookIdentity(epoch: 1, book: 7), until: ClientClock.live.uptime() + .seconds(3600))
      let time = Locked(Duration.seconds(100))
      let clock = ClientClock(uptime: { time.withLock(\.self) }, wall: { 0 }, sleep: { _ in })
      var timing = GatewayTiming()
      // The book counts as present, although it sends nothing later.
      timing.bookTimeout = .seconds(3600)
      timing.echoTimeout = .seconds(3600)
      timing.checkInterval = .milliseconds(10)
      timing.retryDelay = .milliseconds(10)
      let events = Journal<BookSubscriber.Event>()
      let subscriber = BookSubscriber(try server.connect(name: "gateway"), subjects, timing: timing, clock: clock) {
        events.add($0)
      }
      try subscriber.start {}
      await events.wait { if case .book(.found) = $0 { true } else { false } }
      let screen = TestScreen(subscriber, topic)
      #expect(!subscriber.isStale)
      #expect(await screen.open() == nil)
      #expect(!subscriber.isStale)
      publisher.deactivate()
      // After 4 s, the gateway requests a dump, which no book answers.
      time.withLock { $0 += .seconds(4) }
      while !Task.isCancelled, !subscriber.isStale { await Task.yield() }
      #expect(!events.elements.contains(.lost(topic)))
      time.withLock { $0 += .seconds(5) }
      await events.wait { $0 == .lost(topic) }
      subscriber.stop()
    }
  }
}
