import Dispatch
import NIOCore
import OddsModel
import Platform
import TestSupport
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
      timing.dataTimeout = .seconds(3600)
      timing.echoTimeout = .seconds(3600)
      timing.checkInterval = .milliseconds(10)
      timing.retryDelay = .milliseconds(10)
      let events = EventRecorder<BookSubscriber.Event>()
      let subscriber = BookSubscriber(try server.connect(name: "gateway"), subjects, timing: timing, clock: clock) {
        events.add($0)
      }
      try subscriber.start {}
      try await events.wait { if case .book(.found) = $0 { true } else { false } }
      let reader = TestTopicReader(subscriber, topic)
      #expect(!subscriber.isStale)
      #expect(try await reader.open() == nil)
      #expect(!subscriber.isStale)
      publisher.deactivate()
      // After 4 s, the gateway requests a dump, which no book answers.
      time.withLock { $0 += .seconds(4) }
      while !Task.isCancelled, !subscriber.isStale { await Task.yield() }
      #expect(!events.elements.contains(.lost(topic)))
      time.withLock { $0 += .seconds(5) }
      try await events.wait { $0 == .lost(topic) }
      subscriber.stop()
      withExtendedLifetime(server) {}
    }

    @Test("A gateway does not accept a book whose feed has been silent for 9 s until the feed is heard again")
    func silentFeed() async throws {
      let (server, subjects, book) = (try NATSServer(), try Subjects(name: "test"), TestBook([topic]))
      book.age.withLock { $0 = .seconds(9) }
      let publisher = BookPublisher(try server.connect(name: "book"), subjects, origin: book.origin)
      publisher.activate(BookIdentity(epoch: 1, book: 7), until: ClientClock.live.uptime() + .seconds(3600))
      let clock = ClientClock(uptime: { .seconds(100) }, wall: { 0 }, sleep: { _ in })
      let events = EventRecorder<BookSubscriber.Event>()
      let subscriber = BookSubscriber(try server.connect(name: "gateway"), subjects, clock: clock) { events.add($0) }
      try subscriber.start {}
      // A heartbeat has arrived.
      while !Task.isCancelled, subscriber.status.lag == nil { await Task.yield() }
      #expect(subscriber.status.book == nil)
      book.age.withLock { $0 = .milliseconds(8999) }
      try await events.wait { if case .book(.found) = $0 { true } else { false } }
      #expect(subscriber.status.book != nil)
      subscriber.stop()
      withExtendedLifetime((server, publisher)) {}
    }

    @Test("A gateway that misses a message requests a dump with it, serves no older one, and reports the topic as lost")
    func missingMessage() async throws {
      let (server, subjects, book) = (try NATSServer(), try Subjects(name: "test"), TestBook([topic]))
      let publisher = BookPublisher(try server.connect(name: "book"), subjects, origin: book.origin)
      let identity = BookIdentity(epoch: 1, book: 7)
      publisher.activate(identity, until: ClientClock.live.uptime() + .seconds(3600))
      var timing = GatewayTiming()
      // Only the missing message makes the topic stale, however slow the machine is.
      timing.bookTimeout = .seconds(3600)
      timing.dataTimeout = .seconds(3600)
      timing.echoTimeout = .seconds(3600)
      timing.quietTimeout = .seconds(3600)
      timing.staleTimeout = .milliseconds(100)
      timing.staleGrace = .zero
      timing.checkInterval = .milliseconds(10)
      timing.retryDelay = .milliseconds(10)
      timing.messagesAfterDump = 0
      let events = EventRecorder<BookSubscriber.Event>()
      let subscriber = BookSubscriber(try server.connect(name: "gateway"), subjects, timing: timing) { events.add($0) }
      try subscriber.start {}
      try await events.wait { if case .book(.found) = $0 { true } else { false } }
      let reader = TestTopicReader(subscriber, topic)
      #expect(try await reader.open() == nil)
      book.add(["a"], to: topic)
      while try await reader.content() != ["a"] { await Task.yield() }
      // The offset of message a.
      let last = try #require(try await dump(from: subscriber)).last

      // Message c arrives, and message b before it does not. The book has neither of them yet, so its dumps lack b.
      let network = try server.connect(name: "network")
      let minimums = EventRecorder<UInt64>()
      let requests = try network.subscribe(subjects.dump) {
        if let request = DumpRequest($0.payload) { minimums.add(request.minimum) }
      }
      try network.flush()
      for frame in FeedFrame.updates([Array("c".utf8)], identity, offset: last + 2, limit: network.maxPayload) {
        try network.publish(frame.encoded, to: subjects.update(of: topic))
      }
      try await minimums.wait(for: { $0 == last + 1 })
      #expect(subscriber.isStale)
      let answers = EventRecorder<String>()
      subscriber.dump(of: topic) { answers.add((try? $0.get()).map { String(buffer: $0.payload) } ?? "refused") }
      try await events.wait { $0 == .lost(topic) }
      #expect(subscriber.isStale)
      #expect(answers.elements.isEmpty)

      book.add(["b", "c"], to: topic)
      try await answers.wait(until: { !$0.isEmpty })
      #expect(answers.elements == ["a,b,c"])
      #expect(try await reader.content() == ["a", "b", "c"])
      #expect(reader.errors.elements.isEmpty)
      #expect(!subscriber.isStale)
      #expect(subscriber.status.counters.gaps == 1)
      #expect(subscriber.status.counters.redumps == 1)
      subscriber.stop()
      withExtendedLifetime((server, publisher, network, requests)) {}
    }

    @Test("Messages of a new book do not make the clients' data younger", arguments: [false, true])
    func takeover(heartbeatIsFirst: Bool) async throws {
      let (server, subjects) = (try NATSServer(), try Subjects(name: "test"))
      let (old, new) = (BookIdentity(epoch: 1, book: 7), BookIdentity(epoch: 2, book: 8))
      let (network, gateway) = (try server.connect(name: "network"), try server.connect(name: "gateway"))
      var body = ByteBuffer(integer: 1 as UInt64)
      body.writeString("dump")
      let dump = FeedFrame(.dump, old, offset: old.offset + 1, body: body).encoded
      // The new book answers no request.
      let requests = try network.subscribe(subjects.dump) { message in
        guard let reply = message.reply, DumpRequest(message.payload)?.isOpening == true else { return }
        try? network.publish(dump, to: reply)
      }
      try network.flush()
      var timing = GatewayTiming()
      timing.staleGrace = .zero
      let (opened, losses) = (EventRecorder<Bool>(), EventRecorder<Bool>())
      let open = OpenTopic(
        topic, sink: TopicSink(restart: { _, _ in }, append: { _, _ in }),
        fetcher: DumpFetcher(gateway, subjects, gateway: 1, timing: timing), timing: timing,
        queue: DispatchQueue(label: "test"), now: .zero, onNews: {}, onLoss: { losses.add(true) }
      ) { opened.add($0 == nil) }
      open.start(try gateway.subscribe(subjects.update(of: topic)) { _ in })
      try await opened.wait(until: { !$0.isEmpty })
      func receive(_ identity: BookIdentity, _ number: UInt64, second: Int) {
        let offset = identity.offset + number
        for frame in FeedFrame.updates([Array("a".utf8)], identity, offset: offset, limit: network.maxPayload) {
          open.receive(frame.encoded, now: .seconds(second))
        }
      }
      // The last message that clients get.
      receive(old, 2, second: 1)
      #expect(open.isCurrent)
      if heartbeatIsFirst { open.follow(new) }
      receive(new, 5, second: 4)
      #expect(!open.isCurrent)
      open.check(now: .seconds(4))
      receive(new, 6, second: 7)
      open.check(now: .milliseconds(9999))
      #expect(losses.elements.isEmpty)
      open.check(now: .seconds(10))
      #expect(losses.elements.count == 1)
      open.end(.lost)
      requests.cancel()
      withExtendedLifetime((server, gateway)) {}
    }

    /// Returns the dump that a new client of the gateway receives.
    private func dump(from subscriber: BookSubscriber) async throws -> ReplicaDump? {
      try await completionValue { completion in subscriber.dump(of: topic) { completion(try? $0.get()) } }
    }
  }
}
