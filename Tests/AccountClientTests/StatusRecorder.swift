import AccountModel
import Platform

@testable import AccountClient

/// Lets a test wait for a status without polling.
final class StatusRecorder: Sendable {
  private struct State {
    var statuses: [AccountStatus] = []
    var waiting: [(isMet: @Sendable (AccountStatus) -> Bool, wake: CheckedContinuation<Void, Never>)] = []
  }

  private let reader = Locked<AccountReader?>(nil)
  private let state = Locked(State())

  init(_ client: AccountClient) {
    let new = client.statuses { [weak self] in self?.drain() }
    reader.withLock { $0 = new }
    drain()
  }

  /// All statuses so far, oldest first.
  var statuses: [AccountStatus] { state.withLock { $0.statuses } }

  private func drain() {
    guard let status = reader.withLock({ $0 })?.drain() else { return }
    let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.statuses.append(status)
      let woken = state.waiting.filter { $0.isMet(status) }
      state.waiting.removeAll { $0.isMet(status) }
      return woken.map(\.wake)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Returns once the latest status fulfils the condition.
  func waitFor(_ isMet: @escaping @Sendable (AccountStatus) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isMetNow = state.withLock { state in
        if let last = state.statuses.last, isMet(last) { return true }
        state.waiting.append((isMet, continuation))
        return false
      }
      if isMetNow { continuation.resume() }
    }
  }
}

extension AccountStatus {
  /// True if the stream is open and the wallet is current.
  var isLive: Bool { stream == .live && wallet != nil && walletAsOf == nil }
  var isEnded: Bool { if case .ended = phase { true } else { false } }
}
