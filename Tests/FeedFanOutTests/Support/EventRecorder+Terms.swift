import TestSupport

extension EventRecorder<UInt64?> {
  /// Returns the epoch once the last term that was reported has begun and not ended.
  @discardableResult func waitForTerm() async throws -> UInt64 {
    try await wait { $0.last.flatMap(\.self) != nil }
    return elements.compactMap(\.self).last!
  }

  /// Returns once the last term that was reported has ended.
  func waitForEnd() async throws { try await wait { $0.last == .some(nil) } }
}
