import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The headings of groups on the board: keys, commands, the cursor and what a folded group shows.
struct GroupTests {
  private var board = Board(rows: 14, columns: 80)  // ten rows of the list

  init() { Self.fill(&board) }

  private static func match(
    _ id: UInt64, _ name: String, _ tournament: String, _ country: String, odds: Int64 = 200,
    status: MatchStatus = .pending
  ) -> Match {
    let outcomes = (0..<3).map { index in
      let offer = BettingOffer(
        id: OfferID(raw: id * 10 + UInt64(index)), odds: DecimalOdds(units: (odds + Int64(index)) * 100_000))
      return Outcome(
        id: OutcomeID(raw: id * 10 + UInt64(index)), name: ["1", "X", "2"][index], offer: offer, isBettable: true)
    }
    return Match(
      id: MatchID(raw: id),
      labels: Match.Names(name: name, tournament: tournament, category: country, sport: id > 6 ? "Tennis" : "Football"),
      sportID: id > 6 ? 2 : 1, startTime: 1_750_760_000_000 + Int64(id), status: status,
      markets: [Market(id: MarketID(raw: id), name: "Match Odds", outcomes: outcomes)])
  }

  static func fill(_ board: inout Board) {
    board.update(
      match(1, "Ajax - Porto", "Serie A", "Italy"), match(2, "Roma - Lazio", "Serie A", "Italy", status: .inProgress),
      match(3, "Santos - Bahia", "Serie A", "Brazil"), match(4, "成都蓉城 - 天津津门虎", "中超联赛", "中国"),
      match(5, "Nobody - Noone", "", ""), match(7, "Alcaraz - Sinner", "Wimbledon", "UK"))
  }

  private mutating func run(_ command: String) {
    board.type(":" + command)
    board.press(.enter)
  }

  /// The rows on the screen: headings with their marks, and the names of matches.
  private mutating func lines() -> [String] {
    board.paint()
    return (0..<board.state.list.height).compactMap { index in
      guard let line = board.state.list.line(atRow: index) else { return nil }
      if let position = board.state.list.rows.position(atLine: line) {
        return board.state.list.rows[position].labels.name
      }
      return board.line(index + 2).trimmedAtEnd
    }
  }

  private static let headings = [
    "▾  Serie A, Brazil  1 match", "▾  Serie A, Italy  2 matches  1 in play", "▾  Wimbledon, UK  1 match",
    "▾  中超联赛, 中国  1 match", "▾  Other  1 match",
  ]

