import AccountModel
import Localization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The account as the board shows it. Amounts are put into words when they change, not for every frame.
struct BoardAccount: Sendable {
  /// The total, as the header says it.
  struct Balance: Hashable, Sendable {
    var text: String
    /// False where it may be another by now.
    var isCertain: Bool
  }

  let canEndSession: Bool
  private(set) var status = AccountStatus()
  /// Nil where there is nobody's to show.
  private(set) var balance: Balance?
  private(set) var postings: [PostingText] = []
  /// Grows with each change.
  private(set) var revision = 0
  /// Who was meant last; most often it is who logs in next.
  private(set) var user = ""
  /// A session has been there whose token the feed's line may have.
  var hasUsedToken = false

  init(canEndSession: Bool) { self.canEndSession = canEndSession }

  mutating func take(_ new: AccountStatus, _ words: Catalog) {
    revision += 1
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
  /// What somebody who is, or is about to be, logged in has.
  var shownWallet: Wallet? {
    switch phase {
    case .loggedOut, .ended: nil
    case .loggingIn, .refused, .loggedIn: wallet
    }
  }

  /// True while each change is told as it happens.
  var isWalletCertain: Bool { walletAsOf == nil && stream == .live }

  var isLoggedIn: Bool { if case .loggedIn = phase { true } else { false } }

  /// Who is meant, if somebody is.
  var user: String? {
    switch phase {
    case .loggedOut: nil
    case .loggingIn(let user), .refused(let user, _), .loggedIn(let user), .ended(let user, _): user
    }
  }
}

/// A posting in words.
struct PostingText: Hashable, Sendable {
  let receivedAt: Int64
  let operation: MessageKey
  /// Of each part of the wallet what is added or taken, and what is there then; empty where the posting does not say.
  let amounts: [[String]]

  /// Its currency is said where it is not the wallet's.
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
