import AccountModel
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The end of a session: told once, over whatever is open, and answered with keys and mouse.
struct SessionEndTests {
  private var board = Board.withAccount(canEndSession: true)

  private mutating func end(_ cause: SessionEnd.Cause = .expired) {
    board.account(.live())
    board.account(.live().ended(cause))
    board.wait(BoardAccount.inputGuardInterval)
    board.paint()
  }

  @Test("It is told once: news of the same end, and of what comes after it, does not tell it again")
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
    "Keys answer it",
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

  @Test("The board's own keys do nothing meanwhile, but the rows behind go on")
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

  @Test("A row behind it that changes leaves it as it is, and counts its prices")
  mutating func covered() {
    board = .withAccount(rows: 8, columns: 80)
    end()
    board.update(.football(100, "Ajax - Porto", odds: ["7.77", "3.1", "2.9"]))
    let (_, report) = board.painter.draw(board.state, now: board.now, whole: false)
    #expect(report.changes == 1)
    #expect(board.painter.frame.text.contains("You are logged out"))
  }

  @Test("A click on a button answers; one beside them, or with another button, does not", arguments: [80, 40, 20])
  mutating func clicks(columns: Int) throws {
    for (text, effect) in [("Go Home", Effect.goHome), ("[ Login", nil)] {
      board = .withAccount(rows: 10, columns: columns)
      end()
      let place = try #require(board.text.place(of: text))
      #expect(board.state.inputModes == .mouse)
      board.click(0, place.column)
      board.click(place.row, columns - 1)
      board.click(place.row, place.column, .right)
      board.click(place.row, place.column, .wheelUp)
      #expect(board.effects.isEmpty && board.question != nil)
      board.click(place.row, place.column)
      #expect(board.effects == (effect.map { [$0] } ?? []))
      #expect((board.form != nil) == (effect == nil))
      #expect(board.state.inputModes == (effect == nil ? [.mouse, .paste] : .mouse))
    }
  }

  @Test(
    "It comes over the help, the inspector, a frozen screen and the pane, which are there afterwards",
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

  @Test("A key that was on its way to the board does not answer it; one that ends the board does, and so does a click")
  mutating func onTheWay() throws {
    board.account(.live())
    board.account(.live().ended())
    board.paint()
    board.press(.character("g"), .escape, .enter, .tab)
    #expect(board.question?.chosen == 0 && board.effects.isEmpty)
    let place = try #require(board.text.place(of: "Go Home"))
    board.click(place.row, place.column)
    #expect(board.effects == [.goHome])
    board.account(AccountStatus())
    board.account(.live())
    board.account(.live().ended())
    board.effects = []
    board.type("q")
    #expect(board.effects == [.quit])
  }

  @Test("Who is typing a password when it comes answers nothing by that, and what was typed is gone")
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

  @Test("What the server says is the reason is printed safely")
  mutating func words() {
    end(.other("\u{1B}[31m" + String(repeating: "long ", count: 100)))
    #expect(!board.text.contains("\u{1B}") && board.text.contains("Reason: \u{FFFD}[31mlong"))
    #expect(board.text.contains("Go Home"))
  }

  @Test("It is gone when the session is there again")
  mutating func again() {
    end()
    board.account(.live())
    #expect(board.state.account?.dialog == nil)
  }
}
