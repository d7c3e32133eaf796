import EveryMatrix
import FeedServer
import NIOCore
import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedFanOut

extension RealServerTests {
  @Suite(.timeLimit(.minutes(15))) struct UnfollowedTopicTests {
    private let topics = (0..<4).map { Topic(path: "/\($0)") }

    private func dump(of topic: Topic, _ subscriber: BookSubscriber) async throws -> BookError? {
      try await completionValue { completion in
        subscriber.dump(of: topic) { result in
          if case .failure(let error) = result { completion(error) } else { completion(nil) }
        }
      }
    }

    /// Starts a book and a gateway whose announcements do not close unfollowed topics.
    private func cluster(
      _ limits: BookTiming
    ) async throws -> (server: NATSServer, book: TestBook, publisher: BookPublisher, subscriber: BookSubscriber) {
      // The gateway sends only requests, no announcements.
      var bookTiming = limits
      bookTiming.interestTimeout = .seconds(3600)
      let (server, subjects, book) = (try NATSServer(), try Subjects(name: "test"), TestBook(topics))
      let publisher = BookPublisher(try server.connect(name: "book"), subjects, origin: book.origin, timing: bookTiming)
      let events = EventRecorder<BookSubscriber.Event>()
      var timing = GatewayTiming()
      timing.announceInterval = .seconds(3600)
      let subscriber = BookSubscriber(try server.connect(name: "gateway"), subjects, timing: timing) { events.add($0) }
      try subscriber.start {}
      publisher.activate(BookIdentity(epoch: 1, book: 7), until: ClientClock.live.uptime() + .seconds(3600))
      try await events.wait { if case .book(.found) = $0 { true } else { false } }
      return (server, book, publisher, subscriber)
    }

    @Test("To open a topic, the book closes one that only had a dump request, but never a followed topic")
    func room() async throws {
      var timing = BookTiming()
      timing.maxTopics = 2
      let (server, book, publisher, subscriber) = try await cluster(timing)
      for topic in topics.prefix(2) { #expect(try await dump(of: topic, subscriber) == nil) }
      let readers = topics.map { TestTopicReader(subscriber, $0) }
      #expect(try await readers[2].open() == nil)
      // The first topic was closed. This closes the second one.
      #expect(try await readers[0].open() == nil)
      #expect(try await dump(of: topics[0], subscriber) == nil)
      #expect(try await readers[3].open() == .tooMany(2))
      #expect(try await dump(of: topics[1], subscriber) == .tooMany(2))
      #expect(book.log.elements == ["/0", "/1", "-/0", "/2", "-/1", "/0"])
      subscriber.stop()
      withExtendedLifetime((server, publisher)) {}
    }

    @Test("The number of topics that are open at the book without followers is limited")
    func bound() async throws {
      var timing = BookTiming()
      timing.maxUnfollowedTopics = 2
      let (server, book, publisher, subscriber) = try await cluster(timing)
      for topic in topics { #expect(try await dump(of: topic, subscriber) == nil) }
      #expect(book.log.elements == ["/0", "/1", "-/0", "/2", "-/1", "/3"])
      subscriber.stop()
      withExtendedLifetime((server, publisher)) {}
    }

    @Test("List requests at a gateway do not use up the topic limit of a relaying book")
    func relay() async throws {
      try await TestCluster.with { cluster in
        let feed = try ClusterFeed(seed: 1)
        let upstream = try await RunningServer.start(
          TestCluster.options, playing: ClusterFeed.Feed(feed: feed), logger: noOpLogger)
        var limits = RelayLimits()
        limits.maxTopics = 2
        _ = try cluster.book(relaying: upstream.url, limits: limits)
        let gateway = try await cluster.gateway()
        try await gateway.wait(untilReady: true)
        for matches in [1, 2] {
          let list = try await HTTPResponse(
            gateway.port, "/api/odds?topic=\(Topic.aggregator(.live, matches: matches))")
          #expect(list.status == 200)
        }
        let client = try await SocketClient.session(to: gateway.port)
        #expect(await client.register(ClusterFeed.topic) == 1)
        await upstream.stop()
      }
    }
  }
}
