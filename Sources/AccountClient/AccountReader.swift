package import AccountModel
import Platform

/// A reader of the account's status. It holds the latest status until it is read. Releasing the reader ends it.
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

  /// Returns the status, or nil if it has not changed since the last call. Postings are part of the status, so a slow
  /// reader still receives the latest ones.
  package func drain() -> AccountStatus? {
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
