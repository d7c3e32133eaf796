import Localization
import OddsHistory
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Matches of the history: the command that searches for them, the list, and the pane of one.
struct PastMatchTests {
  /// Yesterday at 17:00, two hours after the start.
  private static let end: Int64 = 1_750_698_000_000

  /// A match as a search returns it.
  private func past(_ id: MatchID = 900, _ name: String = "Girona - 上海海港", status: MatchStatus = .ended) -> Match {
    var match = Match(
      id: id, labels: Match.Names(name: name, tournament: "La Liga"), startTime: Self.end - 7_200_000, status: status)
    match.score = Score(home: 2, away: 1)
    return match
  }

  /// The match with its last prices: 2.00, 3.50, and none for the last outcome.
  private func known(status: MatchStatus = .ended) -> LastKnownMatch {
    let prices: [Int64?] = [20_000_000, 35_000_000, nil]
    let outcomes = zip(["home", "draw", "away"], prices).enumerated().map { index, outcome in
      let offer = outcome.1.map { BettingOffer(id: 0, odds: DecimalOdds(units: $0)) }
      return Outcome(id: OutcomeID(raw: UInt64(911 + index)), name: outcome.0, key: outcome.0, offer: offer)
    }
    let market = Market(id: 910, name: "Match Result", isMatchOver: true, mainMarketRank: 0, outcomes: outcomes)
    let past = past(status: status)
    var match = Match(
      id: past.id, labels: past.labels, startTime: past.startTime, status: status, markets: [market])
    match.score = past.score
    return LastKnownMatch(match: match, end: Self.end)
  }

  private func board(
    rows: Int = 24, columns: Int = 80, words: Catalog = .english, glyphs: GlyphSet = .unicode
  ) -> Board {
    var board = Board(rows: rows, columns: columns, glyphs: glyphs, words: words, readsHistory: true)
    board.fill()
    board.paint()
    return board
  }

  private func enter(_ command: String, _ board: inout Board) {
    board.type(":" + command)
    board.press(.enter)
  }

  private func searches(_ board: Board) -> [HistorySearch] {
    board.effects.compactMap { if case .searchHistory(let search) = $0 { search } else { nil } }
  }

  private func requests(_ board: Board) -> [PriceRequest] {
    board.effects.compactMap { if case .readPrices(let request) = $0 { request } else { nil } }
  }

  private func note(_ board: Board) -> LocalizedMessage? { board.state.statusBar.message?.sentence }

  /// Enters a search, and answers it.
  private func find(_ text: String, _ matches: [Match], _ board: inout Board) {
    enter("history \(text)", &board)
    guard let search = searches(board).last else { return }
    board.send(.historySearched(search, .success(matches)))
  }

  private func opened(
    rows: Int = 24, columns: Int = 80, words: Catalog = .english, glyphs: GlyphSet = .unicode,
    status: MatchStatus = .ended
  ) -> Board {
    var board = board(rows: rows, columns: columns, words: words, glyphs: glyphs)
    find("girona", [past(status: status)], &board)
    board.send(.pastMatchRead(900, .success(known(status: status))))
    board.paint()
    return board
  }

  /// Answers the last request for prices: 2.20 up to the start, then a suspension, then 2.00.
  private func readPrices(_ board: inout Board) {
    guard let request = requests(board).last else { return }
    let steps: [(hoursBefore: Int64, state: PriceSeries.State, hundredths: Int64)] = [
      (4, .live, 210), (3, .live, 220), (2, .suspended, 220), (1, .live, 200), (0, .unknown, 200),
    ]
    let series = PriceSeries(
      steps: steps.map { step in
        PriceSeries.Step(
          time: Self.end - step.hoursBefore * 3_600_000, state: step.state,
          odds: DecimalOdds(units: step.hundredths * 100_000))
      })
    let record = OutcomeRecord(
      series: series, opening: DecimalOdds(units: 21_000_000), closing: DecimalOdds(units: 22_000_000),
      last: DecimalOdds(units: 20_000_000))
    board.send(.pricesRead(RecordedPrices(record, for: request)))
    board.paint()
  }

