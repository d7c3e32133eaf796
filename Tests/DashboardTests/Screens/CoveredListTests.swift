import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Keys while a pane covers the rows of the list.
struct CoveredListTests {
  /// A pane over the rows, and the key that opens it.
  enum Pane: String, CaseIterable, Sendable {
    case help = "?"
    case inspector = "i"
    case account = "$"
    case alerts = "A"
    case detail = "\n"
  }

  /// The state of the list that keys change.
  private struct ListState: Equatable {
    let cursor: Int
    let top: Int
    let order: RowOrder
    let pinned: Set<MatchID>
    let filter: String
    let showsAll: Bool

    init(_ state: BoardState) {
      cursor = state.list.cursor
      top = state.list.top
      order = state.settings.order
      pinned = state.list.rows.pinned
      filter = state.filterState.text
      showsAll = state.filterState.showsAll
    }
  }

  /// A board of three rows with the cursor on the second, a filter that all of them match, and an open pane.
  private static func board(_ pane: Pane, columns: Int = 80) -> Board {
    var board = Board(rows: 24, columns: columns)
    board.fill()
    board.type("/odds > 1")
    board.press(.enter, .down)
    if pane == .detail { board.openMatch(.football(200)) } else { board.type(pane.rawValue) }
    board.effects = []
    return board
  }

  private static func isSamePane(_ left: BoardState, _ right: BoardState) -> Bool {
    func kind(_ state: BoardState) -> [String?] {
      let overlay = state.overlay.map { "\($0.content)".prefix { $0 != "(" }.description }
      return [overlay, state.detail.pane.map { "\($0.id)" }, "\(state.tab)"]
    }
    return kind(left) == kind(right)
  }

  @Test("No key changes rows that a pane covers", arguments: Pane.allCases)
  func covered(pane: Pane) {
    let before = Self.board(pane)
    #expect(before.state.list.cursor == 1 && !before.state.isListShown)
    for named in KeyBinding.commands {
      for key in named.keys {
        var board = before
        board.press(key)
        // A key that closes or replaces the pane, or opens another tab, acts where it can be seen.
        guard Self.isSamePane(board.state, before.state) else { continue }
        if named.name == "pin" || named.name == "pin-or-pause", pane == .detail { continue }
        #expect(ListState(board.state) == ListState(before.state), "\(named.name)")
        #expect(board.state.promptBar.prompt?.kind != .find, "\(named.name)")
        #expect(!board.effects.contains { if case .openTopic = $0 { true } else { false } }, "\(named.name)")
        if pane != .detail {
          #expect(!board.effects.contains { if case .terminal(.copy) = $0 { true } else { false } }, "\(named.name)")
        }
      }
    }
  }

  @Test("y copies the selected outcome of the open match that covers the rows, even if a filter hides its row")
  func hiddenRow() {
    var board = Board()
    board.fill()
    board.type("/home > 2 and home < 2.5")
    board.press(.enter)
    board.openMatch()
    board.update(.football(odds: ["2.6", "3.1", "2.9"]))
    board.wait(.seconds(5))
    board.paint()
    #expect(board.state.list.rows.position(of: 100) == nil)
    board.type("y")
    let texts = board.effects.compactMap { effect -> String? in
      if case .terminal(.copy(let text)) = effect { text } else { nil }
    }
    #expect(texts == ["Ajax - Porto  Match Result  home  2.60"])
  }

  @Test(
    "Keys that find, sort, pin and copy do nothing in an overlay", arguments: Pane.allCases.filter { $0 != .detail })
  func inOverlays(pane: Pane) {
    for key in "sSmfnNya" {
      var board = Self.board(pane)
      let before = ListState(board.state)
      board.type(String(key))
      #expect(ListState(board.state) == before && board.state.promptBar.prompt == nil, "\(key)")
      #expect(board.effects == [] && board.state.overlay != nil, "\(key)")
    }
  }

