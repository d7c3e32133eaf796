import Dispatch
import NIOCore
import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedFanOut

/// A book and gateways, connected through a real server.
private struct Cluster {
  static let topic = Topic(path: "/sports/1/en/live matches.*>/")

  let server: NATSServer
  let subjects: Subjects
  let book = TestBook([topic])
  let publisher: BookPublisher
  let clock: ClientClock

  init(timing: BookTiming = BookTiming(), clock: ClientClock = .live) throws {
    self.clock = clock
    server = try NATSServer()
    subjects = try Subjects(name: "test")
    publisher = BookPublisher(
      try server.connect(name: "book"), subjects, origin: book.origin, announcement: ByteBuffer(string: "hello"),
      timing: timing, clock: clock)
  }

  func activate(epoch: UInt64) {
    publisher.activate(BookIdentity(epoch: epoch, book: 7), until: clock.uptime() + .seconds(3600))
  }

  struct Gateway {
    let connection: NATSConnection
    let subscriber: BookSubscriber
    let events: EventRecorder<BookSubscriber.Event>
    /// Counts calls of `onNews`.
    let news: EventRecorder<Int>
  }

  func gateway(timing: GatewayTiming = GatewayTiming(), clock: ClientClock = .live) throws -> Gateway {
    let events = EventRecorder<BookSubscriber.Event>()
    let news = EventRecorder<Int>()
    let connection = try server.connect(name: "gateway")
    let subscriber = BookSubscriber(connection, subjects, timing: timing, clock: clock) { events.add($0) }
    try subscriber.start { news.add(1) }
    return Gateway(connection: connection, subscriber: subscriber, events: events, news: news)
  }

  /// Returns once the reader has the given messages; by default all messages of the book.
  func settle(_ gateway: Gateway, _ reader: TestTopicReader, on expected: [String]? = nil) async throws {
    while true {
      let count = gateway.news.elements.count
      let messages = expected ?? book.messages(Self.topic)
      if !messages.isEmpty, try await reader.content() == messages { return }
      try await gateway.news.wait { $0.count > count }
    }
  }
}

extension BookSubscriber.Event {
  fileprivate var change: BookPresence.Change? { if case .book(let change) = self { change } else { nil } }

  fileprivate func isFound(epoch: UInt64) -> Bool {
    if case .book(.found(let identity)) = self { identity.epoch == epoch } else { false }
  }
}

extension ClientClock {
  /// Returns a clock whose uptime is ahead of this one by the value of `lead`.
  fileprivate func ahead(by lead: Locked<Duration>) -> ClientClock {
    ClientClock(uptime: { uptime() + lead.withLock { $0 } }, wall: wall, sleep: sleep, chance: chance)
  }
}

extension RealServerTests {
  @Suite struct FanOutTests {
    @Test("A topic that the book loses is lost at the gateways too, and is requested again")
    func lostTopic() async throws {
      let cluster = try Cluster()
      let gateway = try cluster.gateway()
      cluster.activate(epoch: 1)
      try await gateway.events.wait { $0.isFound(epoch: 1) }
      let reader = TestTopicReader(gateway.subscriber, Cluster.topic)
      cluster.book.add(["a", "b"], to: Cluster.topic)
      #expect(try await reader.open() == nil)
      try await cluster.settle(gateway, reader)
      cluster.book.lose(Cluster.topic)
      try await gateway.events.wait { $0 == .lost(Cluster.topic) }
      cluster.book.add(["c"], to: Cluster.topic)
      try await cluster.settle(gateway, reader)
      #expect(reader.errors.elements.isEmpty)
      #expect(cluster.book.log.elements == [Cluster.topic.path, Cluster.topic.path])
    }

    @Test(
      "A late answer to the opening of a lost topic does not complete the next opening",
      arguments: [nil, .busy, .unknown] as [FeedFrame.Refusal?])
    func lateOpening(late: FeedFrame.Refusal?) async throws {
      let cluster = try Cluster()
      let gateway = try cluster.gateway()
      cluster.activate(epoch: 1)
      try await gateway.events.wait { $0.isFound(epoch: 1) }
      cluster.book.holdOpenings()
      let readers = (0..<2).map { _ in TestTopicReader(gateway.subscriber, Cluster.topic) }
      let first = Task { try await readers[0].open() }
      try await cluster.book.pendingOpenings.wait { $0.count == 1 }
      cluster.book.lose(Cluster.topic)
      #expect(try await first.cancellableValue == .lost)
      let second = Task { try await readers[1].open() }
      try await cluster.book.pendingOpenings.wait { $0.count == 2 }
      cluster.book.pendingOpenings.elements[0](late)
      cluster.book.answer(1, opening: Cluster.topic)
      #expect(try await second.cancellableValue == nil)
    }

