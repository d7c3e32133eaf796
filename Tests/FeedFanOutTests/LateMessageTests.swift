import FoundationCore
import Platform
import TestSupport
import Testing

@testable import FeedFanOut

extension RealServerTests {
  @Suite(.timeLimit(.minutes(5))) struct LateMessageTests {
    /// Starts a server that does not deliver the messages that the user `gateway` sends to itself.
    private func startServer(_ directory: TemporaryDirectory) throws -> NATSServer {
      let file = directory.path + "/nats.conf"
      let text = """
        authorization {
          users = [
            { user: "book", password: "pw" }
            { user: "gateway", password: "pw", permissions: { publish: { deny: ["test.echo.*"] } } }
          ]
        }
        """
      try Data(text.utf8).write(to: URL(filePath: file))
      return try NATSServer(["-c", file])
    }

    @Test("A gateway reports the book as delayed once its messages to itself are 4 s late")
    func delayed() async throws {
      let directory = TemporaryDirectory()
      let (server, subjects) = (try startServer(directory), try Subjects(name: "test"))
      let refusals = EventRecorder<String>()
      func connect(_ user: String) throws -> NATSConnection {
        let options = NATSOptions(servers: ["nats://\(user):pw@127.0.0.1:\(server.port)"], name: user)
        return try NATSConnection(options) { if case .error(let error) = $0 { refusals.add("\(error)") } }
      }
      let publisher = BookPublisher(try connect("book"), subjects, origin: TestBook([]).origin)
      publisher.activate(BookIdentity(epoch: 1, book: 7), until: ClientClock.live.uptime() + .seconds(3600))
      let time = Locked(Duration.seconds(100))
      let clock = ClientClock(uptime: { time.withLock(\.self) }, wall: { 0 }, sleep: { _ in })
      var timing = GatewayTiming()
      timing.bookTimeout = .seconds(3600)
      timing.checkInterval = .milliseconds(10)
      func gateway(_ user: String) throws -> (subscriber: BookSubscriber, events: EventRecorder<BookSubscriber.Event>) {
        let events = EventRecorder<BookSubscriber.Event>()
        let subscriber = BookSubscriber(try connect(user), subjects, timing: timing, clock: clock) { events.add($0) }
        try subscriber.start {}
        return (subscriber, events)
      }
      let free = try gateway("book")
      while !Task.isCancelled, free.subscriber.status.echoDelay != Duration.zero { await Task.yield() }
      let late = try gateway("gateway")
      // The gateway has sent its first message to itself.
      try await refusals.wait(until: { !$0.isEmpty })
      try await late.events.wait { if case .book(.found) = $0 { true } else { false } }
      #expect(late.subscriber.status.echoDelay == nil && late.subscriber.bookTime != nil)
      #expect(!late.events.elements.contains(.book(.late)))
      time.withLock { $0 += .seconds(4) }
      try await late.events.wait { $0 == .book(.late) }
      #expect(late.subscriber.status.book == nil && late.subscriber.bookTime == nil)
      for gateway in [free, late] { gateway.subscriber.stop() }
      withExtendedLifetime((server, publisher, directory)) {}
    }
  }
}
