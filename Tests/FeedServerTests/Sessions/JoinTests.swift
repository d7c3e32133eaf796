import EveryMatrix
import NIOEmbedded
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

/// The source answers at once, but the session learns of that only when its event loop runs.
@Suite("A session that joins a topic")
struct JoinTests {
  private let relay = InstantRelay()
  private let hub: FeedHub
  private let topic = Topic(path: "/a")

  init() { hub = FeedHub(source: relay, limits: ServerLimits(), loops: [], metrics: ServerMetrics()) }

  /// Returns what a session gets if something happens after the topic was opened and before the session learns of it.
  private func received(_ event: () -> Void) throws -> String {
    let session = try MemorySession(hub)
    try session.send(0x81, WAMPMessage.register(request: 1, procedure: topic.path).text)
    event()
    session.loop.run()
    let text = try session.receiveAll()
    try session.finish()
    return text
  }

  @Test("gets GOODBYE if the topic has ended meanwhile")
  func end() throws {
    let text = try received { relay.end(topic) }
    #expect(text.contains("[65,1,") && text.contains("[6,"))
  }

  @Test("gets the messages that have come meanwhile, without waiting for the next ones")
  func messages() throws {
    let text = try received { relay.append([Array(FeedText.update(FeedText.odds(121, "2.5")).utf8)], to: topic) }
    #expect(text.contains("[65,1,") && text.contains(#""odds":2.5"#) && !text.contains("[6,"))
  }
}
