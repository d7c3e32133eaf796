/// Waits until a condition is true, or the task is cancelled, as at the time limit of the test.
func eventually(_ isMet: () -> Bool) async {
  while !Task.isCancelled, !isMet() { try? await Task.sleep(for: .milliseconds(1)) }
}
