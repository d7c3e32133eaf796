import FeedFanOut
import OddsModel
import Testing

@testable import FeedSimulator
@testable import toteboard_server

@Suite struct AccountOutboxTests {
  private func event(_ id: UInt64) -> SimulatedAccounts.News {
    .event(AccountEvent(id: id, session: nil, data: Array("{}".utf8)), playerID: "7")
  }

  private func session(_ id: String) -> PlayerSession {
    PlayerSession(id: id, playerID: "7", user: "anna", loginTime: 1, expiresAt: 2)
  }

  /// The topics of the messages.
  private func topics(_ news: [BookOrigin.News]) -> [String] {
    news.map { news in
      switch news {
      case .messages(let topic, let messages): "\(messages.count) of \(topic.path)"
      case .lost(let topic): "lost \(topic.path)"
      }
    }
  }

  @Test("Reloading the accounts ends the topics of players and drops the events that were not published")
  func replaced() {
    var outbox = AccountOutbox(sessions: [session("a")])
    outbox.open(player: "7")
    outbox.add([event(1)])
    #expect(topics(outbox.drain()) == ["1 of player/7"])
    outbox.add([event(2)])
    outbox.replace(with: [session("a"), session("b")])
    outbox.add([event(100_001)])
    #expect(topics(outbox.drain()) == ["lost player/7", "1 of sessions"])
    #expect(outbox.drain() == [])
    outbox.open(player: "7")
    outbox.add([event(100_002), event(100_003)])
    #expect(topics(outbox.drain()) == ["2 of player/7"])
  }

  @Test("A topic that was closed and reopened before the drain is not reported as lost")
  func closed() {
    var outbox = AccountOutbox()
    outbox.open(player: "7")
    outbox.replace(with: [])
    outbox.close(player: "7")
    outbox.open(player: "7")
    outbox.add([event(1)])
    #expect(topics(outbox.drain()) == ["1 of player/7"])
  }
}
