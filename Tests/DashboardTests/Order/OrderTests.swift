import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

struct OrderTests {
  private var board = Board(rows: 12, columns: 80)

  /// Four matches by start time: their names, margins and favourites are in other orders.
  private static let matches: [Match] = [
    .football(100, "delta - x", start: 1_000_000, odds: ["2", "4", "4"]),
    .football(200, "Alpha - x", start: 2_000_000, odds: ["1.5", "5", "6"]),
    .football(300, "charlie - x", start: 3_000_000, odds: ["3", "3", "3.1"]),
    .football(400, "Bravo - x", start: 4_000_000, odds: ["1.2", "7", "12"]),
  ]

  init() { for match in Self.matches { board.update(match) } }

  private var ids: [MatchID] { (0..<board.state.list.rows.count).map { board.state.list.rows[$0].id } }

  private mutating func move(_ id: Int, _ odds: String...) {
    board.update(.football(id, "x - x", start: Int64(id) * 10_000, odds: odds))
  }

  @Test(
    "s sorts by name, last change, move, margin, favourite, 1, X, 2, other columns and time; S reverses"
  )
  mutating func keys() {
    board.wait(.seconds(5))
    board.update(.football(300, "charlie - x", start: 3_000_000, odds: ["2.4", "3", "3.1"]))
    board.wait(.seconds(5))
    board.update(.football(200, "Alpha - x", start: 2_000_000, odds: ["1.6", "5", "6"]))
    let orders: [(RowOrder.Key, [MatchID])] = [
      (.name, [200, 400, 300, 100]), (.change, [200, 300, 100, 400]), (.mover, [300, 200, 100, 400]),
      (.margin, [200, 100, 400, 300]), (.favourite, [400, 200, 100, 300]), (.home, [400, 200, 100, 300]),
      (.draw, [300, 100, 200, 400]), (.away, [300, 100, 200, 400]), (.score, [100, 200, 300, 400]),
      (.time, [100, 200, 300, 400]),
    ]
    for (key, expected) in orders {
      board.type("s")
      #expect(board.state.settings.order == RowOrder(key))
      #expect(ids == expected, "\(key)")
    }
    board.type("S")
    #expect(ids == [400, 300, 200, 100])
    board.type("s")
    #expect(ids == [200, 400, 300, 100])
    board.type("S")
    #expect(ids == [100, 300, 400, 200])
  }

  @Test("Rows without the sorted value are last in both directions; equal rows are sorted by start time and id")
  mutating func missing() {
    board.update(.named("z - z", 50), .named("y - y", 40))
    board.type("sssss")
    #expect(ids == [400, 200, 100, 300, 40, 50])
    board.type("S")
    #expect(ids == [300, 100, 200, 400, 40, 50])
    board.type("sssss")
    #expect(ids == [100, 200, 300, 400, 40, 50])
    board.type("S")
    #expect(ids == [400, 300, 200, 100, 40, 50])
  }