  @Test("The only match that is found is opened with its last prices, marked as closed and never as live")
  func only() {
    var board = board()
    find("girona", [past()], &board)
    #expect(searches(board).map(\.text) == ["girona"] && board.state.overlay == nil)
    #expect(board.effects.contains(.closeMatch) && board.effects.contains(.readPastMatch(900)))
    board.paint()
    #expect(board.text.contains("Girona - 上海海港") && board.text.contains("Loading all markets"))
    board.send(.pastMatchRead(900, .success(known())))
    board.paint()
    for text in ["2.00?", "3.50?", "2-1  end", "From the history: the last prices, known until 06-23 17:00."] {
      #expect(board.text.contains(text), "\(board.text)")
    }
    // The match and its market.
    #expect(board.screen.content.rows.count { $0.description.hasSuffix("closed") } == 2, "\(board.text)")
    let pane = board.state.detail.pane
    #expect(pane?.grade(board.state.connection) == .closed)
    #expect(pane?.showsLivePrices(board.state.connection) == false)
    #expect(pane?.isKnown(board.state.connection) == false && pane?.watched == nil)
  }

  @Test("A match that left the board in progress is not shown as live, nor is one that has not started then")
  func inProgress() {
    for status in [MatchStatus.inProgress, .pending, .unknown] {
      let board = opened(status: status)
      #expect(board.line(1).hasSuffix("2-1  06-23 15:00") && !board.line(1).contains("live"), "\(board.line(1))")
      #expect(board.line(2).hasSuffix("closed"))
    }
  }

  @Test("Of several matches a list has the newest first; Enter opens the selected one")
  func list() {
    var board = board()
    enter("history", &board)
    board.paint()
    #expect(board.line(2) == " Searching the history…")
    board.press(.enter)
    let search = searches(board).last
    #expect(search?.text == "" && board.state.detail.pane == nil)
    board.send(.historySearched(search!, .success([past(), past(901, "Sevilla - Girona")])))
    board.paint()
    #expect(board.line(1) == "  Matches of the history, the newest first. Enter opens one.")
    #expect(board.line(2).hasPrefix(" 06-23 15:00 Girona - 上海海港"), "\(board.line(2))")
    #expect(board.line(3).hasPrefix(" 06-23 15:00 Sevilla - Girona"), "\(board.line(3))")
    #expect(board.line(3).contains(" 2-1     La Liga"), "\(board.line(3))")
    #expect(board.line(23).hasPrefix("Esc close Enter open Up Down select"), "\(board.line(23))")
    board.press(.down, .down, .enter)
    #expect(board.state.overlay == nil && board.state.detail.pane?.id == 901)
    #expect(board.effects.contains(.readPastMatch(901)))
  }

  @Test("A list that is full says so, and scrolls to its last match")
  func full() {
    var board = board()
    let matches = (0..<HistorySearch.limit).map { past(MatchID(raw: UInt64(1000 + $0)), "Match \($0)") }
    find("match", matches, &board)
    board.press(.end)
    board.paint()
    #expect(board.line(1).contains("The newest 200 matches of the history"), "\(board.line(1))")
    #expect(board.line(21).contains("Match 199"), "\(board.text)")
    board.press(.enter)
    #expect(board.state.detail.pane?.id == 1199)
  }

  @Test("The answer to a search whose list was closed or replaced is ignored")
  func late() {
    var board = board()
    enter("history a", &board)
    board.press(.escape)
    #expect(board.state.overlay == nil)
    board.send(.historySearched(searches(board)[0], .success([past()])))
    #expect(board.state.overlay == nil && board.state.detail.pane == nil)
    enter("history b", &board)
    board.send(.historySearched(searches(board)[0], .success([past()])))
    #expect(board.state.historyChooser?.matches == nil && board.state.detail.pane == nil)
    board.send(.historySearched(searches(board)[1], .success([past()])))
    #expect(board.state.detail.pane?.id == 900)
  }

