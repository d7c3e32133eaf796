import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The pane of a match that has left its channel, while the match's own topic has not answered.
struct LeftChannelTests {
  private static let problem = FeedError("the feed refuses the topic", remedy: "open another")

  private var board = Board(rows: 40, columns: 120)

  init() {
    board.fill()
    board.wait(.seconds(5))
  }

  /// Opens a match whose topic has not answered.
  private mutating func open(topic: TopicState = .late) {
    board.openMatch()
    board.updateMatch(grade: .locked, topic: topic, isLoaded: false)
    board.wait(.seconds(5))
  }

  /// Paints the pane and returns the price of the home side.
  private mutating func price() -> String? {
    board.paint()
    let row = board.paintedPane().first { $0.contains(" home ") }
    return row.map { row in String(row.split(separator: " ")[2].prefix { !"▲▼".contains($0) }) }
  }

  private var lastStep: PriceHistory.State? {
    board.state.detail.histories[100, OutcomeKey(market: 110, outcome: 111)]?.steps.last?.state
  }

  @Test(
    "The prices of a match that left its channel are marked, and not used, until the channel or the topic has the match",
    arguments: [
      .refused(problem), .maintenance(retryAt: 0), .late, .retrying(problem, at: 0), .requested,
    ] as [TopicState])
  mutating func left(topic: TopicState) throws {
    open(topic: topic)
    board.type(":calculate back 10")
    board.press(.enter)
    #expect(price() == "2.45" && lastStep == .live)
    board.update(removed: [100])
    #expect(price() == "2.45?" && lastStep == .unknown)
    let about = try #require(DetailLayout(board.state.layout, hasNotice: true).about)
    #expect(board.paintedPane()[about].contains("locked"))
    #expect(board.text.contains("No result: prices may be out of date"))
    board.type("y")
    #expect(board.copied.last?.hasSuffix("2.45?") == true)
    board.updateFreshness(.closed)
    #expect(price() == "2.45?" && lastStep == .unknown)
    board.update(.football(odds: ["2.6", "3.1", "2.9"]))
    #expect(price() == "2.60" && lastStep == .live)
    board.update(removed: [100])
    #expect(price() == "2.60?")
    board.updateMatch(RichMatch().match)
    #expect(price() == "2.45" && lastStep == .live)
    board.update(removed: [100])
    #expect(price() == "2.45")
  }

  @Test("A match that leaves its channel before it is known whether it has a topic is marked")
  mutating func beforeOpening() {
    board.press(.enter)
    board.update(removed: [100])
    board.send(.matchOpened(100, known: .football(), hasTopic: true))
    #expect(price() == "2.45?")
    board.update(.football())
    #expect(price() == "2.45")
  }

  @Test("An open match that is unpinned from the watch list is marked when the list's topic is replaced")
  mutating func unpinned() {
    board.type("mm0")
    board.update(.football(), .football(200))
    open()
    board.type("m")
    #expect(price() == "2.45" && board.state.list.rows.count == 1)
    board.replaceTopic(.football(200))
    #expect(price() == "2.45?")
  }
}