  @Test("v groups the rows by tournament, then by sport, then not at all; the cursor stays on its match")
  mutating func cycle() {
    board.press(.end)
    let chosen = board.state.list.selected?.id
    board.type("v")
    #expect(board.state.list.selected?.id == chosen)
    board.press(.home)
    #expect(
      lines() == [
        Self.headings[0], "Santos - Bahia", Self.headings[1], "Roma - Lazio", "Ajax - Porto", Self.headings[2],
        "Alcaraz - Sinner", Self.headings[3], "成都蓉城 - 天津津门虎", Self.headings[4],
      ])
    board.type("v")
    #expect(lines().filter { $0.hasPrefix("▾") } == ["▾  Football  5 matches  1 in play", "▾  Tennis  1 match"])
    board.type("v")
    #expect(lines().count == 6 && board.state.settings.grouping == .off)
  }

  @Test("z folds the group at the cursor, whose heading is then selected; Z folds all, or unfolds all")
  mutating func fold() {
    run("group tournament")
    board.press(.home, .down, .down, .down)
    #expect(board.state.list.selected?.id == 2)
    board.type("z")
    #expect(lines()[2] == "▸  Serie A, Italy  2 matches  1 in play" && lines()[3] == Self.headings[2])
    #expect(board.state.list.selected == nil && board.state.list.cursor == 2)
    board.press(.enter)
    #expect(lines()[3] == "Roma - Lazio")
    board.type("Z")
    #expect(lines() == Self.headings.map { $0.replacing("▾", with: "▸") })
    #expect(board.state.list.selectedHeading != nil)
    board.type("Z")
    #expect(lines().count == 10)
  }

  @Test("A price change marks a folded group for one second, except on a locked connection")
  mutating func changed() {
    run("group tournament")
    board.type("Z")
    board.paint()
    board.update(Self.match(2, "Roma - Lazio", "Serie A", "Italy", odds: 310, status: .inProgress))
    #expect(lines()[1] == "▸• Serie A, Italy  2 matches  1 in play")
    #expect(!board.text.contains("3.1"))
    #expect(board.state.list.nextDeadline == board.now.uptime + Flash.length)
    board.wait(.seconds(1))
    #expect(lines()[1] == "▸  Serie A, Italy  2 matches  1 in play")
    board.update(Self.match(1, "Ajax - Porto", "Serie A", "Italy", odds: 320))
    board.updateFreshness(.locked)
    #expect(lines()[1] == "▸  Serie A, Italy  2 matches  1 in play")
  }

  @Test("n on a heading finds the first row of its group, and a message shows only when the search wraps")
  mutating func wrapping() {
    run("group tournament")
    run("filter live or pending")
    board.type("f")
    board.press(.home)
    board.wait(StatusMessage.length)
    // Five headings and six rows.
    for (row, id) in [3, 2, 1, 7, 4, 5, 3].enumerated() {
      board.type("n")
      board.paint()
      #expect(board.state.list.selected?.id == MatchID(raw: UInt64(id)))
      #expect(board.line(13).hasPrefix("Wrapped to the first result") == (row == 6), "\(row)")
    }
    board.wait(StatusMessage.length)
    board.press(.home)
    board.type("N")
    board.paint()
    #expect(board.state.list.selected?.id == 5 && board.line(13).hasPrefix("Wrapped to the last result"))
  }

  @Test("Space folds the group at the cursor, or pauses a recording, on a heading too")
  mutating func space() {
    run("group tournament")
    board.press(.home, .character(" "))
    #expect(board.state.list.rows.folds.foldsAll == false && lines()[0].hasPrefix("▸"))
    board = Board.recording(rows: 14)
    Self.fill(&board)
    board.play(.seconds(3))
    run("group tournament")
    board.press(.home)
    #expect(board.state.list.selectedHeading != nil)
    board.effects = []
    board.press(.character(" "))
    #expect(board.effects == [.togglePause] && lines()[0].hasPrefix("▾"))
    board.press(.enter)
    #expect(lines()[0].hasPrefix("▸"))
  }

  @Test("z without groups shows how to group rows; a filter hides empty groups and keeps folds")
  mutating func filter() {
    board.type("z")
    board.paint()
    #expect(board.line(13).hasPrefix("There are no groups: group the rows with v"))
    run("group tournament")
    run("filter roma")
    #expect(lines() == ["▾  Serie A, Italy  1 match  1 in play", "Roma - Lazio"])
    board.type("z")
    run("filter")
    #expect(lines()[2].hasPrefix("▸  Serie A, Italy  2 matches"))
  }

  @Test("n searches folded groups and unfolds them, ] skips headings, and y copies a heading")
  mutating func movement() {
    run("group tournament")
    board.type("Z")
    run("filter a")
    board.type("f")
    board.press(.home)
    board.effects = []
    board.type("y")
    #expect(board.effects == [.terminal(.copy("Serie A, Brazil  1 match"))])
    board.type("n")
    #expect(board.state.list.selected?.id == 3)
    board.type("Z")
    board.type("Z")
    board.press(.home, .down, .enter)
    #expect(board.state.detail.pane?.id == 3)
    board.type("]")
    #expect(board.state.detail.pane?.id == 2)
    board.type("[")
    #expect(board.state.detail.pane?.id == 3)
  }

  @Test("A click on a heading folds its group; pinned rows are above the groups")
  mutating func mouse() {
    run("group tournament")
    board.paint()
    board.send(.mousePressed(MousePress(row: 2, column: 5)))
    #expect(lines()[0] == "▸  Serie A, Brazil  1 match")
    board.send(.mousePressed(MousePress(row: 2, column: 5)))
    board.press(.home, .down)
    board.type("m")
    #expect(lines().prefix(2) == ["Santos - Bahia", Self.headings[1]])
  }

  @Test("Grouping and folds are restored in the next run")
  mutating func kept() {
    run("group sport")
    board.press(.home)
    board.type("z")
    var next = Board(rows: 14, columns: 80, session: board.state.session)
    Self.fill(&next)
    #expect(next.state.settings.grouping == .sport && next.state.session == board.state.session)
    next.paint()
    #expect(next.line(2).hasPrefix("▸  Football  5 matches") && next.line(3).hasPrefix("▾  Tennis"))
  }

  @Test("The number of rows formatted for a change does not depend on the number of loaded matches")
  mutating func damage() {
    board = Board(rows: 24, columns: 80, channels: BoardChannel.standard(matches: 10_000))
    let matches = (1...10_000 as ClosedRange<UInt64>).map {
      Self.match($0 + 10, "m\($0) - x", "T\($0 % 700)", "C\($0 % 7)")
    }
    let live = Freshness(.live, since: board.now.wall)
    board.send(.channelUpdated(ChannelUpdate(changed: matches, freshness: live)))
    run("group tournament")
    board.wait(.seconds(6))
    board.paint()
    #expect(board.state.list.rows.lineCount == 10_700)
    let visible = board.state.list.selectedHeading == nil ? board.state.list.cursor : 1
    let id = board.state.list.rows[board.state.list.rows.position(atLine: visible)!].id.raw
    board.update(Self.match(id, "m\(id - 10) - x", "T\((id - 10) % 700)", "C\((id - 10) % 7)", odds: 222))
    #expect(board.paint().filter { 2..<22 ~= $0.row }.count == 1)
    board.press(.pageDown)
    #expect(board.paint().filter { 2..<22 ~= $0.row }.count <= 20)
    board.press(.end)
    board.paint()
    #expect(board.state.list.cursor == 10_699)
  }
}

/// Grouped rows as text, compared with `Golden/`.
struct GroupGoldenTests {
  @Test(
    "Groups, one of them folded, have their golden text in each size and language",
    arguments: [(24, 80), (60, 200), (10, 40), (6, 20)], Language.allCases)
  func groups(size: (rows: Int, columns: Int), language: Language) {
    var board = Board(rows: size.rows, columns: size.columns, words: Catalog(language))
    board.state.settings.grouping = .tournament
    board.send(.settingsChanged(board.state.configured))
    GroupTests.fill(&board)
    board.press(.home, .down, .down)
    board.type("z")
    board.paint()
    board.expectGolden("groups-\(language.rawValue)-\(size.columns)x\(size.rows)")
  }
}
