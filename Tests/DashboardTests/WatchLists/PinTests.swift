import EveryMatrix
import Localization
import OddsFeed
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

struct PinTests {
  private var board = Board(rows: 14, columns: 80)  // ten rows of matches

  init() { fill() }

  private mutating func fill() {
    for number in 1...20 { board.update(Self.match(number)) }
  }

  private static func match(_ number: Int) -> Match {
    .football(number * 100, "m\(number) - x", start: Int64(number) * 1_000_000, odds: ["2", "3", "4"])
  }

  /// The numbers of the matches on the screen.
  private mutating func shown() -> [Int] {
    board.paint()
    return (0..<board.state.list.height).compactMap { line in
      board.state.list.position(atRow: line).map { Int(board.state.list.rows[$0].id.raw) / 100 }
    }
  }

  private var chosen: Int { Int(board.state.list.rows[board.state.list.cursor].id.raw) / 100 }

  @Test("Space and m pin a row at the top, in the board's order, and move on; pressed again, they unpin it")
  mutating func pin() {
    board.press(.down, .down, .down)
    board.type(" m")
    #expect(shown() == [4, 5, 1, 2, 3, 6, 7, 8, 9, 10])
    #expect(chosen == 6)
    board.press(.home)
    board.type(" ")
    #expect(shown() == [5, 1, 2, 3, 4, 6, 7, 8, 9, 10])
    #expect(chosen == 5)
    board.type("m")
    #expect(shown() == Array(1...10))
    #expect(chosen == 1)
    #expect(board.effects == [])
  }

  @Test("A pinned row has a mark, and its columns do not move")
  mutating func mark() {
    board.paint()
    let before = board.line(3)
    board.press(.down)
    board.type("m")
    board.paint()
    #expect(board.line(2) == before.replacing("live  ", with: "live★ "))
    board = Board(rows: 10, columns: 80, glyphs: .ascii)
    fill()
    board.type("m")
    board.paint()
    #expect(board.line(2).contains(" live# "))
    // Without room for the time, the mark is before the name.
    board = Board(rows: 10, columns: 20)
    fill()
    board.type("m")
    board.paint()
    #expect(board.line(2).hasPrefix("★m1 - x"))
  }

  @Test("Pinned rows stay while the others scroll, unless they would take more than half of the screen")
  mutating func held() {
    board.type("mm")
    board.press(.end)
    #expect(shown() == [1, 2, 13, 14, 15, 16, 17, 18, 19, 20])
    #expect(chosen == 20)
    board.press(.pageUp)
    #expect(shown() == [1, 2, 12, 13, 14, 15, 16, 17, 18, 19])
    #expect(chosen == 12)
    board.press(.home)
    #expect(shown() == Array(1...10))
    board.press(.down, .down)
    board.type("mmmm")
    #expect(board.state.list.stickyCount == 0)
    board.press(.end)
    #expect(shown() == Array(11...20))
  }

  @Test("Pins are valid in every channel and order, and a pinned match that returns is pinned again")
  mutating func everywhere() {
    board.press(.down, .down)
    board.type("m3")
    fill()
    #expect(shown().prefix(3) == [3, 1, 2])
    board.type("S")
    #expect(shown().prefix(3) == [3, 20, 19])
    board.update(removed: [300])
    #expect(shown().prefix(2) == [20, 19])
    board.update(Self.match(3))
    #expect(shown().prefix(2) == [3, 20])
  }

