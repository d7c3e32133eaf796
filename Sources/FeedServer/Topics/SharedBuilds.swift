import NIOCore
import Platform

/// Values that are built for several requests at once: requests of one key, made while its value is being built, share
/// that value.
///
/// An error that concerns only the address whose request began the build is not shared: the next request builds the
/// value.
final class SharedBuilds<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private enum Step { case begin, wait, refuse }

  typealias Completion = @Sendable (Result<Value, TopicError>) -> Void
  typealias Build = @Sendable (@escaping Completion) -> Void

  private struct Request {
    let completion: Completion
    let build: Build
  }

  private let limit: Int
  /// The requests of the values that are being built. The first one of each key builds its value.
  private let requests = Locked<[Key: CircularBuffer<Request>]>([:])
  private let calls = CallQueue()

  /// Creates a set of builds, of which at most `limit` are in progress or queued at a time.
  init(limit: Int) { self.limit = limit }

  /// Completes with the value of a key. Calls `build` unless the value is being built. If `isRefusable`, completes with
  /// `TopicError.busy` if the maximum of builds is reached.
  func value(of key: Key, isRefusable: Bool = true, completion: @escaping Completion, build: @escaping Build) {
    let step: Step = requests.withLock { [limit] requests in
      if requests[key] == nil, isRefusable, requests.count >= limit { return .refuse }
      requests[key, default: CircularBuffer()].append(Request(completion: completion, build: build))
      return requests[key]!.count == 1 ? .begin : .wait
    }
    switch step {
    case .wait: break
    case .refuse: completion(.failure(.busy))
    case .begin: begin(key, build)
    }
  }

  private func begin(_ key: Key, _ build: Build) {
    build { result in
      let (ended, next) = self.requests.withLock { requests in Self.end(key, result, &requests) }
      for request in ended { request.completion(result) }
      if let next { self.calls.perform { self.begin(key, next.build) } }
    }
  }

  /// Returns the requests that a result is for, and the one that builds the value next, if it is not for all.
  private static func end(
    _ key: Key, _ result: Result<Value, TopicError>, _ requests: inout [Key: CircularBuffer<Request>]
  ) -> (ended: CircularBuffer<Request>, next: Request?) {
    guard case .failure(let error) = result, error.isOfAddress, requests[key]!.count > 1 else {
      return (requests.removeValue(forKey: key)!, nil)
    }
    let first = requests[key]!.removeFirst()
    return ([first], requests[key]!.first)
  }
}
