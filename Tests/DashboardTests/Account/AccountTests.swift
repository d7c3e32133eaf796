import AccountModel
import Foundation
import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The account on the board: its balance, its pane and its dialogs.
struct AccountTests {
  private var board = Board.withAccount(canEndSession: true)
  private static let problem = FeedError("no such user", remedy: "type it again")

  private func refused(_ user: String = "ana") -> AccountStatus {
    AccountStatus().with { $0.phase = .refused(user: user, Self.problem) }
  }

  @Test("A balance update repaints only the header and does not count as a frame of the list")
  mutating func balance() {
    board.account(.live())
    board.paint()
    #expect(board.line(0).contains("1,234.50 EUR"))
    board.account(.live(real: 995))
    let (damage, report) = board.painter.draw(board.state, now: board.now, whole: false)
    #expect(damage.map(\.row) == [0] && report.isStatusOnly)
    #expect(board.painter.frame.rows[0].description.contains("1,229.50 EUR"))
    #expect(damage[0].columns.count < 8)
    board.account(.live(real: 995))
    #expect(board.paint().isEmpty)
  }

  @Test("A balance that may be out of date has a question mark; without a login no balance is shown")
  mutating func doubt() {
    for change in [
      { $0.stream = .connecting }, { $0.stream = .failed(Self.problem) }, { $0.walletAsOf = 5 },
      {
        $0.phase = .loggingIn(user: "ana"); $0.stream = .closed
      },
    ] as [(inout AccountStatus) -> Void] {
      board.account(AccountStatus.live().with(change))
      board.paint()
      #expect(board.line(0).contains("1,234.50 EUR?"))
    }
    for status in [AccountStatus.live().ended(), AccountStatus.live().with { $0.phase = .loggedOut }] {
      board.account(status)
      board.paint()
      #expect(!board.line(0).contains("EUR"))
    }
  }

  @Test(
    "An amount is exact, has its currency's decimals and the language's separators",
    arguments: [
      ("1234.5", "EUR", "1,234.50", "1\u{202F}234,50"), ("0", "EUR", "0.00", "0,00"), ("5", "JPY", "5", "5"),
      ("5.5", "JPY", "5.5", "5,5"), ("-1234567.1", "KWD", "-1,234,567.100", "-1\u{202F}234\u{202F}567,100"),
      ("0.123456789", "EUR", "0.123456789", "0,123456789"), ("1.10000", "BTC", "1.10", "1,10"),
      (
        "100000000000000000000.01", "USD", "100,000,000,000,000,000,000.01",
        "100\u{202F}000\u{202F}000\u{202F}000\u{202F}000\u{202F}000\u{202F}000,01"
      ),
    ])
  func amounts(amount: String, currency: String, english: String, french: String) throws {
    let amount = try #require(Decimal(string: amount))
    #expect(Catalog(.english).number(amount, of: currency) == english)
    #expect(Catalog(.traditionalChinese).number(amount, of: currency) == english)
    #expect(Catalog(.french).number(amount, of: currency) == french)
  }

  @Test(
    "$ toggles the pane, Esc closes it, other overlays replace it, and the matches behind it are not repainted")
  mutating func pane() {
    board.account(.live(postings: Posting.samples))
    for (key, sign) in [
      ("$", " ACCOUNT"), ("$", "Ajax"), ("i", " PRICES"), ("$", " ACCOUNT"), ("?", "Switch to the channel"),
      ("$", " ACCOUNT"),
    ] {
      board.type(key)
      board.paint()
      #expect(board.text.contains(sign), "after \(key)")
    }
    board.update(.football(odds: ["2.5", "3.1", "2.9"]))
    #expect(board.paint().allSatisfy { $0.row == 22 })
    board.press(.escape)
    board.paint()
    #expect(board.text.contains("Ajax"))
  }

  @Test("The pane scrolls to its last row and no further")
  mutating func scrolling() {
    board = .withAccount(rows: 10)
    board.account(.live(postings: (0..<50).map { .sample(.credit, age: $0 * 1000) }))
    board.type("$")
    board.press(.end)
    board.paint()
    #expect(board.line(1).contains("60-65 of 65") && board.line(7).contains("07:59:11"))
    board.press(.down, .up)
    board.paint()
    #expect(board.line(1).contains("59-64 of 65"))
    board.press(.home)
    board.paint()
    #expect(board.line(2).contains("ACCOUNT"))
  }

  @Test("The open pane counts down to the next attempt and otherwise schedules no repaint")
  mutating func countdown() {
    let retry = Retry(attempt: 2, time: board.now.wall + 2500, reason: Self.problem)
    board.account(AccountStatus.live().with { $0.stream = .waiting(retry) })
    board.paint()
    #expect(board.state.nextAccountDeadline(after: board.now) == nil)
    board.type("$")
    for seconds in [3, 2, 1] {
      board.paint()
      #expect(board.text.contains("retrying in \(seconds) s, attempt 2"))
      let next = board.state.nextAccountDeadline(after: board.now)
      #expect(next.map { $0 - board.now.uptime } == .milliseconds(seconds == 3 ? 500 : 1000))
      board.wait(next! - board.now.uptime)
    }
    board.paint()
    #expect(board.text.contains("retrying, attempt 2"))
    #expect(board.state.nextAccountDeadline(after: board.now) == nil)
  }

  @Test("X ends a session that can be ended, and the footer shows the key only then")
  mutating func endSession() {
    board = .withAccount(columns: 200, canEndSession: true)
    board.type("X")
    board.account(.live())
    board.paint()
    #expect(board.line(23).contains("X end session") && board.line(23).contains("L log out"))
    board.type("X")
    #expect(board.effects == [.endSession])
    board.account(AccountStatus())
    board.paint()
    #expect(!board.line(23).contains("X end session") && board.line(23).contains("L log in"))
    board = .withAccount(columns: 200)
    board.account(.live())
    board.type("X")
    #expect(board.effects.isEmpty)
  }

  @Test("L asks before it logs out, with Stay preselected; without an account it shows how to add one")
  mutating func logOut() {
    board.account(.live())
    board.type("L")
    board.press(.enter)
    #expect(board.state.account?.dialog == nil && board.effects.isEmpty)
    board.type("L")
    board.press(.right, .enter)
    #expect(board.effects == [.logOut])
    board.type("LL")
    #expect(board.effects == [.logOut, .logOut] && board.state.account?.dialog == nil)
    board = Board()
    board.type("L")
    board.paint()
    #expect(board.text.contains("--demo-account") && !board.line(23).contains("log in"))
  }

  @Test(
    "A login reconnects a failed connection; a connection with the token of an old session reauthenticates")
  mutating func line() {
    board = .withAccount(canReconnect: true)
    board.account(AccountStatus().with { $0.phase = .loggingIn(user: "ana") })
    board.account(.live())
    #expect(board.effects == [])
    board.account(.live(real: 5))
    board.account(.live().ended())
    #expect(board.effects == [])
    board.account(AccountStatus())
    #expect(board.effects == [.reauthenticate])
    board.account(.live(user: "ben"))
    board.account(.live().ended())
    board.account(.live())
    #expect(board.effects == [.reauthenticate, .reauthenticate])
    board = .withAccount(canReconnect: true)
    board.updateFreshness(.locked, connection: .failed(Self.problem))
    board.account(.live())
    #expect(board.effects == [.reconnect])
  }
}