    @Test("A gateway treats a book as lost after its announced end and finds the next term")
    func announcedEnd() async throws {
      let cluster = try Cluster()
      var timing = GatewayTiming()
      // Only the announcement can report the loss, not the timeout.
      timing.bookTimeout = .seconds(3600)
      timing.handoverTimeout = .zero
      let gateway = try cluster.gateway(timing: timing)
      cluster.activate(epoch: 1)
      try await gateway.events.wait { $0.isFound(epoch: 1) }
      cluster.publisher.announceEnd()
      try await gateway.events.wait { $0 == .book(.lost) }
      cluster.publisher.deactivate()
      cluster.activate(epoch: 2)
      try await gateway.events.wait { $0.isFound(epoch: 2) }
    }

    @Test("Gateways show the messages of the book in order and without gaps, even if they start later")
    func follows() async throws {
      let cluster = try Cluster()
      let gateway = try cluster.gateway()
      cluster.activate(epoch: 3)
      try await gateway.events.wait { $0.isFound(epoch: 3) }
      #expect(gateway.events.elements.contains(.announcement(ByteBuffer(string: "hello"))))
      cluster.book.add(["0"], to: Cluster.topic)
      let reader = TestTopicReader(gateway.subscriber, Cluster.topic)
      #expect(try await reader.open() == nil)
      for number in 1...300 { cluster.book.add(["\(number)"], to: Cluster.topic) }
      try await cluster.settle(gateway, reader)
      let other = try cluster.gateway()
      let otherReader = TestTopicReader(other.subscriber, Cluster.topic)
      #expect(try await otherReader.open() == nil)
      cluster.book.add(["last"], to: Cluster.topic)
      try await cluster.settle(other, otherReader)
      try await cluster.settle(gateway, reader)
      #expect(reader.errors.elements.isEmpty)
      #expect(gateway.subscriber.status.counters.gaps == 0)
      #expect(cluster.publisher.counters.gateways == 2)
      #expect(cluster.book.log.elements == [Cluster.topic.path], "the book opened the topic more than once")
    }

    @Test("After a pause, a gateway requests a new dump and shows it before the pending messages")
    func continues() async throws {
      let cluster = try Cluster()
      let paused = Locked(Duration.zero)
      // The periodic check detects the pause too. Its interval is too long to have an effect here.
      var timing = GatewayTiming()
      timing.checkInterval = .seconds(3600)
      let gateway = try cluster.gateway(timing: timing, clock: ClientClock.live.ahead(by: paused))
      cluster.activate(epoch: 1)
      try await gateway.events.wait { $0.isFound(epoch: 1) }
      let reader = TestTopicReader(gateway.subscriber, Cluster.topic)
      #expect(try await reader.open() == nil)
      cluster.book.add(["0"], to: Cluster.topic)
      try await cluster.settle(gateway, reader)
      #expect(gateway.subscriber.status.counters.redumps == 0)
      paused.withLock { $0 = .seconds(12) }
      let count = gateway.news.elements.count
      cluster.book.add(["1"], to: Cluster.topic)
      try await gateway.news.wait { $0.count > count }
      #expect(gateway.subscriber.status.counters.redumps == 1)
      try await cluster.settle(gateway, reader)
      #expect(reader.errors.elements.isEmpty)
    }

    @Test("Dumps and updates larger than a NATS message arrive")
    func cuts() async throws {
      let cluster = try Cluster()
      let gateway = try cluster.gateway()
      cluster.activate(epoch: 1)
      cluster.book.add((0..<50).map { "\($0)" + String(repeating: "x", count: 200_000) }, to: Cluster.topic)
      let reader = TestTopicReader(gateway.subscriber, Cluster.topic)
      try await gateway.events.wait { $0.isFound(epoch: 1) }
      #expect(try await reader.open() == nil)
      cluster.book.add([String(repeating: "y", count: 3_000_000), "z"], to: Cluster.topic)
      try await cluster.settle(gateway, reader)
      #expect(cluster.book.messages(Cluster.topic).last == "z")
      #expect(reader.errors.elements.isEmpty)
      #expect(gateway.subscriber.status.counters.gaps == 0)
    }