  @Test("The name of the order is shown, and its column, if it has one, is marked")
  mutating func marks() {
    let titles = [
      "TIME▲  SCORE", "MATCH▲", "AGE▲", "MOVE%▼", "MARGIN▲", "1        X        2", "1▲       X        2",
      "1        X▲       2", "1        X        2▲",
    ]
    for (place, title) in titles.enumerated() {
      if place > 0 { board.type("s") }
      board.paint()
      #expect(board.line(1).contains(title), "\(board.line(1))")
      // No column shows the favourite alone.
      #expect(board.line(1).count { $0 == "▲" || $0 == "▼" } == (place == 5 ? 0 : 1))
      if place == 5 { #expect(board.line(11) == "Sorted by favourite's price") }
    }
    #expect(board.line(11) == "Sorted by price in column 2")
    board.type("S")
    board.paint()
    #expect(board.line(1).contains("1        X        2▼"))
    #expect(board.line(11) == "Sorted by price in column 2, reversed")
    board.wait(.seconds(5))
    board.paint()
    #expect(!board.line(11).contains("Sorted"))
  }

  @Test("When sorted by the biggest move, rows show the move instead of the margin")
  mutating func move() {
    board.type("sss")
    move(100, "1.6", "5", "6")
    move(200, "2", "4", "5")
    board.wait(.seconds(3))
    board.paint()
    #expect(board.line(2).contains("+25.0"))
    #expect(board.line(3).contains("-25.0"))
    #expect(board.line(4).hasSuffix("     3.10"))
  }

  @Test("A click on a title sorts by its column, and a second click reverses the order")
  mutating func clicks() {
    let layout = Layout(size: board.state.size)
    let places: [(Int, RowOrder.Key?)] = [
      (0, .time), (4, .time), (5, .time), (layout.score.lowerBound + 2, .score), (layout.name.lowerBound + 3, .name),
      (layout.columns[.home].lowerBound, .home), (layout.columns[.draw].lowerBound, .draw),
      (layout.columns[.away].upperBound - 1, .away), (layout.columns[.margin].lowerBound, .margin),
      (layout.columns[.change].lowerBound, .change), (200, nil), (-1, nil),
    ]
    for (column, key) in places { #expect(layout.key(ofTitleAt: column) == key, "\(column)") }
    for (column, order) in [
      (layout.name.lowerBound, RowOrder(.name)), (layout.name.lowerBound, RowOrder(.name, isReversed: true)),
      (layout.score.lowerBound + 1, RowOrder(.score)), (layout.columns[.change].lowerBound, RowOrder(.change)),
    ] {
      board.click(1, column)
      #expect(board.state.settings.order == order)
    }
  }

  @Test("A click sorts by the column of the clicked title, at any width", arguments: 10...130)
  mutating func clickedColumns(columns: Int) {
    board = Board(rows: 12, columns: columns)
    for match in Self.matches { board.update(match) }
    let titles: [Character: RowOrder.Key] = ["1": .home, "X": .draw, "2": .away]
    board.paint()
    let line = Array(board.line(1))
    for (column, title) in line.enumerated() {
      guard let key = titles[title] else { continue }
      board.click(1, column)
      board.paint()
      #expect(board.state.settings.order == RowOrder(key))
      // At the edge the mark takes the title's last cell.
      let marked = Array(board.line(1)).dropFirst(column).prefix(2)
      #expect(marked.contains("▲"), "\(board.line(1))")
    }
  }

  @Test("When sorted by a price column, rows without a bettable price in it are last")
  mutating func columns() {
    board.update(
      .football(
        200, "Alpha - x", start: 2_000_000, odds: ["1.5", "5", "6"],
        then: FeedText.change("BETTING_OFFER", 221, #""statusId":"7""#)), .named("z - z", 50))
    _ = board.state.sort(by: RowOrder(.home), now: board.now)
    #expect(ids == [400, 100, 300, 200, 50])
    _ = board.state.sort(by: RowOrder(.home, isReversed: true), now: board.now)
    #expect(ids == [300, 100, 400, 200, 50])
  }

  @Test("Rows are reordered at most once a second, and not within two seconds after the cursor has moved")
  mutating func hold() {
    board.type("sssss")
    board.paint()
    let before = ids
    move(300, "1.1", "9", "9")
    board.wait(.milliseconds(990))
    board.paint()
    #expect(ids == before)
    #expect(board.state.nextDeadline(after: board.now) == board.now.uptime + .milliseconds(10))
    board.wait(.milliseconds(10))
    board.paint()
    #expect(ids == [300, 400, 200, 100])
    board.press(.down)
    move(100, "1.05", "9", "9")
    board.wait(.milliseconds(1999))
    board.paint()
    #expect(ids == [300, 400, 200, 100])
    board.wait(.milliseconds(1))
    board.paint()
    #expect(ids == [100, 300, 400, 200])
  }

  @Test("The cursor follows its match through every order; at the top it stays at the top")
  mutating func cursor() {
    board.press(.down)
    for _ in 0..<10 {
      board.type("s")
      #expect(board.state.list.rows[board.state.list.cursor].id == 200)
    }
    board.press(.home)
    board.type("s")
    #expect(board.state.list.cursor == 0)
    board.type("S")
    #expect(board.state.list.cursor == 0)
  }

  @Test("On a frozen screen rows are not reordered until it is unfrozen")
  mutating func frozen() {
    board.type("sssss")
    move(300, "1.1", "9", "9")
    board.type("p")
    let before = ids
    board.wait(.seconds(5))
    board.paint()
    #expect(ids == before)
    board.type("p")
    board.paint()
    #expect(ids == [300, 400, 200, 100])
  }

  @Test("A sorted board repaints nothing when all rows are in order")
  mutating func rest() {
    board.type("sssss")
    move(300, "1.1", "9", "9")
    for _ in 0..<4 {
      board.wait(.seconds(2))
      board.paint()
    }
    #expect(!board.state.list.rows.isUnsettled)
    #expect(board.paint().isEmpty)
    #expect(board.state.nextDeadline(after: board.now) > board.now.uptime + .seconds(2))
  }

  @Test("A reloaded configuration sorts the rows")
  mutating func settings() {
    var settings = BoardSettings()
    settings.order = RowOrder(.name)
    _ = board.state.reduce(.settingsChanged(settings), now: board.now)
    #expect(ids == [200, 400, 300, 100])
    board.type("2")
    for match in Self.matches { board.update(match) }
    #expect(ids == [200, 400, 300, 100])
  }

  @Test("Only rows that fit are shown; in the order by time, a row that no longer fits is removed at once")
  mutating func filter() {
    board.press(.end)
    board.state.list.reduce(
      .show(only: { $0.favourite.map { $0.hundredths < 200 } ?? false }), board.state.context(board.now))
    #expect(ids == [200, 400])
    #expect(board.state.list.rows[board.state.list.cursor].id == 400)
    #expect(board.state.list.rows.total == 4)
    move(200, "2.5", "3", "3")
    move(300, "1.9", "3", "3")
    #expect(ids == [300, 400])
    board.state.list.reduce(.show(only: nil), board.state.context(board.now))
    #expect(ids == [100, 200, 300, 400])
    #expect(board.state.list.rows[board.state.list.cursor].id == 400)
  }
}
