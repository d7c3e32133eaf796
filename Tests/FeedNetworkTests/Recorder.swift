import Platform

/// The values that a server's script has recorded.
final class Recorder<Value: Sendable>: Sendable {
  private let list = Locked<[Value]>([])

  var values: [Value] { list.withLock { $0 } }

  func add(_ value: Value) { list.withLock { $0.append(value) } }
}

/// Waits until a condition is true. Only a failure takes as long as the time limit.
func eventually(_ isMet: () -> Bool) async {
  let end = ContinuousClock.now + .seconds(120)
  while !isMet(), ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(1)) }
}
