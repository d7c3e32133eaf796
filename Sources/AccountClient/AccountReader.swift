package import AccountModel
import Platform

/// What one reader of the account has not taken yet: the latest status. Dropping the reader ends it.
package final class AccountReader: Sendable {
  private struct Box {
    var status: AccountStatus
    var isPending = true
  }

  private let box: Locked<Box>
  private let onPending: @Sendable () -> Void

  init(_ status: AccountStatus, onPending: @escaping @Sendable () -> Void) {
    box = Locked(Box(status: status))
    self.onPending = onPending
  }

  /// How the account does; nil where that has not changed since the last call. Postings are in the status, so that none
  /// is lost to a reader who comes seldom.
  package func take() -> AccountStatus? {
    box.withLock { box in
      guard box.isPending else { return nil }
      box.isPending = false
      return box.status
    }
  }

  func post(_ status: AccountStatus) {
    let isNews = box.withLock { box in
      box.status = status
      defer { box.isPending = true }
      return !box.isPending
    }
    if isNews { onPending() }
  }
}