  @Test("While the pane of a match covers the rows of a narrow screen, no key acts on the list")
  func inDetail() {
    for key in "sSfnN/" {
      var board = Self.board(.detail)
      let before = ListState(board.state)
      board.type(String(key))
      #expect(ListState(board.state) == before && board.state.promptBar.prompt == nil, "\(key)")
      #expect(board.effects == [] && board.state.detail.pane?.id == 200, "\(key)")
    }
    var board = Self.board(.detail)
    board.press(.end)
    #expect(board.state.list.cursor == 1)
    board.click(1, 2)
    #expect(board.state.settings.order == RowOrder() && !board.state.settings.order.isReversed)
    board.type("a")
    #expect(board.state.promptBar.prompt?.text.hasPrefix("alert match 200") == true)
  }

  @Test("In a match's pane m pins that match and says so, and y copies its selected outcome")
  func openMatch() {
    var board = Self.board(.detail)
    let name = board.state.list.selected?.labels.name ?? ""
    board.type("m")
    #expect(board.state.list.rows.pinned == [200])
    #expect(board.state.statusBar.message?.sentence == LocalizedMessage(.notePinned, name))
    board.type("m")
    #expect(board.state.list.rows.pinned == [])
    #expect(board.state.statusBar.message?.sentence == LocalizedMessage(.noteUnpinned, name))
    board.type("y")
    let copied = "\(board.state.detail.pane?.match?.name ?? "")  Match Result  home  2.45"
    #expect(board.effects == [.terminal(.copy(copied))])
    board.effects = []
    // Another row is under the cursor now, and the keys do not act on it.
    board.update(removed: [200])
    board.type("m")
    #expect(board.state.list.rows.pinned == [] && board.effects == [])
    board.type("y")
    // The channel no longer has the match of the pane.
    #expect(board.effects == [.terminal(.copy(copied + "?"))])
  }

  @Test("Beside the rows of a wide screen keys act on the list")
  func beside() {
    var board = Self.board(.detail, columns: 120)
    #expect(board.state.isListShown)
    board.type("m")
    #expect(board.state.list.rows.pinned == [200] && board.state.statusBar.message == nil)
    board.type("s")
    #expect(board.state.settings.order.key == .name)
    board.type("S")
    #expect(board.state.settings.order.isReversed)
    let cursor = board.state.list.cursor
    board.type("n")
    #expect(board.state.list.cursor != cursor)
    board.type("f")
    #expect(board.state.filterState.showsAll)
    board.type("/")
    #expect(board.state.promptBar.prompt?.kind == .find)
  }

  @Test("Enter on an alert shows its match: in the list, or in the pane that covers it", arguments: [80, 120])
  func alerts(columns: Int) {
    var board = Self.board(.detail, columns: columns)
    board.type(":alert match 100 score")
    board.press(.enter)
    board.type("A")
    board.press(.enter)
    #expect(board.state.overlay == nil && board.state.list.selected?.id == 100)
    #expect(board.state.detail.pane?.id == (columns == 80 ? 100 : 200))
  }

  @Test("Texts name the keys that are bound, or the command to type")
  func keyNames() throws {
    let words = Catalog.english
    #expect(KeyMap.standard.name(of: .mouse, words) == "M")
    let keys = try KeyMap([("mouse", ["F5"]), ("alerts", []), ("find", []), ("log-in-or-out", [])])
    #expect(keys.name(of: .mouse, words) == "F5" && keys.name(of: .alerts, words) == ":alerts")
    #expect(keys.name(of: .find, words) == ":find" && keys.name(of: .logInOrOut, words) == "log-in-or-out")
    var board = Board(rows: 9, columns: 80)
    board.state.settings.keys = keys
    board.press(.function(5))
    #expect(board.state.statusBar.message?.sentence == LocalizedMessage(.noteMouseOff, "F5"))
  }
}
