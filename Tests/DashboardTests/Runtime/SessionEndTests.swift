import AccountModel
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The dialog at the end of a session: shown once, above other panes, and answered with keys and mouse.
struct SessionEndTests {
  private var board = Board.withAccount(canEndSession: true)

  private mutating func end(_ cause: SessionEnd.Cause = .expired) {
    board.account(.live())
    board.account(.live().ended(cause))
    board.wait(BoardAccount.inputGuardInterval)
    board.paint()
  }

  @Test("The dialog is shown once for each end of a session")
  mutating func once() {
    end()
    #expect(board.question != nil)
    board.press(.escape)
    #expect(board.effects == [.goHome] && board.state.account?.dialog == nil)
    board.account(AccountStatus.live().ended().with { $0.wallet = nil })
    board.account(AccountStatus())
    #expect(board.state.account?.dialog == nil)
    end()
    #expect(board.question != nil)
  }

  @Test(
    "Keys answer the dialog",
    arguments: [
      ([.enter], .goHome), ([.character(" ")], .goHome), ([.escape], .goHome), ([.character("g")], .goHome),
      ([.character("G")], .goHome), ([.tab, .escape], .goHome), ([.tab, .tab, .enter], .goHome),
      ([.left, .right, .enter], .goHome), ([.character("q")], .quit), ([.control("c")], .quit),
      ([.tab, .enter], nil), ([.right, .character(" ")], nil), ([.left, .enter], nil), ([.backTab, .enter], nil),
      ([.character("l")], nil), ([.character("L")], nil),
    ] as [([Key], Effect?)])
  mutating func keys(keys: [Key], effect: Effect?) {
    end()
    for key in keys { board.press(key) }
    #expect(board.effects == (effect.map { [$0] } ?? []))
    if effect == nil { #expect(board.form?.user == "ana" && board.form?.field == .password) }
  }

  @Test("While the dialog is open the board's keys do nothing, but the rows behind it are updated")
  mutating func behind() {
    end()
    for key in [Key.character("2"), .character("?"), .down, .character("p"), .character("$"), .function(1)] {
      board.press(key)
    }
    #expect(
      board.effects.isEmpty && board.state.tab == .channel(0) && board.state.overlay == nil
        && board.state.list.frozenChanges == nil)
    #expect(board.state.list.cursor == 0)
    board.update(.football(100, "Ajax - Porto", odds: ["7.77", "3.1", "2.9"]))
    let damage = board.paint()
    #expect(board.text.contains("7.77") && board.text.contains("Your session has ended"))
    #expect(damage.contains { $0.row == 2 } && !damage.contains { $0.row == 10 })
  }

  @Test("A changed row behind the dialog does not overwrite it, and its prices are counted")
  mutating func covered() {
    board = .withAccount(rows: 8, columns: 80)
    end()
    board.update(.football(100, "Ajax - Porto", odds: ["7.77", "3.1", "2.9"]))
    let (_, report) = board.painter.draw(board.state, now: board.now, whole: false)
    #expect(report.changes == 1)
    #expect(board.painter.frame.text.contains("You are logged out"))
  }

  @Test("A click on a button answers; other clicks and mouse buttons do not", arguments: [80, 40, 20])
  mutating func clicks(columns: Int) throws {
    for (text, effect) in [("Go Home", Effect.goHome), ("[ Login", nil)] {
      board = .withAccount(rows: 10, columns: columns)
      end()
      let position = try #require(board.text.position(of: text))
      #expect(board.state.inputModes == .mouse)
      board.click(0, position.column)
      board.click(position.row, columns - 1)
      board.click(position.row, position.column, .right)
      board.click(position.row, position.column, .wheelUp)
      #expect(board.effects.isEmpty && board.question != nil)
      board.click(position.row, position.column)
      #expect(board.effects == (effect.map { [$0] } ?? []))
      #expect((board.form != nil) == (effect == nil))
      #expect(board.state.inputModes == (effect == nil ? [.mouse, .paste] : .mouse))
    }
  }

  @Test(
    "The dialog opens above the help, the inspector, the account and a frozen screen, and leaves them open",
    arguments: ["?", "i", "p", "$"])
  mutating func over(key: String) {
    board.account(.live())
    board.type(key)
    board.account(.live().ended(.kicked))
    board.wait(BoardAccount.inputGuardInterval)
    board.paint()
    #expect(board.text.contains("You are logged out") && board.text.contains("Kicked"))
    board.press(.escape)
    board.paint()
    #expect(board.state.overlay != nil || board.state.list.frozenChanges != nil)
    #expect(!board.text.contains("You are logged out"))
  }

  @Test("Keys pressed as the dialog opens do not answer it, but a click answers it and q still quits")
  mutating func onTheWay() throws {
    board.account(.live())
    board.account(.live().ended())
    board.paint()
    board.press(.character("g"), .escape, .enter, .tab)
    #expect(board.question?.chosen == 0 && board.effects.isEmpty)
    let position = try #require(board.text.position(of: "Go Home"))
    board.click(position.row, position.column)
    #expect(board.effects == [.goHome])
    board.account(AccountStatus())
    board.account(.live())
    board.account(.live().ended())
    board.effects = []
    board.type("q")
    #expect(board.effects == [.quit])
  }

  @Test("Typing a password when the dialog opens does not answer it, and the typed text is discarded")
  mutating func typing() {
    board.account(AccountStatus().with { $0.phase = .refused(user: "ana", FeedError("no", remedy: "again")) })
    board.type("secret")
    board.account(.live().ended())
    board.type("gl ")
    board.press(.enter, .escape)
    #expect(board.question != nil && board.effects.isEmpty)
    board.wait(.milliseconds(700))
    board.type("l")
    #expect(board.form?.bullets == 0)
  }

  @Test("The server's reason is printed without control characters")
  mutating func words() {
    end(.other("\u{1B}[31m" + String(repeating: "long ", count: 100)))
    #expect(!board.text.contains("\u{1B}") && board.text.contains("Reason: \u{FFFD}[31mlong"))
    #expect(board.text.contains("Go Home"))
  }

  @Test("The dialog closes when the session is live again")
  mutating func again() {
    end()
    board.account(.live())
    #expect(board.state.account?.dialog == nil)
  }
}
