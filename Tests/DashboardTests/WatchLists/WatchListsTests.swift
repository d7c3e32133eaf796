import EveryMatrix
import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Several named watch lists, by their commands.
struct WatchListsTests {
  private var board = Board(rows: 10, columns: 120)

  init() { board.fill() }

  private func offers(_ ids: Int...) -> Topic { .offers(ids.map { OfferID(raw: UInt64($0)) }) }

  private mutating func run(_ command: String) {
    board.type(":" + command)
    board.press(.enter)
  }

  /// The titles of the lists and the numbers of their matches.
  private var lists: [String] {
    board.state.list.watch.lists.map { list in
      "\(list.title(.english)): \(list.pins.matches.map(\.raw).sorted().map(String.init).joined(separator: " "))"
    }
  }

  private mutating func header() -> String {
    board.paint()
    return board.line(0)
  }

  @Test("A new name creates a list with a tab after the channels; the pin key pins in the list named last")
  mutating func add() {
    run("watch 德比")
    #expect(board.state.tab == .watchList(1) && board.effects.last == .openChannel(board.state.requestedTopic))
    #expect(header().hasPrefix(" 1 Live  2 Football "))
    #expect(board.line(0).contains(" 7 德比 "))
    board.paint()
    #expect(board.line(2).contains("Nothing pinned yet."))
    board.type("1")
    board.fill()
    board.type("m")
    board.paint()
    #expect(lists == ["Watch: ", "德比: 100"])
    #expect(board.line(9).hasPrefix("Pinned in 德比: Ajax - Porto"))
    board.type("7")
    #expect(board.state.requestedTopic == offers(121, 122, 123))
    board.update(.football(100, "Ajax - Porto"), .football(200, "Elsewhere - x"))
    #expect(board.state.list.rows.count == 1 && board.state.list.rows.pinnedCount == 1)
  }

  @Test("Channels show the rows of the current list at the top, and messages name the list")
  mutating func current() {
    board.type("m")
    #expect(lists == ["Watch: 100"])
    run("pin Late")
    #expect(lists == ["Watch: 100", "Late: 200"])
    #expect(board.state.list.rows.pinned == [200] && board.state.tab == .channel(0))
    run("pin late")
    #expect(lists == ["Watch: 100", "Late: "])
    board.paint()
    #expect(board.line(9).hasPrefix("No longer in Late: "))
    run("pin Watch")
    #expect(lists == ["Watch: 100 200", "Late: "] && board.state.list.rows.pinned == [100, 200])
    run("watch late")
    #expect(board.state.tab == .watchList(1))
    run("watch")
    #expect(board.state.tab == .watchList(1))
    board.type("0")
    #expect(board.state.tab == .watchList(0) && board.state.list.rows.pinned == [100, 200])
  }

  @Test("In a list's tab, :pin adds the row to another list and keeps the tab; both lists follow its prices")
  mutating func another() {
    board.type("mm0")
    board.update(.football(100), .football(200))
    run("pin B")
    #expect(lists == ["Watch: 100 200", "B: 100"])
    #expect(board.state.tab == .watchList(0) && board.state.list.rows.pinned == [100, 200])
    board.type("1")
    board.update(.footballWithNewOffer)
    #expect(board.state.list.watch.lists.map { $0.pins.offers[100] } == [[9, 122, 123], [9, 122, 123]])
  }

  @Test("Tab and Shift-Tab go through the channels and then through the lists")
  mutating func switching() {
    run("watch A")
    run("watch B")
    board.press(.tab)
    #expect(board.state.tab == .channel(0))
    board.press(.backTab, .backTab)
    #expect(board.state.tab == .watchList(1))
    board.type("8")
    #expect(board.state.tab == .watchList(2))
    board.type("9")
    #expect(board.state.tab == .watchList(2))
    board.press(.backTab, .backTab)
    #expect(board.state.tab == .channel(5))
  }

  @Test("Renaming keeps the matches and refuses a name that another list has")
  mutating func rename() {
    board.type("m")
    run("rename Week")
    #expect(lists == ["Week: 100"])
    run("watch Other")
    run("rename week")
    #expect(lists == ["Week: 100", "Other: "])
    #expect(board.state.promptBar.prompt?.error?.sentence.description.contains("'week'") == true)
    board.press(.escape)
    run("rename OTHER")
    #expect(lists == ["Week: 100", "OTHER: "])
    run("rename " + String(repeating: "界", count: 21))
    #expect(board.state.promptBar.prompt?.error != nil)
    board.press(.escape)
  }

  @Test("Deleting the open list opens the first channel; the first list cannot be deleted; unknown names are refused")
  mutating func delete() {
    run("watch A")
    run("watch B")
    run("watch C")
    run("delete b")
    #expect(lists == ["Watch: ", "A: ", "C: "] && board.state.tab == .watchList(2))
    run("delete C")
    #expect(lists == ["Watch: ", "A: "] && board.state.tab == .channel(0) && board.state.list.watch.current == 0)
    for name in ["Watch", "Nowhere"] {
      run("delete \(name)")
      #expect(board.state.promptBar.prompt?.error != nil)
      board.press(.escape)
    }
    #expect(lists.count == 2)
  }

