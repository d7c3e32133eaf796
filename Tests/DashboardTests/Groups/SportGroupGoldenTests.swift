import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Rows grouped by sport, compared with `Golden/` and with a plain grouping of the matches. RECORD=1 updates the files.
struct SportGroupGoldenTests {
  private static let sizes = [(24, 80), (40, 120), (60, 200), (24, 40)]

  private static let matches: [Match] = [
    match(1, "Ajax - Porto", "Football"), match(2, "成都蓉城 - 天津津门虎", "Football", .inProgress),
    match(3, "Roma - Lazio", "Football", .ended), match(4, "Santos - Bahia", "Football"),
    match(5, "Celtics - Lakers", "Basketball", .inProgress), match(6, "Bulls - Heat", "Basketball", .inProgress),
    match(7, "Alcaraz - Sinner", "Tennis"), match(8, "石宇奇 - 安賽龍", "羽毛球"), match(9, "Nobody - Noone", ""),
  ]

  private static func match(
    _ id: UInt64, _ name: String, _ sport: String, _ status: MatchStatus = .pending, odds: Int64 = 200
  ) -> Match {
    let outcomes = (0..<3).map { index in
      let raw = id * 10 + UInt64(index)
      let offer = BettingOffer(id: OfferID(raw: raw), odds: DecimalOdds(units: (odds + Int64(index)) * 100_000))
      return Outcome(id: OutcomeID(raw: raw), name: ["1", "X", "2"][index], offer: offer, isBettable: true)
    }
    return Match(
      id: MatchID(raw: id), labels: Match.Names(name: name, sport: sport),
      sportID: SportID(raw: UInt64(sport.count + 1)), startTime: 1_750_760_000_000 - Int64(id) * 60_000, status: status,
      markets: [Market(id: MarketID(raw: id), name: "Match Odds", outcomes: outcomes)])
  }

  private func board(rows: Int, columns: Int) -> Board {
    var board = Board(rows: rows, columns: columns)
    board.state.settings.grouping = .sport
    board.send(.settingsChanged(board.state.configured))
    for match in Self.matches { board.update(match) }
    board.press(.home)
    board.paint()
    return board
  }

  /// Folds the football matches, of which one gets new prices.
  private func foldFootball(_ board: inout Board) {
    board.press(.home, .down, .down, .down)
    board.type("z")
    board.update(Self.match(1, "Ajax - Porto", "Football", odds: 310))
    board.paint()
  }

  private func foldAll(_ board: inout Board) {
    board.type("Z")
    board.paint()
  }

  @Test("Groups by sport have their golden texts: unfolded, one folded, all folded", arguments: sizes)
  func groups(rows: Int, columns: Int) {
    var board = board(rows: rows, columns: columns)
    board.expectGolden("sports-\(columns)x\(rows)")
    foldFootball(&board)
    board.expectGolden("sports-folded-\(columns)x\(rows)")
    board = self.board(rows: rows, columns: columns)
    foldAll(&board)
    board.expectGolden("sports-all-folded-\(columns)x\(rows)")
  }

  /// Returns the headings, and the names of the matches below them, in the order of a plain sort.
  private static func lines(folded: Set<String> = [], changed: String? = nil) -> [String] {
    let groups = Dictionary(grouping: matches) { $0.labels.sport }
    // Matches without a sport come last.
    let named = groups.keys.filter { !$0.isEmpty }.sorted { $0.lowercased() < $1.lowercased() }
    return (named + [""]).flatMap { sport -> [String] in
      let matches = groups[sport]!.sorted { rank($0) < rank($1) }
      let live = matches.count { $0.status == .inProgress }
      let marks = (folded.contains(sport) ? "▸" : "▾") + (sport == changed ? "•" : " ")
      let count = matches.count == 1 ? "1 match" : "\(matches.count) matches"
      let heading = "\(marks) \(sport.isEmpty ? "Other" : sport)  \(count)" + (live > 0 ? "  \(live) in play" : "")
      return [heading] + (folded.contains(sport) ? [] : matches.map(\.labels.name))
    }
  }

  /// The rank of a match within its group: in play, not begun, ended; then by start time.
  private static func rank(_ match: Match) -> (Int, Int64) {
    let stages: [MatchStatus] = [.inProgress, .pending, .ended]
    return (stages.firstIndex(of: match.status)!, match.startTime!)
  }

  private func expect(_ board: Board, _ lines: [String], _ location: SourceLocation = #_sourceLocation) {
    for (index, line) in lines.enumerated() {
      let shown = board.line(index + 2)
      if line.hasPrefix("▾") || line.hasPrefix("▸") {
        #expect(shown == line, sourceLocation: location)
      } else {
        #expect(shown.contains(line), sourceLocation: location)
      }
    }
    #expect(board.line(lines.count + 2).isEmpty, sourceLocation: location)
  }

  @Test(
    "Headings are in the order of sports, count their matches, and have the matches below them",
    arguments: [(40, 120), (60, 200)])
  func order(rows: Int, columns: Int) {
    var board = board(rows: rows, columns: columns)
    expect(board, Self.lines())
    foldFootball(&board)
    expect(board, Self.lines(folded: ["Football"], changed: "Football"))
    board = self.board(rows: rows, columns: columns)
    foldAll(&board)
    expect(board, Self.lines(folded: Set(Self.matches.map(\.labels.sport))))
  }
}
