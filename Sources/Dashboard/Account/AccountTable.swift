import AccountModel
import Localization
import OddsModel
import TerminalCore

/// The rows of the account pane: the state of the account, then its last postings.
struct AccountTable: ScrollablePane {
  private static let indent = 2
  private static let gap = 2

  private var head: [PaneRow] = []
  private let list: PostingList?
  private let width: Int

  init(of state: BoardState, now: FrameTime) {
    let words = state.words
    width = state.size.columns
    guard let account = state.account else {
      list = nil
      write(words(.accountNone))
      return
    }
    let status = account.status
    list = PostingList(account.postings, width: width, words, now: now)
    heading(words(.accountHeading))
    let session = status.phase.words(words)
    let stream = status.stream.words(words, now: now)
    write(
      [
        (.accountUser, status.user ?? "", .plain),
        (.accountSession, session.text, session.isWrong ? .warning : .plain),
        (.accountUpdates, stream.text, stream.isWrong ? .warning : .plain),
        (.accountAsOf, status.shownWallet == nil ? "" : status.asOf(words, now: now), .plain),
      ], words)
    for problem in status.problems { write(words.text(problem.sentence).capitalizedFirst, .warning) }
    write(status.shownWallet, words)
    head.append(.gap)
    let keys = state.settings.keys
    write(words(status.isLoggedIn ? .accountHowOut : .accountHowIn, keys.name(of: .logInOrOut, words)), .muted)
    if account.canEndSession { write(words(.accountHowEnd, keys.name(of: .endSession, words)), .muted) }
    if status.user == nil, account.postings.isEmpty { return }
    head.append(.gap)
    heading(words(.accountPostings))
    if account.postings.isEmpty { write(words(.accountNoPostings), .muted) }
  }

  var count: Int { head.count + (list?.count ?? 0) }

  func row(_ at: Int) -> PaneRow { at < head.count ? head[at] : list?.row(at - head.count) ?? .gap }

  private mutating func heading(_ text: String) { head.append(PaneRow(text, at: 1, .strong)) }

  /// Appends text without a label.
  private mutating func write(_ text: String, _ role: Style.Role = .plain) {
    head += text.wrapped(to: max(1, width - Self.indent)).map { PaneRow($0, at: Self.indent, role) }
  }

  /// Appends labels with their texts, each beside its label or else below it. Pairs with an empty text are skipped.
  private mutating func write(
    _ pairs: [(label: MessageKey, text: String, role: Style.Role)], _ words: Catalog, isRight: Bool = false
  ) {
    let labels = pairs.map { words($0.label).cellWidth }.max() ?? 0
    let widest = pairs.map(\.text.cellWidth).max() ?? 0
    let at = Self.indent + labels + Self.gap
    for (label, text, role) in pairs where !text.isEmpty {
      var row = PaneRow(words(label), at: Self.indent, .muted)
      let start = isRight ? at + widest - text.cellWidth : at
      let isBeside = start + text.cellWidth <= width
      if isBeside { row.add(text, at: start, role) }
      head.append(row)
      if isBeside { continue }
      head += text.wrapped(to: max(1, width - Self.indent - 1)).map { PaneRow($0, at: Self.indent + 1, role) }
    }
  }

  private mutating func write(_ wallet: Wallet?, _ words: Catalog) {
    guard let wallet else { return }
    head.append(.gap)
    heading(words(.accountBalance))
    write(
      [
        (.accountReal, words.amount(wallet.real, wallet.currency), .plain),
        (.accountBonus, words.amount(wallet.bonus, wallet.currency), .plain),
        (.accountTotal, words.amount(wallet.total, wallet.currency), .strong),
      ], words, isRight: true)
  }
}
