import AccountModel
import Platform

@testable import AccountClient

/// Lets a test wait for a status without polling.
final class StatusWatch: Sendable {
  private struct State {
    var seen: [AccountStatus] = []
    var waiting: [(isSo: @Sendable (AccountStatus) -> Bool, wake: CheckedContinuation<Void, Never>)] = []
  }

  private let reader = Locked<AccountReader?>(nil)
  private let state = Locked(State())

  init(_ client: AccountClient) {
    let new = client.statuses { [weak self] in self?.take() }
    reader.withLock { $0 = new }
    take()
  }

  /// All statuses so far, oldest first.
  var seen: [AccountStatus] { state.withLock { $0.seen } }

  private func take() {
    guard let status = reader.withLock({ $0 })?.drain() else { return }
    let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.seen.append(status)
      let woken = state.waiting.filter { $0.isSo(status) }
      state.waiting.removeAll { $0.isSo(status) }
      return woken.map(\.wake)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Returns once the latest status fulfils the condition.
  func reaches(_ isSo: @escaping @Sendable (AccountStatus) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isSoNow = state.withLock { state in
        if let last = state.seen.last, isSo(last) { return true }
        state.waiting.append((isSo, continuation))
        return false
      }
      if isSoNow { continuation.resume() }
    }
  }
}

extension AccountStatus {
  /// True if the stream is open and the wallet is current.
  var isLive: Bool { stream == .live && wallet != nil && walletAsOf == nil }
  var isEnded: Bool { if case .ended = phase { true } else { false } }
}
