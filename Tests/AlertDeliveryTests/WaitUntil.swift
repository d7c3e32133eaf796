/// Waits for a condition, at most until the time limit of the test.
func waitUntil(_ condition: () -> Bool) async throws {
  while !condition() { try await Task.sleep(for: .milliseconds(2)) }
}
