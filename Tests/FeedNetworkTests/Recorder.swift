import Platform

/// The values that a server's script has recorded.
final class Recorder<Value: Sendable>: Sendable {
  private let list = Locked<[Value]>([])

  var values: [Value] { list.withLock { $0 } }

  func add(_ value: Value) { list.withLock { $0.append(value) } }
}

/// Waits until a condition is true, or the task is cancelled, as at the time limit of the test.
func eventually(_ isMet: () -> Bool) async {
  while !Task.isCancelled, !isMet() { try? await Task.sleep(for: .milliseconds(1)) }
}
