import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The filter of the rows: its keys and the rows that it shows.
struct FindTests {
  private var board = Board()

  /// The names of the rows shown.
  private var shown: [String] { (0..<board.state.list.rows.count).map { board.state.list.rows[$0].labels.name } }
  private var chosen: String { board.state.list.rows[board.state.list.cursor].labels.name }

  init() {
    for (id, name) in ["Ajax - Porto", "Arsenal - Chelsea", "北京国安 - 上海海港", "Paris SG - Lens", "Barcelona - Porto"]
      .enumerated()
    {
      board.update(
        .football(id * 100 + 100, name, start: 1_750_752_000_000 + Int64(id), odds: ["1.\(id + 5)", "3", "4"]))
    }
  }

  @Test("Each key filters at once; Enter keeps the filter, Esc clears it")
  mutating func typing() {
    board.type("/")
    #expect(board.state.promptBar.prompt?.kind == .find && shown.count == 5)
    board.type("p")
    #expect(shown == ["Ajax - Porto", "Paris SG - Lens", "Barcelona - Porto"])
    board.type("or")
    #expect(shown == ["Ajax - Porto", "Barcelona - Porto"])
    board.type(" bar")
    #expect(shown == ["Barcelona - Porto"])
    board.press(.enter)
    #expect(board.state.promptBar.prompt == nil && shown.count == 1)
    board.press(.escape)
    #expect(shown.count == 5)
  }

  @Test("/ edits the current filter, Esc clears it while it is edited, and an empty filter shows all rows")
  mutating func escape() {
    board.type("/por")
    board.press(.enter)
    board.type("/")
    #expect(board.state.promptBar.prompt?.text == "por")
    board.type(" aj")
    #expect(shown == ["Ajax - Porto"])
    board.press(.control("u"))
    #expect(shown.count == 5)
    board.type("por")
    board.press(.escape)
    #expect(board.state.promptBar.prompt == nil && shown.count == 5)
  }

  @Test("Esc closes an overlay before it clears the filter")
  mutating func escapeOrder() {
    board.type("/por")
    board.press(.enter)
    board.type("?")
    board.press(.escape)
    #expect(board.state.overlay == nil && shown.count == 2)
    board.press(.escape)
    #expect(shown.count == 5)
  }

  @Test("Keys are text while a filter is typed, except Ctrl-C, which quits")
  mutating func keysAreText() {
    board.type("/q?/:")
    #expect(board.state.promptBar.prompt?.text == "q?/:" && board.state.overlay == nil)
    #expect(board.effects == [])
    board.press(.control("c"))
    #expect(board.effects == [.quit])
  }

  @Test("The cursor stays on its match, or moves to the next result if its match is filtered out")
  mutating func cursor() {
    board.press(.down, .down)
    #expect(chosen == "北京国安 - 上海海港")
    board.type("/n")
    #expect(shown == ["Arsenal - Chelsea", "Paris SG - Lens", "Barcelona - Porto"])
    #expect(chosen == "Paris SG - Lens")
    board.press(.escape)
    #expect(chosen == "Paris SG - Lens" && board.state.list.cursor == 3)
    board.type("/ajax")
    #expect(chosen == "Ajax - Porto")
  }

  @Test("The cursor stays on a match that was the first result after the filter is cleared")
  mutating func cursorFromTop() {
    board.type("/paris")
    board.press(.escape)
    #expect(chosen == "Paris SG - Lens" && board.state.list.cursor == 3)
    board.update(removed: [100])
    #expect(chosen == "Paris SG - Lens" && board.state.list.cursor == 2)
  }

  @Test("A row enters and leaves the results as its price changes")
  mutating func moving() {
    board.type("/odds < 1.7")
    board.press(.enter)
    #expect(shown == ["Ajax - Porto", "Arsenal - Chelsea"])
    board.update(.football(500, "Barcelona - Porto", start: 1_750_752_000_004, odds: ["1.65", "3", "4"]))
    #expect(shown == ["Ajax - Porto", "Arsenal - Chelsea", "Barcelona - Porto"])
    board.press(.down)
    board.update(.football(200, "Arsenal - Chelsea", start: 1_750_752_000_001, odds: ["1.7", "3", "4"]))
    #expect(shown == ["Ajax - Porto", "Barcelona - Porto"] && chosen == "Barcelona - Porto")
    board.update(removed: [100, 500])
    #expect(shown == [])
    board.paint()
    #expect(board.text.contains("No results for this filter. Esc clears it."))
    board.update(.football(600, "Lyon - Metz", odds: ["1.2", "3", "4"]))
    #expect(shown == ["Lyon - Metz"])
  }

