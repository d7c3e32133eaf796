import EveryMatrix
import OddsFeed
import OddsModel
import TestSupport
import Testing

actor MessageTransport: FeedTransport {
  private let (events, continuation) = AsyncStream.makeStream(of: TransportEvent.self)
  private var subscriptions: [Topic: Subscription] = [:]

  nonisolated func makeDecoder() -> any FeedDecoder { MessageDecoder() }
  func connect() -> AsyncStream<TransportEvent> {
    continuation.yield(.state(.live))
    return events
  }
  func disconnect() { continuation.finish() }
  func subscribe(_ subscription: Subscription) { subscriptions[subscription.topic] = subscription }
  func unsubscribe(_ subscription: Subscription) { subscriptions[subscription.topic] = nil }

  /// Passes a message on, a dump first.
  func receive(_ message: [UInt8], of topic: Topic) {
    guard let subscription = subscriptions[topic] else { return }
    continuation.yield(.frame(TransportFrame(subscription: subscription, bytes: message)))
  }
}

@Suite("The transport of Embedding.md", .timeLimit(.minutes(45)))
struct EmbeddingExampleTests {
  @Test("is compiled by the tests")
  func page() throws {
    let page = try RepositoryFile.text("Sources/OddsFeed/OddsFeed.docc/Embedding.md")
    let source = try RepositoryFile.text("Tests/OddsFeedTests/Seam/EmbeddingExampleTests.swift")
    let start = try #require(page.firstRange(of: "\nactor MessageTransport"))
    let end = try #require(page[start.upperBound...].firstRange(of: "\n```"))
    #expect(source.contains(String(page[start.lowerBound..<end.lowerBound])))
  }

  @Test("reports that it is connected, then the messages of its subscriptions")
  func events() async {
    let transport = MessageTransport()
    let events = await transport.connect()
    let topic = Topic(path: "/a")
    await transport.subscribe(Subscription(topic: topic, generation: 1))
    await transport.receive(Array("{}".utf8), of: topic)
    await transport.receive(Array("{}".utf8), of: Topic(path: "/b"))
    await transport.disconnect()
    var received: [String] = []
    for await event in events {
      switch event {
      case .state(let state): received.append("\(state)")
      case .frame(let frame): received.append("\(frame.subscription.topic)")
      default: received.append("another event")
      }
    }
    #expect(received == ["live", "/a"])
  }
}