  @Test("A search without a result and a history that cannot be read give a message")
  func messages() {
    var board = board()
    find("xyz", [], &board)
    #expect(note(board) == LocalizedMessage(.historyNoneFound, "xyz") && board.state.overlay == nil)
    find("", [], &board)
    #expect(note(board) == LocalizedMessage(.historyNoneBegun) && board.state.overlay == nil)
    let error = HistoryError(.busy, LocalizedMessage(.historyBusy, "/history.db"))
    enter("history", &board)
    board.send(.historySearched(searches(board).last!, .failure(error)))
    #expect(note(board) == LocalizedMessage(.historyUnread, error.sentence) && board.state.overlay == nil)
    find("girona", [past()], &board)
    board.send(.pastMatchRead(900, .failure(error)))
    #expect(note(board) == LocalizedMessage(.historyUnread, error.sentence) && board.state.detail.pane == nil)
    find("girona", [past()], &board)
    board.send(.pastMatchRead(901, .success(nil)))
    #expect(board.state.detail.pane != nil)
    board.send(.pastMatchRead(900, .success(nil)))
    #expect(note(board) == LocalizedMessage(.historyNoneFound, "Girona - 上海海港"))
    #expect(board.state.detail.pane == nil)
  }

  @Test("A filter with an error, of prices, without a history or in a recording is refused")
  func refused() {
    var board = board()
    let refusals: [(line: String, position: Int, sentence: LocalizedMessage?)] = [
      ("history odds < 2", 8, LocalizedMessage(.historyNoPriceField, "odds")),
      ("history suspended", 8, LocalizedMessage(.historyNoPriceField, "suspended")),
      ("history minute > 3", 8, LocalizedMessage(.historyNoField, "minute")), ("history girona (", 16, nil),
    ]
    for (line, position, sentence) in refusals {
      enter(line, &board)
      let error = board.state.promptBar.prompt?.error
      #expect(error?.position == position && board.state.overlay == nil, "\(line)")
      if let sentence { #expect(error?.sentence == sentence, "\(line)") }
      board.press(.escape)
    }
    board = Board()
    enter("history ajax", &board)
    #expect(board.state.promptBar.prompt?.error?.sentence == LocalizedMessage(.historyOff))
    board = .recording()
    board.play(.seconds(1))
    enter("history ajax", &board)
    #expect(board.state.promptBar.prompt?.error?.sentence == LocalizedMessage(.historyOfRecording))
    #expect(searches(board).isEmpty)
  }

  @Test("A match that the channel carries is opened live, and the cursor is on its row")
  func carried() {
    var board = board()
    find("porto", [past(200)], &board)
    #expect(board.state.detail.pane?.id == 200 && board.state.detail.pane?.isFromHistory == false)
    #expect(board.effects.contains { if case .openMatch(let id, of: _) = $0 { id == 200 } else { false } })
    #expect(board.state.list.selected?.id == 200 && !board.effects.contains(.readPastMatch(200)))
  }

  @Test("On a frozen screen, a match is opened live if the channel carries it now, whatever the screen shows")
  func frozen() {
    var board = board()
    board.type("p")
    board.update(.football(900, "Girona - Sevilla"), removed: [100])
    find("girona", [past()], &board)
    #expect(board.state.detail.pane?.id == 900 && board.state.detail.pane?.isFromHistory == false)
    find("ajax", [past(100, "Ajax - Porto")], &board)
    #expect(board.state.detail.pane?.id == 100 && board.state.detail.pane?.isFromHistory == true)
    #expect(board.state.list.isFrozen)
  }

  @Test(
    "Keys that need live prices, or a row that the pane covers, say that they have no effect",
    arguments: [(80, "abxm "), (120, "abx")])
  func keys(columns: Int, idle: String) {
    for key in idle {
      var board = opened(columns: columns)
      board.type(String(key))
      #expect(note(board) == LocalizedMessage(.historyNotLive), "\(key)")
      #expect(board.state.promptBar.prompt == nil && board.state.detail.pane?.marks.isEmpty == true, "\(key)")
      #expect(board.state.list.rows.pinned.isEmpty, "\(key)")
    }
    var board = opened(columns: columns)
    enter("calculate back 10", &board)
    #expect(board.state.promptBar.prompt?.error?.sentence == LocalizedMessage(.historyNotLive))
    board.press(.escape, .down)
    board.type("y")
    #expect(board.copied == ["Girona - 上海海港  Match Result  draw  3.50?"])
    #expect(board.line(23).hasPrefix("Esc close [ ] other match Up Down select"), "\(board.line(23))")
    #expect(!board.line(23).contains("alert"))
    board.press(.escape)
    #expect(board.state.detail.pane == nil)
  }

  @Test("A match of the history closes the bet calculator, so that Esc closes its pane")
  func calculator() {
    var board = board(rows: 40)
    board.openMatch()
    enter("calculate back 10", &board)
    #expect(board.state.detail.ticket != nil)
    find("girona", [past()], &board)
    #expect(board.state.detail.pane?.id == 900 && board.state.detail.ticket == nil)
    board.press(.escape)
    #expect(board.state.detail.pane == nil)
  }

  @Test("Updates of the feed do not change the pane; ] opens a match of the channel")
  func unchanged() {
    var board = opened()
    let before = board.state.detail.pane?.match
    board.update(.football(900, "Girona - Sevilla"))
    board.updateMatch(.football(900, "Girona - Sevilla"))
    board.send(.matchOpened(900, known: .football(900, "Girona - Sevilla"), hasTopic: true))
    board.update(removed: [900])
    board.paint()
    #expect(board.state.detail.pane?.match == before && board.text.contains("From the history"))
    board.type("]")
    #expect(board.state.detail.pane?.isFromHistory == false)
    #expect(board.state.detail.pane?.id == board.state.list.selected?.id)
  }

  @Test("The chart ends where the prices were known, at any time frame, and its title has the main prices")
  func chart() {
    var board = opened(rows: 40)
    #expect(requests(board).map(\.outcome.outcome) == [911] && requests(board).first?.begin == 0)
    readPrices(&board)
    for text in ["opening 2.10  closing 2.20  last 2.00", "06-23 17:00:00"] {
      #expect(board.text.contains(text), "\(board.text)")
    }
    #expect(board.state.list.rows.openings[900] == nil)
    board.type("<")
    board.press(.down)
    // A day and half an hour before the end.
    #expect(requests(board).last?.begin == Self.end - 88_200_000 && requests(board).last?.outcome.outcome == 912)
    readPrices(&board)
    #expect(board.text.contains("06-23 17:00:00") && !board.text.contains(" now"), "\(board.text)")
    board.type(",")
    board.paint()
    #expect(board.text.contains("06-23 16:"), "\(board.text)")
  }

  @Test("The pane does not change while time passes, and requests no frame and no prices")
  func still() {
    var board = opened(rows: 40)
    readPrices(&board)
    let (text, count) = (board.paintedPane(), requests(board).count)
    #expect(board.painter.nextDeadline == nil)
    for _ in 0..<5 {
      board.wait(.seconds(2000))
      board.paint()
    }
    let body = board.state.layout.body
    #expect(board.paintedPane()[body] == text[body] && requests(board).count == count)
  }

  @Test("The list and the pane have whole rows of the screen's width at any size", arguments: Language.allCases)
  func sizes(language: Language) {
    for columns in [1, 7, 20, 40, 59, 60, 80, 120, 200] {
      for rows in [1, 2, 5, 10, 24, 40] {
        var list = board(rows: rows, columns: columns, words: Catalog(language))
        find("", [past(), past(901, "北京国安 - 上海海港"), past(902, "A - B")], &list)
        var pane = opened(rows: rows, columns: columns, words: Catalog(language))
        readPrices(&pane)
        for board in [list, pane] {
          let frame = view(board.state, now: board.now)
          for row in frame.rows { #expect(row.width == columns && row.isWhole, "\(columns)x\(rows): \(row)") }
        }
      }
    }
  }

  @Test(
    "The list and the pane have their golden texts", arguments: Language.allCases,
    [(24, 80), (40, 120), (10, 40), (5, 20)])
  func golden(language: Language, size: (rows: Int, columns: Int)) {
    let name = "\(language.rawValue)-\(size.columns)x\(size.rows)"
    var list = board(rows: size.rows, columns: size.columns, words: Catalog(language))
    find("", [past(), past(901, "北京国安 - Brighton & Hove Albion Women U21 Development Squad")], &list)
    list.expectGolden("history-list-\(name)")
    var pane = opened(rows: size.rows, columns: size.columns, words: Catalog(language))
    readPrices(&pane)
    pane.expectGolden("history-match-\(name)")
  }
}