  @Test("Beside an open match, the message in place of the results is wrapped to the width of the list")
  mutating func emptyBesideMatch() {
    board = Board(columns: 120)
    board.fill()
    board.openMatch()
    board.type("/zzzz")
    board.press(.enter)
    let problem = FeedError(
      "cannot read the feed: Input/output error", remedy: "start the program again with the name of another file")
    board.updateFreshness(.closed, connection: .failed(problem))
    board.paint()
    let list = (0..<24).map { String(board.line($0).prefix(58)) }
    let words = board.state.emptyText.split(separator: " ").map { String($0) }
    #expect(board.state.layout.isSplit && words.count > 12)
    for word in words { #expect(list.contains { $0.contains(word) }, "\(word)") }
  }

  @Test("The finished part of an unfinished filter applies; Enter shows the error and its position")
  mutating func unfinished() {
    board.type("/por and odds <")
    #expect(shown == ["Ajax - Porto", "Barcelona - Porto"])
    #expect(board.state.filterState.error?.position == 14)
    board.press(.enter)
    board.paint()
    #expect(board.state.promptBar.prompt?.cursor == 14)
    #expect(board.line(22) == "'odds <' has no value: add one, such as 2.5")
    board.type(" 1.6")
    #expect(shown == ["Ajax - Porto"])
    board.press(.enter)
    #expect(board.state.promptBar.prompt == nil)
  }

  @Test("A change that the throttle shows later is counted when it is shown")
  mutating func throttledCount() {
    board = Board(throttle: .seconds(1))
    board.update(.football(odds: ["2.5", "3", "4"]))
    board.type("/odds < 2")
    board.press(.enter)
    board.type("f")
    board.update(.football(odds: ["1.9", "3", "4"]))
    #expect(board.state.filterResult?.found == 0)
    board.wait(.seconds(2))
    board.paint()
    #expect(board.state.filterResult?.found == 1)
  }

  @Test("n and N go through the results, and show a message when they wrap")
  mutating func jumping() {
    board.type("n")
    #expect(board.state.statusBar.message?.sentence == LocalizedMessage(.findNothing, "/"))
    board.type("/por")
    board.press(.enter)
    board.type("n")
    #expect(chosen == "Barcelona - Porto" && board.state.statusBar.message == nil)
    board.type("n")
    #expect(chosen == "Ajax - Porto" && board.state.statusBar.message?.sentence == LocalizedMessage(.findFromEnd))
    board.type("N")
    #expect(
      chosen == "Barcelona - Porto" && board.state.statusBar.message?.sentence == LocalizedMessage(.findFromStart))
  }

  @Test("f shows all rows, and n and N still go only to results")
  mutating func showingAll() {
    board.type("f")
    #expect(board.state.statusBar.message?.sentence == LocalizedMessage(.findNothing, "/"))
    board.type("/por")
    board.press(.enter)
    board.type("f")
    #expect(shown.count == 5 && board.state.filterResult?.found == 2)
    board.type("n")
    #expect(chosen == "Barcelona - Porto" && board.state.list.cursor == 4)
    board.type("n")
    #expect(chosen == "Ajax - Porto")
    board.update(.football(600, "Porto - Metz", odds: ["1.2", "3", "4"]))
    #expect(board.state.filterResult?.found == 3)
    board.type("f")
    #expect(shown == ["Ajax - Porto", "Porto - Metz", "Barcelona - Porto"])
    board.type("/ x")
    board.press(.control("u"))
    board.type("zzz")
    board.press(.enter)
    board.type("n")
    #expect(board.state.statusBar.message?.sentence == LocalizedMessage(.findNoMatch, "Esc"))
  }

  @Test("The filter stays when the channel changes")
  mutating func channels() {
    board.type("/por")
    board.press(.enter)
    board.type("2")
    board.update(.football(), .football(200, "Arsenal - Chelsea"))
    #expect(shown == ["Ajax - Porto"])
  }

  @Test("Only matched text is highlighted")
  mutating func marks() {
    board.type("/por")
    board.press(.enter)
    board.paint()
    let layout = Layout(size: board.state.size)
    func found(_ line: Int) -> String {
      String(
        String.UnicodeScalarView(
          board.screen.content.rows[line].cells.filter { $0.style.role == .found }.compactMap {
            Unicode.Scalar($0.scalar)
          }))
    }
    #expect(found(2) == "Por" && found(3) == "Por" && found(4) == "")
    #expect(found(layout.counters!) == "/por")
    #expect(board.line(layout.counters!).hasSuffix("/por 2 of 5"))
    // A filter without words highlights the whole name when other rows are shown too.
    board.type("/")
    board.press(.control("u"))
    board.type("odds < 1.6")
    board.press(.enter)
    board.type("f")
    board.paint()
    #expect(found(2) == "Ajax - Porto" && found(3) == "")
    // Clearing the filter removes all highlights.
    board.press(.escape)
    board.paint()
    #expect((2..<24).allSatisfy { found($0).isEmpty })
  }