    @Test("A request after many messages gets a newer dump, and other clients receive no new dump")
    func refreshes() async throws {
      let cluster = try Cluster()
      var timing = GatewayTiming()
      timing.messagesAfterDump = 3
      let gateway = try cluster.gateway(timing: timing)
      cluster.activate(epoch: 1)
      try await gateway.events.wait { $0.isFound(epoch: 1) }
      let reader = TestTopicReader(gateway.subscriber, Cluster.topic)
      #expect(try await reader.open() == nil)
      cluster.book.add((0..<10).map(String.init), to: Cluster.topic)
      try await gateway.news.wait { $0.count >= 2 }
      let dumps = EventRecorder<ReplicaDump?>()
      for _ in 0..<20 { gateway.subscriber.dump(of: Cluster.topic) { dumps.add(try? $0.get()) } }
      try await dumps.wait { $0.count >= 20 }
      #expect(Set(dumps.elements.map { $0.map { String(buffer: $0.payload) } }) == ["0,1,2,3,4,5,6,7,8,9"])
      #expect(gateway.subscriber.status.counters.dumps == 1, "the messages of all clients began anew")
      #expect(cluster.publisher.counters.dumps <= 3, "each client cost the book a dump")
    }

    @Test("An unknown topic is refused, and without a book an opening fails as lost")
    func refuses() async throws {
      let cluster = try Cluster()
      let gateway = try cluster.gateway()
      let reader = TestTopicReader(gateway.subscriber, Cluster.topic)
      #expect(try await reader.open() == .lost)
      cluster.activate(epoch: 1)
      try await gateway.events.wait { $0.isFound(epoch: 1) }
      #expect(try await TestTopicReader(gateway.subscriber, Topic(path: "/none")).open() == .unknown)
      #expect(gateway.subscriber.status.openTopics == 0)
      #expect(try await reader.open() == nil)
    }

    @Test("The book closes a topic after its last gateway has closed it or disconnected")
    func closes() async throws {
      // The test advances the clock of the book, so that no delay ends the interest of a gateway.
      let lead = Locked(Duration.zero)
      var timing = BookTiming()
      timing.interestTimeout = .seconds(1800)
      let cluster = try Cluster(timing: timing, clock: ClientClock.live.ahead(by: lead))
      // The gateways send no announcements, only dump requests and the closing of a topic.
      var gatewayTiming = GatewayTiming()
      gatewayTiming.checkInterval = .seconds(3600)
      gatewayTiming.quietTimeout = .seconds(3600)
      let gateways = [try cluster.gateway(timing: gatewayTiming), try cluster.gateway(timing: gatewayTiming)]
      cluster.activate(epoch: 1)
      for gateway in gateways {
        try await gateway.events.wait { $0.isFound(epoch: 1) }
        #expect(try await TestTopicReader(gateway.subscriber, Cluster.topic).open() == nil)
      }
      gateways[0].subscriber.close(Cluster.topic)
      gateways[1].connection.close()
      lead.withLock { $0 = .seconds(1800) }
      try await cluster.book.log.wait { $0.last == "-" + Cluster.topic.path }
      #expect(cluster.book.log.elements == [Cluster.topic.path, "-" + Cluster.topic.path])
      // The offsets of the topic continue when it is opened again.
      let reader = TestTopicReader(gateways[0].subscriber, Cluster.topic)
      #expect(try await reader.open() == nil)
      cluster.book.add(["again"], to: Cluster.topic)
      try await cluster.settle(gateways[0], reader)
      // Without a timeout, only the message of the gateway closes the topic.
      gateways[0].subscriber.close(Cluster.topic)
      try await cluster.book.log.wait { $0.count { $0 == "-" + Cluster.topic.path } == 2 }
    }

    @Test("A gateway follows the newer term and ignores messages of a book with an older term")
    func followsTakeOver() async throws {
      let cluster = try Cluster()
      let gateway = try cluster.gateway()
      cluster.activate(epoch: 1)
      let reader = TestTopicReader(gateway.subscriber, Cluster.topic)
      try await gateway.events.wait { $0.isFound(epoch: 1) }
      #expect(try await reader.open() == nil)
      cluster.book.add(["old"], to: Cluster.topic)
      try await cluster.settle(gateway, reader)

      let standby = TestBook([Cluster.topic])
      let second = BookPublisher(
        try cluster.server.connect(), cluster.subjects, origin: standby.origin, clock: cluster.clock)
      standby.add(["new"], to: Cluster.topic)
      second.activate(BookIdentity(epoch: 2, book: 1), until: cluster.clock.uptime() + .seconds(3600))
      try await gateway.events.wait { $0 == .book(.replaced(BookIdentity(epoch: 2, book: 1))) }
      // Both books answer the request for a dump. The older dump is rejected and requested again.
      for number in 0..<50 { cluster.book.add(["stale \(number)"], to: Cluster.topic) }
      cluster.publisher.deactivate()
      standby.add(["newer"], to: Cluster.topic)
      try await cluster.settle(gateway, reader, on: ["new", "newer"])
      #expect(reader.errors.elements.isEmpty)
      #expect(gateway.subscriber.status.book?.epoch == 2)
      #expect(standby.messages(Cluster.topic) == ["new", "newer"])
    }

