import AccountFeed
import OddsFeed
import TerminalCore
import Wording

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A line of the account pane: what stands from which column on.
struct AccountRow: Equatable {
  struct Piece: Equatable {
    let at: Int
    let text: String
    let role: Style.Role
  }

  private(set) var pieces: [Piece] = []

  static let gap = AccountRow()

  init() {}

  init(_ text: String, at: Int, _ role: Style.Role = .plain) { add(text, at: at, role) }

  mutating func add(_ text: String, at: Int, _ role: Style.Role = .plain) {
    if !text.isEmpty { pieces.append(Piece(at: at, text: text, role: role)) }
  }
}

/// What stands where in the account pane: how the account does, and below it the last postings.
struct AccountTable {
  private static let indent = 2
  private static let gap = 2

  private(set) var head: [AccountRow] = []
  private let list: PostingList?
  private let width: Int
  /// Lines scrolled down, or more.
  private let scroll: Int

  init(of state: BoardState, scroll: Int, at now: Moment) {
    let words = state.words
    self.scroll = scroll
    width = state.size.columns
    guard let account = state.account else {
      list = nil
      write(words(.accountNone))
      return
    }
    let status = account.status
    list = PostingList(account.postings, width: width, words, at: now)
    head.append(AccountRow(words(.accountHeading), at: 1, .strong))
    let (session, isWrong) = status.phase.words(words)
    write(
      [
        (.accountUser, status.user ?? "", .plain), (.accountSession, session, isWrong ? .warning : .plain),
        (.accountUpdates, status.stream.words(words, at: now), status.stream.isWell ? .plain : .warning),
        (.accountAsOf, status.shownWallet == nil ? "" : status.asOf(words, at: now), .plain),
      ], words)
    for problem in status.problems { write(words.text(problem.sentence).capitalizedFirst, .warning) }
    write(status.shownWallet, words)
    head.append(.gap)
    write(words(status.isLoggedIn ? .accountHowOut : .accountHowIn), .muted)
    if state.canEndSession { write(words(.accountHowEnd), .muted) }
    if status.user == nil, account.postings.isEmpty { return }
    head.append(.gap)
    head.append(AccountRow(words(.accountPostings), at: 1, .strong))
    if account.postings.isEmpty { write(words(.accountNoPostings), .muted) }
  }

  var count: Int { head.count + (list?.count ?? 0) }

  /// The line above those that are in view.
  func title(_ visible: Int) -> Line { .accountTitle(lines(visible), of: count) }

  /// One of the lines in view.
  func line(_ at: Int, _ visible: Int) -> Line {
    let place = lines(visible).lowerBound + at
    return place < lines(visible).upperBound ? .account(row(place)) : .blank
  }

  private func lines(_ visible: Int) -> Range<Int> {
    let first = min(scroll, max(0, count - visible))
    return first..<min(first + visible, count)
  }

  private func row(_ at: Int) -> AccountRow { at < head.count ? head[at] : list?.row(at - head.count) ?? .gap }

  /// What is said without a label.
  private mutating func write(_ text: String, _ role: Style.Role = .plain) {
    head += text.wrapped(to: max(1, width - Self.indent)).map { AccountRow($0, at: Self.indent, role) }
  }

  /// Labels, and what stands behind them; below them where it does not fit. What is empty is left out.
  private mutating func write(
    _ pairs: [(label: Phrase, text: String, role: Style.Role)], _ words: Catalog, isRight: Bool = false
  ) {
    let labels = pairs.map { words($0.label).cellWidth }.max() ?? 0
    let widest = pairs.map(\.text.cellWidth).max() ?? 0
    let at = Self.indent + labels + Self.gap
    for (label, text, role) in pairs where !text.isEmpty {
      var row = AccountRow(words(label), at: Self.indent, .muted)
      let shift = isRight ? widest - text.cellWidth : 0
      if at + shift + text.cellWidth <= width {
        row.add(text, at: at + shift, role)
        head.append(row)
      } else {
        head.append(row)
        let lines = text.wrapped(to: max(1, width - Self.indent - 1))
        head += lines.map { AccountRow($0, at: Self.indent + 1, role) }
      }
    }
  }

  private mutating func write(_ wallet: Wallet?, _ words: Catalog) {
    guard let wallet else { return }
    func amount(_ part: Phrase, _ amount: Decimal) -> (Phrase, String, Style.Role) {
      (part, words.amount(amount, wallet.currency), part == .accountTotal ? .strong : .plain)
    }
    head.append(.gap)
    head.append(AccountRow(words(.accountBalance), at: 1, .strong))
    let amounts = [
      amount(.accountReal, wallet.real), amount(.accountBonus, wallet.bonus), amount(.accountTotal, wallet.total),
    ]
    write(amounts, words, isRight: true)
  }
}
