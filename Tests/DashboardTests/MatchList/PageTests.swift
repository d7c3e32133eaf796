import EveryMatrix
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

struct PageTests {
  private var board = Board(rows: 14, columns: 120, channels: BoardChannel.standard(matches: 1000))
  private static let matches: [Match] = (1...1000).map { .named("m\($0) - x", MatchID(raw: UInt64($0))) }

  private func page(_ size: Int) -> Topic { .aggregator(.live, matches: size) }

  private mutating func load(_ count: Int) {
    let live = Freshness(.live, since: board.now.wall)
    let update = ChannelUpdate(changed: Array(Self.matches[..<count]), freshness: live)
    _ = board.state.reduce(.channelUpdated(update), now: board.now)
  }

  @Test("The first page has 200 matches or three screens, and no more than the channel's limit")
  mutating func first() {
    #expect(board.state.requestedTopic == page(200))
    #expect(
      Board(rows: 204, columns: 80, channels: BoardChannel.standard(matches: 1000)).state.requestedTopic == page(600))
    #expect(Board().state.requestedTopic == page(100))
    board.type("5")
    #expect(board.state.requestedTopic == .aggregator(.next, matches: 200))
  }

  @Test("Near the end of a full page a larger one is requested once; the rows and the cursor's match stay")
  mutating func grow() {
    load(200)
    board.press(.down, .pageDown)
    #expect(board.effects == [])
    for _ in 0..<16 { board.press(.pageDown) }
    #expect(board.effects == [])
    board.press(.pageDown)
    #expect(board.effects == [.openTopic(page(400))])
    board.press(.pageDown, .up, .down)
    #expect(board.effects.count == 1)
    #expect(board.state.list.rows.count == 200)
    let chosen = board.state.list.rows[board.state.list.cursor].id
    board.replaceTopic(Array(Self.matches[..<400]))
    #expect(board.state.list.rows.count == 400)
    #expect(board.state.list.rows[board.state.list.cursor].id == chosen)
    #expect(board.state.requestedTopic == page(400))
  }

  @Test("G goes to the last loaded row, requests all rows, and goes to the last one when they are loaded")
  mutating func last() {
    load(200)
    board.type("G")
    #expect(board.effects == [.openTopic(page(1000))])
    #expect(board.state.list.cursor == 199)
    board.replaceTopic(Self.matches)
    #expect(board.state.list.cursor == 999)
    board.type("GgG")
    #expect(board.effects.count == 1)
  }

  @Test("Moving after G cancels the jump to the last row; G during a page request requests all rows")
  mutating func lastUndone() {
    load(200)
    for _ in 0..<18 { board.press(.pageDown) }
    board.type("G")
    #expect(board.effects == [.openTopic(page(400)), .openTopic(page(1000))])
    board.press(.up)
    board.replaceTopic(Self.matches)
    #expect(board.state.list.cursor == 198)
  }

  @Test("A row that is missing in the larger page is removed; a row that stays keeps its highlight")
  mutating func replaced() {
    load(200)
    board.update(.football(100, "m100 - x", odds: ["2", "3", "4"]))
    board.update(.football(100, "m100 - x", odds: ["2.5", "3", "4"]))
    board.press(.end)
    board.replaceTopic([.football(100, "m100 - x", odds: ["2.5", "3", "4"])] + Self.matches[200..<400])
    #expect(board.state.list.rows.count == 201)
    #expect(board.state.list.rows[id: 100]?.prices.first.flash?.isUp == true)
    #expect(board.state.list.rows[id: 1] == nil)
  }

  @Test(
    "A page that is not full is the whole channel; after a refusal the screen shows that there may be more")
  mutating func end() {
    load(199)
    board.press(.end)
    #expect(board.effects == [])
    load(200)
    board.press(.up)
    #expect(board.effects == [.openTopic(page(400))])
    _ = board.state.reduce(.topicRefused, now: board.now)
    board.press(.end, .up)
    #expect(board.effects.count == 1)
    #expect(board.state.requestedTopic == page(200))
    board.paint()
    #expect(board.line(12).hasSuffix(" 200 of 1,000"))
  }

  @Test("A frozen or filtered screen requests no page by itself; a recording has no pages")
  mutating func quiet() {
    load(200)
    board.type("p")
    board.press(.end)
    #expect(board.effects == [])
    board.state.list.reduce(.show(only: { $0.id.raw % 50 == 0 }), board.state.context(board.now))
    board.type("pk")
    #expect(board.effects == [])
    board.type("G")
    #expect(board.effects == [.openTopic(page(1000))])
    #expect(Board(rate: nil, channels: BoardChannel.standard(matches: 1000)).state.requestedTopic == page(1000))
  }

  @Test("The counter row shows how many matches are loaded")
  mutating func counters() {
    load(200)
    board.paint()
    #expect(board.line(12).hasSuffix(" 200 of 1,000"))
    board.press(.end)
    board.paint()
    #expect(board.line(12).hasSuffix(" 200 of 1,000…"))
    board.replaceTopic(Self.matches)
    board.paint()
    #expect(!board.line(12).contains(" of "))
  }
}
