import AccountModel
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The keys of the login form.
struct LoginFormTests {
  private var board = Board.withAccount()
  private static let problem = FeedError("no such user", remedy: "type it again")

  @Test("Keys are text in the form; Enter sends the login and erases the password")
  mutating func login() {
    board.type("L")
    board.type("q?$ana")
    board.press(.backspace, .tab)
    board.type("pÄ 密q")
    #expect(board.form?.user == "q?$an" && board.form?.bullets == 5)
    board.press(.enter)
    #expect(board.effects == [.logIn(user: "q?$an", password: Secret("pÄ 密q"))])
    #expect(board.form?.isBusy == true && board.form?.bullets == 0)
    board.type("x")
    board.press(.enter, .tab, .backspace)
    #expect(board.form?.user == "q?$an" && board.form?.bullets == 0 && board.effects.count == 1)
    board.account(AccountStatus().with { $0.phase = .loggingIn(user: "q?$an") })
    board.account(.live())
    #expect(board.state.account?.dialog == nil)
  }

  @Test("The state and the screen never contain the password, and its mask has a maximum length")
  mutating func secret() {
    board.type("Lana")
    board.press(.tab)
    board.type("topsecret")
    board.paint()
    #expect(!board.text.contains("topsecret") && board.text.contains("•••••••••_"))
    #expect(!"\(board.state)".contains("topsecret"))
    board.type("andmuchlonger")
    board.paint()
    #expect(board.text.contains("••••••••••••_") && !board.text.contains("•••••••••••••"))
    board.press(.enter)
    #expect(!"\(board.effects)".contains("topsecret"))
  }

  @Test("Enter selects the empty field, Ctrl-U clears the current field, and the length of input is limited")
  mutating func fields() {
    board.type("L")
    board.press(.enter)
    #expect(board.form?.field == .user)
    board.type("ana")
    board.press(.enter)
    #expect(board.form?.field == .password)
    board.press(.enter)
    #expect(board.effects.isEmpty && board.form?.isBusy == false)
    board.type(String(repeating: "x", count: 1000))
    #expect(board.form?.bullets == LoginForm.maxBullets)
    board.press(.control("u"))
    #expect(board.form?.bullets == 0 && board.form?.user == "ana")
    board.press(.up, .control("u"))
    #expect(board.form?.user == "")
    board.type("a\u{1}\u{202E}\u{200B}b" + String(repeating: "x", count: 1000))
    #expect(board.form?.user.count == LoginForm.maxScalars && board.form?.user.hasPrefix("abxx") == true)
    board.press(.control("u"))
    board.type("e")
    for _ in 0..<1000 { board.press(.character("\u{301}")) }
    #expect(board.form?.user.count == 1 && board.form?.user.unicodeScalars.count == LoginForm.maxScalars)
  }

  @Test("Each refused login shows its error and clears the password; other updates keep new input")
  mutating func wrong() {
    board.type("Lana")
    let refused = AccountStatus().with { $0.phase = .refused(user: "ana", Self.problem) }
    board.press(.tab)
    for _ in 1...2 {
      board.type("wrong")
      board.press(.enter)
      board.account(refused)
      board.paint()
      #expect(board.form?.isBusy == false && board.form?.field == .password && board.form?.bullets == 0)
      #expect(board.text.contains("No such user: type it again"))
    }
    board.type("right")
    board.account(refused.with { $0.walletAsOf = 1 })
    #expect(board.form?.bullets == 5)
  }

  @Test("A refused login that the program began opens the form once, with its error")
  mutating func begun() {
    let refused = AccountStatus().with { $0.phase = .refused(user: "ana", Self.problem) }
    board.account(refused)
    #expect(board.form?.user == "ana" && board.form?.problem == Self.problem)
    board.press(.escape)
    #expect(board.state.account?.dialog == nil && board.effects == [.goHome])
    board.account(refused.with { $0.walletAsOf = 1 })
    #expect(board.state.account?.dialog == nil)
  }

  @Test("Esc discards the input and cancels a login in progress")
  mutating func escape() {
    board.type("Lana")
    board.press(.escape)
    #expect(board.state.account?.dialog == nil && board.effects.isEmpty)
    board.type("Lana")
    board.press(.tab, .character("x"), .enter, .escape)
    #expect(board.effects.last == .logOut && board.state.account?.dialog == nil)
    board.effects = []
    board.account(AccountStatus().with { $0.phase = .loggingIn(user: "ana") })
    board.type("L")
    #expect(board.form?.isBusy == true)
    board.press(.escape)
    #expect(board.effects == [.logOut])
    board.account(.live().ended())
    board.wait(BoardAccount.inputGuardInterval)
    board.press(.tab, .enter, .escape)
    #expect(board.effects == [.logOut, .goHome])
  }
}
