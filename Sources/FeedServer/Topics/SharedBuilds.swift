import Platform

/// Values that are built for several requests at once: requests of one key, made while its value is being built, share
/// that value.
final class SharedBuilds<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private enum Step { case begin, wait, refuse }

  typealias Completion = @Sendable (Result<Value, TopicError>) -> Void

  private let limit: Int
  private let waiting = Locked<[Key: [Completion]]>([:])

  /// Creates a set of builds, of which at most `limit` are in progress or queued at a time.
  init(limit: Int) { self.limit = limit }

  /// Completes with the value of a key. Calls `build` unless the value is being built. If `isRefusable`, completes with
  /// `TopicError.busy` if the maximum of builds is reached.
  func value(
    of key: Key, isRefusable: Bool = true, completion: @escaping Completion, build: (@escaping Completion) -> Void
  ) {
    let step: Step = waiting.withLock { [limit] waiting in
      if waiting[key] != nil {
        waiting[key]!.append(completion)
        return .wait
      }
      if isRefusable, waiting.count >= limit { return .refuse }
      waiting[key] = [completion]
      return .begin
    }
    switch step {
    case .wait: break
    case .refuse: completion(.failure(.busy))
    case .begin:
      build { result in
        let completions = self.waiting.withLock { $0.removeValue(forKey: key) ?? [] }
        for completion in completions { completion(result) }
      }
    }
  }
}