  @Test("Up to 200 prices can be pinned, and a row that exceeds the limit is refused with a message")
  mutating func full() {
    var pins = Pins()
    let wanted = (1...66).map { (MatchID(raw: UInt64($0)), 3) } + [(90, 3), (90, 2), (91, 0), (1, 2)]
    let results = wanted.map { pins.pin($0, (0..<UInt64($1)).map { OfferID(raw: $0) }) }
    #expect(results == Array(repeating: true, count: 66) + [false, true, true, true])
    #expect(pins.allOffers.count == 199)
    #expect(Pins(pins.offers) == pins)
    board = Board(rows: 14, columns: 120)
    board.state.list.watch = WatchLists([WatchList(name: "", pins: pins)])
    fill()
    board.type("m")
    board.paint()
    #expect(
      board.line(13)
        == "68 rows with 199 prices are pinned, and there is no room for another: unpin one first")
    #expect(!board.state.list.pins.contains(100))
  }

  @Test("Without rows nothing is pinned; in a recording Space pauses and m pins")
  mutating func nothing() {
    board = Board()
    board.type(" m")
    #expect(board.state.list.pins.isEmpty && board.effects == [])
    board = .recording(rows: 14)
    fill()
    board.play(.seconds(1))
    board.type(" m")
    #expect(board.effects == [.togglePause])
    #expect(board.state.list.pins.matches == [100])
  }

  @Test("A match removed from a watch list raises no alert on prices that are no longer received")
  mutating func releasedAlerts() throws {
    board.type("mm0")
    board.update(Self.match(1), Self.match(2))
    #expect(shown() == [1, 2])
    board.type("m")
    board.replaceTopic(Self.match(2))
    board.perform(board.state.reduceAlerts(.add(try AlertRule("match 100 1 >= 2")), now: board.now))
    #expect(board.deliveredAlerts.isEmpty && board.state.alerts.engine.match(100) == nil)
    #expect(board.state.alerts.engine.match(200) != nil)
  }

  @Test("A throttled change does not bring back a match that was removed from a watch list")
  mutating func releasedChange() {
    board = Board(rows: 14, columns: 80, throttle: .seconds(1))
    fill()
    board.type("m0")
    board.update(Self.match(1))
    board.update(.football(100, "m1 - x", odds: ["2.1", "3", "4"]))
    board.type("m")
    board.wait(.seconds(2))
    #expect(shown() == [])
  }
}

struct WatchTests {
  private var board = Board(rows: 10, columns: 80)
  private static let noMatches = Topic.sports(liveOnly: true)

  init() { board.fill() }

  private func offers(_ ids: Int...) -> Topic { .offers(ids.map { OfferID(raw: UInt64($0)) }) }

  @Test("0 opens the watch list of the pinned matches of all channels, as a topic of their prices")
  mutating func open() {
    board.press(.down)
    board.type("m2")
    board.update(.football(700, "Elsewhere - x"))
    board.type("m0")
    #expect(board.effects == [board.open(1), .openChannel(board.state.requestedTopic)])
    #expect(board.state.requestedTopic == offers(221, 222, 223, 721, 722, 723))
    board.update(.football(200, "北京国安 - 上海海港", start: 1_750_755_600_000), .football(700, "Elsewhere - x"))
    board.paint()
    #expect(board.line(0).hasPrefix(" 0 Watch 1 Live 2 Football "))
    #expect(board.line(2).contains("Elsewhere - x"))
    board.type("0")
    #expect(board.effects.count == 2)
  }

  @Test("The watch list has a tab while a match is pinned or it is open; Tab and Shift-Tab leave it")
  mutating func tab() {
    board.paint()
    #expect(board.line(0).hasPrefix(" 1 Live "))
    board.type("0")
    board.paint()
    #expect(board.line(0).hasPrefix(" 0 Watch "))
    board.press(.tab)
    board.paint()
    #expect(board.line(0).hasPrefix(" 1 Live "))
    board.type("0")
    board.press(.backTab)
    #expect(board.effects.last == board.open(5))
    board.update(.football())
    board.type("m")
    board.paint()
    #expect(board.line(0).hasPrefix(" 0 Watch 1 Live "))
  }

  @Test("An empty watch list explains pinning, and opens a topic without matches to know the connection state")
  mutating func empty() {
    board.type("0")
    #expect(board.state.requestedTopic == Self.noMatches)
    board.update()
    board.paint()
    #expect(board.line(2).contains("Nothing pinned yet. Press m on a row in any channel to pin"))
  }

  @Test("A row unpinned in the watch list is removed at once, and the others stay while the topic is replaced")
  mutating func release() {
    board.type("mm0")
    board.update(.football(100), .football(200))
    board.press(.down)
    board.type("m")
    #expect(board.effects.last == .openTopic(offers(121, 122, 123)))
    #expect(board.state.list.rows.count == 1 && board.state.list.rows[0].id == 100)
    // The old topic is active until the new one is loaded.
    board.update(.football(200, odds: ["9", "9", "9"]))
    #expect(board.state.list.rows.count == 1)
    board.update(.football(100, odds: ["2.6", "3.1", "2.9"]))
    board.replaceTopic(.football(100, odds: ["2.6", "3.1", "2.9"]))
    board.paint()
    #expect(board.line(2).contains("2.60▲"))
    board.type("m")
    #expect(board.effects.last == .openTopic(Self.noMatches))
    board.replaceTopic()
    board.paint()
    #expect(board.line(2).contains("Nothing pinned yet."))
  }

