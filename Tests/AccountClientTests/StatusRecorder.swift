import AccountModel
import Platform
import TestSupport

@testable import AccountClient

/// Lets a test wait for a status without polling.
final class StatusRecorder: Sendable {
  private let reader = Locked<AccountReader?>(nil)
  private let recorder = EventRecorder<AccountStatus>()

  init(_ client: AccountClient) {
    let new = client.statuses { [weak self] in self?.drain() }
    reader.withLock { $0 = new }
    drain()
  }

  /// All statuses so far, oldest first.
  var statuses: [AccountStatus] { recorder.elements }

  private func drain() {
    if let status = reader.withLock({ $0 })?.drain() { recorder.add(status) }
  }

  /// Returns once the latest status fulfils the condition.
  func waitFor(_ isMet: @escaping @Sendable (AccountStatus) -> Bool) async throws {
    try await recorder.wait { $0.last.map(isMet) ?? false }
  }
}

extension AccountStatus {
  /// True if the stream is open and the wallet is current.
  var isLive: Bool { stream == .live && wallet != nil && walletAsOf == nil }
  var isEnded: Bool { if case .ended = phase { true } else { false } }
}
