import AccountModel
import Localization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The account as the board shows it. Amounts are formatted when they change, not for every frame.
struct BoardAccount: Sendable {
  /// The total in the header.
  struct Balance: Hashable, Sendable {
    var text: String
    /// False if the balance may have changed since.
    var isCertain: Bool
  }

  let canEndSession: Bool
  private(set) var status = AccountStatus()
  /// The balance, or nil if there is no wallet to show.
  private(set) var balance: Balance?
  private(set) var postings: [PostingText] = []
  /// The last user name. Prefills the next login.
  private(set) var user = ""
  /// True if the feed connection may use the token of a session of this account.
  var hasUsedToken = false

  init(canEndSession: Bool) { self.canEndSession = canEndSession }

  mutating func apply(_ new: AccountStatus, _ words: Catalog) {
    if new.postings != status.postings || new.wallet?.currency != status.wallet?.currency {
      postings = new.postings.map { PostingText($0, wallet: new.wallet?.currency, words) }
    }
    status = new
    user = new.user ?? user
    balance = new.shownWallet.map { wallet in
      Balance(text: words.amount(wallet.total, wallet.currency), isCertain: new.isWalletCertain)
    }
  }
}

extension AccountStatus {
  /// The wallet of a user who is logged in or is logging in.
  var shownWallet: Wallet? {
    switch phase {
    case .loggedOut, .ended: nil
    case .loggingIn, .refused, .loggedIn: wallet
    }
  }

  /// True while every change of the wallet is received immediately.
  var isWalletCertain: Bool { walletAsOf == nil && stream == .live }

  var isLoggedIn: Bool { if case .loggedIn = phase { true } else { false } }

  /// The user name of the current phase, or nil if logged out.
  var user: String? {
    switch phase {
    case .loggedOut: nil
    case .loggingIn(let user), .refused(let user, _), .loggedIn(let user), .ended(let user, _): user
    }
  }
}

/// A posting formatted as text.
struct PostingText: Hashable, Sendable {
  let receivedAt: Int64
  let operation: MessageKey
  /// For each part of the wallet, the change and the amount after it. Empty where the posting has no such part.
  let amounts: [[String]]

  /// Formats a posting. The currency is included if it differs from that of the wallet.
  init(_ posting: Posting, wallet currency: String?, _ words: Catalog) {
    let update = posting.update
    receivedAt = posting.receivedAt
    operation = update.operation.phrase
    let suffix = update.currency == currency || currency == nil ? "" : " \(update.currency)"
    amounts = WalletPart.allCases.map { part in
      guard let change = update.changes[part] else { return ["", ""] }
      let affected = words.number(change.affected, of: update.currency)
      let sign = change.affected <= 0 ? "" : update.operation.adds ? "+" : "-"
      return [sign + affected, words.number(change.after, of: update.currency) + suffix]
    }
  }
}

extension BalanceUpdate.Operation {
  fileprivate var phrase: MessageKey {
    switch self {
    case .debit: .accountDebit
    case .credit: .accountCredit
    case .reserve: .accountReserve
    case .release: .accountRelease
    }
  }

  fileprivate var adds: Bool { self == .credit || self == .release }
}