  @Test("Tab completes the names of lists")
  mutating func completion() {
    run("watch 德比 day")
    board.type(":delete ")
    board.press(.tab)
    #expect(board.state.promptBar.prompt?.text == "delete 德比 day")
    board.press(.escape)
    board.type(":watch w")
    board.press(.tab)
    #expect(board.state.promptBar.prompt?.text == "watch Watch")
  }

  @Test("A match that is not in the feed is counted, and :prune removes it, but not while prices are locked")
  mutating func unserved() {
    board.type("mm0")
    board.paint()
    #expect(board.state.unservedCount == 0)
    board.update(.football(100, "Ajax - Porto"))
    board.paint()
    #expect(board.line(8).contains("1 match not in the feed"))
    board.updateFreshness(.locked)
    run("prune")
    #expect(board.state.promptBar.prompt?.error != nil)
    board.press(.escape)
    board.updateFreshness(.live)
    run("prune")
    #expect(lists == ["Watch: 100"] && board.effects.last == .openTopic(offers(121, 122, 123)))
    board.update(removed: [100])
    board.paint()
    #expect(board.line(2).contains("None of the matches of this list is in the feed now."))
    board.type("1")
    run("prune")
    #expect(board.state.promptBar.prompt?.error != nil)
  }

  @Test("A match pinned without prices may be in the feed: it is not counted, and :prune keeps it and says so")
  mutating func unpriced() {
    var session = BoardSession()
    let pins = [("100", ["121", "122", "123"]), ("200", ["9"]), ("300", [])]
    session.watchLists = [WatchList(name: "", pins: pins.map { .init(match: $0.0, offers: $0.1) })]
    board = Board(rows: 10, columns: 120, session: session)
    board.type("0")
    board.update(.football(100, "Ajax - Porto"))
    #expect(board.state.unservedCount == 1)
    run("prune")
    board.paint()
    #expect(lists == ["Watch: 100 300"])
    #expect(board.line(9).hasPrefix("1 match removed from the list; 1 match pinned without prices is kept"))
    run("prune")
    board.paint()
    #expect(board.line(9).hasPrefix("0 matches removed from the list; 1 match pinned without prices is kept"))
    board.update(removed: [100])
    run("prune")
    board.paint()
    #expect(lists == ["Watch: 300"] && board.line(2).contains("had no prices when they were pinned"))
  }

  @Test("Tab after :rename completes the name of the list to be renamed only")
  mutating func renameCompletion() {
    run("watch Derby")
    run("watch Week")
    for (typed, completed) in [("", "Week"), ("w", "Week"), ("d", "d")] {
      board.type(":rename " + typed)
      board.press(.tab)
      #expect(board.state.promptBar.prompt?.text == "rename " + completed)
      board.press(.escape)
    }
  }

  @Test("Prices in a list that may be out of date are marked, as in a channel")
  mutating func untrusted() {
    run("pin A")
    run("watch A")
    board.update(.football(100, "Ajax - Porto"))
    board.updateFreshness(.locked)
    board.paint()
    #expect(board.line(2).contains("2.45?"))
  }

  @Test("The number of lists is limited, and many lists do not fill the header")
  mutating func many() {
    for number in 1..<WatchLists.limit { run("watch L\(number)") }
    #expect(lists.count == WatchLists.limit)
    run("watch more")
    #expect(board.state.promptBar.prompt?.error != nil && lists.count == WatchLists.limit)
    board.press(.escape)
    #expect(header().hasPrefix(" 105 L99 "))
  }

  @Test("Lists, their names and the current one are restored in the next run, even ten thousand lists")
  mutating func kept() {
    board.type("m")
    run("pin 德比")
    run("rename Derby day")
    var next = Board(rows: 10, columns: 120, session: board.state.session)
    #expect(next.state.session == board.state.session)
    #expect(next.state.list.watch == board.state.list.watch && next.state.list.rows.pinned == [200])
    var session = BoardSession()
    session.watchLists = (0..<10_000).map { number in
      WatchList(name: number == 0 ? "" : "L\(number)", pins: [.init(match: "100", offers: ["\(number)"])])
    }
    session.currentWatchList = "L9999"
    next = Board(rows: 10, columns: 20, session: session)
    #expect(next.state.session.watchLists == session.watchLists && next.state.session.currentWatchList == "L9999")
    next.fill()
    next.paint()
    #expect(next.state.list.rows.pinned == [100])
    #expect(next.state.list.watch.lists[9999].pins.allOffers == [121, 122, 123])
  }

  @Test("A recording has no tabs for lists, but its rows can be pinned in lists", arguments: [80, 20])
  mutating func recording(columns: Int) {
    board = .recording(rows: 10, columns: columns, channels: 2)
    board.fill()
    run("pin A")
    #expect(lists == ["Watch: ", "A: 100"] && board.state.list.rows.pinned == [100])
    run("watch A")
    #expect(board.state.tab == .channel(0) && board.state.promptBar.prompt?.error != nil)
    board.press(.escape)
    #expect(header().contains("1 ") && !header().contains("A "))
  }
}
