import AccountModel
import Foundation
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The account on whole screens, compared with `Golden/`. RECORD=1 updates the files.
struct AccountGoldenTests {
  private func expect(_ board: Board, _ name: String, _ location: SourceLocation = #_sourceLocation) {
    let size = board.state.size
    board.expectGolden("account-\(name)-\(size.columns)x\(size.rows)", location)
  }

  private static let sizes = [(24, 80), (60, 200), (10, 40), (10, 20), (5, 20), (1, 1), (3, 7)]

  private static let problem = FeedError("the server does not know 'ana' with that password", remedy: "type it again")

  @Test("The account pane has its golden text at each size", arguments: sizes)
  func pane(rows: Int, columns: Int) {
    var board = Board.withAccount(rows: rows, columns: columns, canEndSession: true)
    board.account(.live(postings: Posting.samples))
    board.type("$")
    expect(board, "pane")
  }

  @Test("A pane with more rows than the screen has its golden text at its end", arguments: [(10, 40), (5, 20)])
  func scrolled(rows: Int, columns: Int) {
    var board = Board.withAccount(rows: rows, columns: columns)
    board.account(.live(postings: Posting.samples))
    board.type("$")
    board.press(.end)
    expect(board, "pane-end")
  }

  @Test(
    "Without a login, with huge amounts, a waiting or failed stream, or no account, the pane has its golden text"
  )
  func paneStates() {
    var board = Board.withAccount(rows: 16)
    board.type("$")
    expect(board, "pane-empty")
    let huge = Decimal(string: "12345678901234567890123456.123456789")!
    let postings = [
      Posting.sample(.credit, real: (huge, huge), bonus: (huge, huge)),
      .sample(.debit, currency: "JPY", age: 864_000_000),
    ]
    for (rows, columns) in [(24, 80), (24, 40), (24, 20)] {
      board = Board.withAccount(rows: rows, columns: columns)
      board.account(.live(user: "王小明", real: huge, currency: "EUR", postings: postings))
      board.type("$")
      expect(board, "pane-huge")
    }
    board = Board.withAccount(rows: 24, columns: 60, glyphs: .ascii)
    let retry = Retry(
      attempt: 3, time: board.now.wall + 1600, reason: FeedError("the stream broke off", remedy: "it is tried again"))
    board.account(
      AccountStatus.live().with {
        $0.stream = .waiting(retry)
        $0.walletAsOf = board.now.wall - 864_000_000
      })
    board.type("$")
    expect(board, "pane-waiting")
    board.account(AccountStatus.live().with { $0.stream = .failed(Self.problem) })
    expect(board, "pane-failed")
    board = Board(rows: 10, columns: 80)
    board.type("$")
    expect(board, "pane-none")
  }

  @Test("The session end dialog has its golden text at each size", arguments: sizes)
  func sessionEnd(rows: Int, columns: Int) {
    var board = Board.withAccount(rows: rows, columns: columns)
    board.account(.live())
    board.account(.live().ended(.terminated))
    expect(board, "ended")
  }

  @Test("Over the help, in ASCII, the dialog for a cause with control characters has its golden text")
  func sessionEnds() {
    var board = Board.withAccount(rows: 24, columns: 80, glyphs: .ascii)
    board.type("?")
    board.account(.live())
    board.account(.live().ended(.other("Self-\u{1B}[2Jexcluded\n\u{202E}until 北京")))
    board.wait(BoardAccount.inputGuardInterval)
    board.press(.tab)
    expect(board, "ended-other")
  }

  @Test("The login form has its golden text: empty, with an error, busy", arguments: sizes)
  func form(rows: Int, columns: Int) {
    var board = Board.withAccount(rows: rows, columns: columns)
    board.type("L")
    expect(board, "form")
    board.type("王小明")
    board.press(.tab)
    board.type("secret")
    board.account(AccountStatus().with { $0.phase = .refused(user: "ana", Self.problem) })
    expect(board, "form-problem")
    board.press(.enter)
    expect(board, "form-busy")
  }

  @Test("The logout dialog has its golden text at each size", arguments: [(24, 80), (10, 40), (10, 20)])
  func logOut(rows: Int, columns: Int) {
    var board = Board.withAccount(rows: rows, columns: columns)
    board.account(.live())
    board.type("L")
    expect(board, "logout")
  }

  @Test("The account screens have their golden texts in monochrome", arguments: [(24, 80), (12, 120), (10, 40)])
  func monochrome(rows: Int, columns: Int) {
    var board = Board.withAccount(rows: rows, columns: columns, canEndSession: true)
    board.type("L")
    board.account(AccountStatus().with { $0.phase = .refused(user: "ana", Self.problem) })
    board.expectMonochrome("form-\(columns)x\(rows)")
    board.press(.escape)
    board.account(.live(postings: Posting.samples))
    board.type("$")
    board.expectMonochrome("account-\(columns)x\(rows)")
    board.account(.live().ended(.terminated))
    board.expectMonochrome("session-end-\(columns)x\(rows)")
  }

  @Test("A balance in the header has its golden text", arguments: [(true, true), (true, false), (false, true)])
  func header(isLive: Bool, isCertain: Bool) {
    let lines = [200, 120, 100, 80, 60, 50, 40, 30, 20, 14, 8].map { columns in
      var board = Board.withAccount(rows: 24, columns: columns)
      board.account(AccountStatus.live().with { if !isCertain { $0.walletAsOf = 0 } })
      if !isLive {
        let retry = Retry(attempt: 2, time: board.now.wall + 4000, reason: Self.problem)
        board.updateFreshness(.locked, connection: .waiting(retry))
      }
      return view(board.state, now: board.now).rows[0].description
    }
    let text = lines.joined(separator: "\n")
    let name = "account-header\(isLive ? "" : "-waiting")\(isCertain ? "" : "-dated")"
    #expect(text == Golden.text(name, recording: text))
  }
}