  @Test("Matched wide characters are highlighted in both of their cells")
  mutating func wideMarks() {
    board.type("/海港")
    board.press(.enter)
    board.paint()
    let cells = board.screen.content.rows[2].cells
    let name = Layout(size: board.state.size).name.lowerBound
    let marked = cells.indices.filter { cells[$0].style.role == .found }.map { $0 - name }
    #expect(marked == [15, 16, 17, 18])
  }

  @Test("A filter on the time until the start is evaluated again as time passes")
  mutating func time() {
    board = Board()
    let start = board.now.wall + 90_000
    board.update(.football(100, "Ajax - Porto", start: start, then: FeedText.change("MATCH", 100, #""statusId":"1""#)))
    board.type("/start < 1m")
    board.press(.enter)
    board.paint()
    #expect(shown == [])
    board.wait(.seconds(60))
    board.paint()
    #expect(shown == ["Ajax - Porto"])
  }

  @Test(
    "A filter on the time until the start is evaluated at each full second if it has seconds, and else at each minute",
    arguments: Laws.seeds(20))
  mutating func timeLaw(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    board = Board()
    let begin = board.now.wall
    var starts: [String: Int64] = [:]
    for number in 1...8 {
      let name = "Match \(number) - x"
      let start = begin + 500 * Int64.random(in: 0..<480, using: &random)
      starts[name] = start
      let pending = FeedText.change("MATCH", number * 100, #""statusId":"1""#)
      board.update(.football(number * 100, name, start: start, then: pending))
    }
    let limits: [Int64] = [30, 60, 90, 120]
    let limit = limits.randomElement(using: &random)!
    board.type("/(live or start < \(limit)s) and not start < -1h")
    board.press(.enter)
    let step: Int64 = limit.isMultiple(of: 60) ? 60_000 : 1000
    while board.now.wall < begin + 240_000 {
      board.paint()
      let evaluatedAt = board.now.wall / step * step
      let expected = starts.filter { $0.value - evaluatedAt < limit * 1000 }.keys.sorted()
      let names = shown.sorted()
      #expect(names == expected, "seed \(seed), \(limit) s, at \(evaluatedAt - begin) ms")
      board.wait(max(.milliseconds(1), board.state.nextDeadline(after: board.now) - board.now.uptime))
    }
  }

  @Test("Paste mode is enabled only while the prompt is open")
  mutating func pasting() {
    #expect(!board.state.inputModes.contains(.paste))
    board.type("/")
    #expect(board.state.inputModes.contains(.paste))
    board.press(.escape)
    #expect(!board.state.inputModes.contains(.paste))
  }

  @Test("The filter of a frozen board applies to the frozen rows")
  mutating func frozen() {
    board.type("p/por")
    board.update(.football(700, "Porto - Nice"))
    #expect(shown == ["Ajax - Porto", "Barcelona - Porto"])
    board.press(.enter)
    board.type("p")
    #expect(shown.count == 3)
  }

  @Test("The rows shown are those that match the filter, after any updates, removals and keys", arguments: 0..<60)
  mutating func law(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    board = Board(rows: 12, columns: 60)
    let filters = ["", "por", "ajx", "odds < 2", "not a", "odds < 2 or lens", "suspended", "odds <", "(", "f"]
    var all: [MatchID: Match] = [:]
    for _ in 0..<40 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        board.type("/")
        board.press(.control("u"))
        board.type(filters.randomElement(using: &random)!)
        board.press(.enter, .escape)
      case 1:
        board.type("/")
        board.press(.control("u"))
        board.type(filters.randomElement(using: &random)!)
        board.press(.enter)
        if board.state.promptBar.prompt != nil { board.press(.escape) }
      case 2: board.type(["n", "N", "f", "j", "k", "G"].randomElement(using: &random)!)
      case 3:
        if let id = all.keys.sorted().randomElement(using: &random) {
          all[id] = nil
          board.update(removed: [id])
        }
      default:
        let id = Int.random(in: 1..<12, using: &random) * 100
        let name = ["Ajax - Porto", "Lens - Lyon", "Arsenal - Ajax"].randomElement(using: &random)!
        let match = Match.football(
          id, name, odds: ["1.5", "2.5", "9"].map { $0 + "\(Int.random(in: 0..<9, using: &random))" })
        all[match.id] = match
        board.update(match)
      }
      let state = board.state
      let wanted = Set(
        state.list.rows.all.filter { row in
          state.filterState.showsAll || state.filterState.filter.map { $0.matches(row) } ?? true
        }
        .map(
          \.id))
      #expect(Set((0..<state.list.rows.count).map { state.list.rows[$0].id }) == wanted)
      #expect(state.list.rows.total == all.count)
      #expect(state.list.rows.count == 0 ? state.list.cursor == 0 : 0..<state.list.rows.count ~= state.list.cursor)
      let inOrder = (0..<state.list.rows.count).map { state.list.rows[$0].startTime ?? .max }
      #expect(inOrder == inOrder.sorted())
    }
  }
}
