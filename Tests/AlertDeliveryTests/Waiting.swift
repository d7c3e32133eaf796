/// Waits for a condition. The time limit of the test ends a wait that is in vain.
func until(_ condition: () -> Bool) async throws {
  while !condition() { try await Task.sleep(for: .milliseconds(2)) }
}