  @Test("The watch list uses the offers that a match currently has in its channel")
  mutating func newOffers() {
    board.type("m")
    #expect(board.state.list.pins.allOffers == [121, 122, 123])
    board.update(.footballWithNewOffer)
    #expect(board.state.list.pins.allOffers == [9, 122, 123])
  }

  /// A race, whose main market has no outcome in a column.
  private static func race(runners: UInt64) -> Match {
    let outcomes = (0..<runners).map { number in
      Outcome(
        id: OutcomeID(raw: 500 + number), name: "Horse \(number)",
        offer: BettingOffer(id: OfferID(raw: 800 + number), odds: DecimalOdds(units: 50_000_000)), isBettable: true)
    }
    return Match(
      id: 400, labels: Match.Names(name: "Ascot"), status: .inProgress,
      markets: [Market(id: 410, name: "Winner", outcomes: outcomes)])
  }

  @Test(
    "A match with prices in no column is watched by the offers of its main market, at most 40",
    arguments: [5, 50] as [UInt64])
  mutating func noColumn(runners: UInt64) {
    let expected = (800..<800 + min(runners, 40)).map { OfferID(raw: $0) }
    board = Board(rows: 10, columns: 80)
    board.update(Self.race(runners: runners))
    board.type("m")
    #expect(board.state.list.pins.offers[400] == expected)
    board.type("0")
    #expect(board.state.requestedTopic == .offers(expected))
    board.update(Self.race(runners: runners))
    #expect(board.state.list.rows.count == 1 && board.state.unpricedMatches.isEmpty)
    board.type("1")
    board.update(Self.race(runners: 3))
    #expect(board.state.list.pins.offers[400] == [800, 801, 802])
    board.update(Self.race(runners: 4))
    #expect(board.state.list.pins.offers[400] == [800, 801, 802, 803])
    board.type(":pin Races")
    board.press(.enter)
    #expect(board.state.list.watch.lists.last?.pins.offers[400] == [800, 801, 802, 803])
  }

  @Test("A recording and a pipe have no watch list, and say so", arguments: [true, false])
  mutating func recording(isRecording: Bool) {
    board = .recording(rows: 10, columns: 120, channels: 2)
    board.fill()
    if isRecording { board.play(.seconds(1)) }
    board.type("m0")
    board.paint()
    #expect(board.state.tab == .channel(0) && board.effects == [])
    #expect(board.line(9).hasPrefix("No watch list: this feed cannot serve individual prices"))
    #expect(board.line(0).hasPrefix(" 1 Live "))
  }

  /// A feed whose channels have pages, but which has no topics of single offers.
  private struct ListsOnly: FeedCatalog {
    private let catalog = EveryMatrixCatalog()

    func standardChannels(matches: Int) -> [(title: MessageKey, topic: Topic)] {
      catalog.standardChannels(matches: matches)
    }
    func topic(ofMatch id: MatchID, listedIn list: Topic) -> Topic? { catalog.topic(ofMatch: id, listedIn: list) }
    func topic(ofOffers ids: [OfferID], listedIn list: Topic) -> Topic? { nil }
    func matchLimit(of topic: Topic) -> Int? { catalog.matchLimit(of: topic) }
    func topic(_ topic: Topic, limitedTo matches: Int) -> Topic { catalog.topic(topic, limitedTo: matches) }
  }

  @Test("A feed without topics of single prices has no watch list, and keeps the pins and the pages of its channels")
  mutating func listsOnly() {
    board = Board(
      rows: 10, columns: 120, rate: nil, channels: BoardChannel.standard(matches: 2000), canReconnect: true,
      catalog: ListsOnly())
    board.fill()
    board.type("m0")
    board.paint()
    #expect(board.state.tab == .channel(0) && board.state.unservedMatches == nil)
    #expect(board.line(9).hasPrefix("No watch list: this feed cannot serve individual prices"))
    #expect(board.line(0).hasPrefix(" 1 Live "))
    board.type(":watch A")
    board.press(.enter)
    #expect(board.state.promptBar.prompt?.error != nil && board.state.list.watch.lists.count == 1)
    board.press(.escape)
    #expect(board.state.list.rows.pinned == [100])
    board.type("2")
    #expect(board.state.tab == .channel(1) && board.state.list.pages != nil)
  }
}

extension Board {
  /// Replaces the topic of the current channel by one with the given matches.
  mutating func replaceTopic(_ matches: Match...) { replaceTopic(matches) }

  mutating func replaceTopic(_ matches: [Match]) {
    let update = ChannelUpdate(changed: matches, freshness: Freshness(.live, since: now.wall))
    send(.topicReplaced(update))
  }
}
