import AccountModel
import Foundation
import Localization
import TerminalCore

@testable import Dashboard

extension AccountStatus {
  /// An account that is logged in and live, with a balance.
  static func live(
    user: String = "ana", real: Decimal = 1000, bonus: Decimal = Decimal(string: "234.5")!, currency: String = "EUR",
    postings: [Posting] = []
  ) -> AccountStatus {
    var status = AccountStatus()
    status.phase = .loggedIn(user: user)
    status.stream = .live
    status.wallet = Wallet(currency: currency, real: real, bonus: bonus)
    status.postings = postings
    return status
  }

  func with(_ change: (inout AccountStatus) -> Void) -> AccountStatus {
    var status = self
    change(&status)
    return status
  }

  func ended(_ cause: SessionEnd.Cause = .expired) -> AccountStatus {
    with { ($0.phase, $0.stream) = (.ended(user: $0.user ?? "ana", SessionEnd(cause)), .closed) }
  }
}

extension Posting {
  /// A posting of the last days, `age` milliseconds before the board's start.
  static func sample(
    _ operation: BalanceUpdate.Operation, real: (Decimal, Decimal)? = (5, 995), bonus: (Decimal, Decimal)? = nil,
    currency: String = "EUR", age: Int64 = 0
  ) -> Posting {
    var changes: [WalletPart: BalanceUpdate.Change] = [:]
    if let real { changes[.real] = .init(affected: real.0, after: real.1) }
    if let bonus { changes[.bonus] = .init(affected: bonus.0, after: bonus.1) }
    return Posting(
      BalanceUpdate(userID: "7", currency: currency, operation: operation, postingID: "p\(age)", changes: changes),
      receivedAt: 1_750_752_000_000 - age)
  }

  static let samples: [Posting] = [
    .sample(.credit, real: (Decimal(string: "12.5")!, 1000), age: 1000),
    .sample(.debit, real: (5, Decimal(string: "987.5")!), bonus: (1, Decimal(string: "234.5")!), age: 61_000),
    .sample(.reserve, real: nil, bonus: (10, Decimal(string: "235.5")!), age: 3_600_000),
    .sample(.release, real: (Decimal(string: "0.125")!, Decimal(string: "992.5")!), age: 7_200_000),
  ]
}

extension Board {
  /// A board with an account whose state is not known yet.
  static func withAccount(
    rows: Int = 24, columns: Int = 80, glyphs: GlyphSet = .unicode, canReconnect: Bool = false,
    canEndSession: Bool = false, words: Catalog = .english
  ) -> Board {
    let channels = BoardChannel.standard(matches: 100, words: words)
    var board = Board(
      rows: rows, columns: columns, glyphs: glyphs, channels: glyphs == .ascii ? channels.map(\.inASCII) : channels,
      feedName: (glyphs == .ascii ? words.ascii : words)(.feedSimulated), canReconnect: canReconnect, words: words)
    _ = board.state.reduce(.accountFound(canEndSession: canEndSession), now: board.now)
    board.fill()
    return board
  }

  mutating func account(_ status: AccountStatus) {
    send(.accountChanged(status))
  }

  mutating func click(_ row: Int, _ column: Int, _ button: MousePress.Button = .left) {
    send(.mousePressed(MousePress(button, row: row, column: column)))
  }

  var question: Question? { if case .question(let question) = state.account?.dialog { question } else { nil } }
  var form: LoginForm? { if case .login(let form) = state.account?.dialog { form } else { nil } }
}