    @Test(
      "A standby takes over from a book that disconnects or stops, and a gateway shows the new book's state")
    func takesOver() async throws {
      let cluster = try Cluster()
      let gateway = try cluster.gateway()
      let reader = TestTopicReader(gateway.subscriber, Cluster.topic)
      var holders: [(connection: NATSConnection, lease: BookLease)] = []
      for name in ["first", "second", "third"] {
        let feed = TestBook([Cluster.topic])
        feed.add([name], to: Cluster.topic)
        let connection = try cluster.server.connect(name: name)
        let events = EventRecorder<BookLease.Event>()
        let publisher = BookPublisher(connection, cluster.subjects, origin: feed.origin)
        let lease = BookLease(connection, cluster.subjects) { event in
          switch event {
          case .acquired(let identity, let end): publisher.activate(identity, until: end)
          case .extended(let identity, let end): publisher.extend(identity, until: end)
          case .lost: publisher.deactivate()
          case .unreachable, .unreplicated: break
          }
          events.add(event)
        }
        try lease.start()
        // The first book is disconnected, and the second one is stopped.
        if holders.count == 1 { holders[0].connection.close() }
        if holders.count == 2 { holders[1].lease.stop() }
        try await events.wait { $0.acquired != nil }
        if holders.isEmpty {
          try await gateway.events.wait { if case .book(.found) = $0 { true } else { false } }
          #expect(try await reader.open() == nil)
        }
        holders.append((connection, lease))
        try await cluster.settle(gateway, reader, on: [name])
      }
      #expect(reader.errors.elements.isEmpty)
      holders[2].lease.stop()
    }

    @Test("Nothing is published after the end of a term")
    func stopsAtItsEnd() async throws {
      let cluster = try Cluster()
      let connection = try cluster.server.connect()
      let heartbeats = EventRecorder<UInt64>()
      let subscription = try connection.subscribe(cluster.subjects.heartbeat) {
        heartbeats.add(FeedFrame($0.payload)!.identity.epoch)
      }
      try connection.flush()
      let time = Locked(Duration.zero)
      let clock = ClientClock(uptime: { time.withLock { $0 } }, wall: { 0 }, sleep: { _ in })
      var timing = BookTiming()
      timing.heartbeatInterval = .milliseconds(10)
      let first = BookPublisher(connection, cluster.subjects, origin: cluster.book.origin, timing: timing, clock: clock)
      let identity = BookIdentity(epoch: 1, book: 1)
      first.activate(identity, until: .seconds(10))
      try await heartbeats.wait { $0.count >= 3 }
      time.withLock { $0 = .seconds(15) }
      first.extend(identity, until: .seconds(20))
      let count = heartbeats.elements.count
      try await heartbeats.wait { $0.count >= count + 3 }
      time.withLock { $0 = .seconds(20) }
      // Waits until all pending messages are sent.
      first.queue.sync {}
      try connection.flush()
      cluster.activate(epoch: 2)
      try await heartbeats.wait { $0.count { $0 == 2 } >= 4 }
      #expect(!heartbeats.elements.drop { $0 == 1 }.contains(1))
      withExtendedLifetime(subscription) {}
    }

    @Test("When NATS is killed, the book is lost; after a restart, a gateway has the messages published meanwhile")
    func survivesTheServer() async throws {
      let cluster = try Cluster()
      // Only missing heartbeats lose the book. A delay can lose it too; heartbeats then find it again.
      var timing = GatewayTiming()
      timing.echoTimeout = .seconds(3600)
      timing.dataTimeout = .seconds(3600)
      let gateway = try cluster.gateway(timing: timing)
      cluster.activate(epoch: 1)
      let reader = TestTopicReader(gateway.subscriber, Cluster.topic)
      try await gateway.events.wait { $0.isFound(epoch: 1) }
      #expect(try await reader.open() == nil)
      cluster.book.add(["before"], to: Cluster.topic)
      try await cluster.settle(gateway, reader)
      let count = gateway.events.elements.count { $0.isFound(epoch: 1) }
      cluster.server.kill()
      try await gateway.events.wait { $0.compactMap(\.change).last == .lost }
      // Published while NATS is down.
      cluster.book.add(["a", "b"], to: Cluster.topic)
      cluster.book.add(["c"], to: Cluster.topic)
      while !Task.isCancelled, cluster.book.messages(Cluster.topic).count < 4 { await Task.yield() }
      try cluster.server.restart()
      try await gateway.events.wait { $0.count { $0.isFound(epoch: 1) } > count }
      try await cluster.settle(gateway, reader)
      #expect(try await reader.content() == ["before", "a", "b", "c"])
      #expect(reader.errors.elements.isEmpty)
      #expect(gateway.subscriber.status.counters.gaps > 0)
    }
  }
}
