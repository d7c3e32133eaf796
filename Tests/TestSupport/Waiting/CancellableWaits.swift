/// Returns the first value that `start` passes to its argument, a completion. Throws if the task is cancelled before:
/// the wait for a completion that is never called ends with the time limit of the test.
package func completionValue<Value: Sendable>(
  _ start: (@escaping @Sendable (Value) -> Void) -> Void
) async throws -> Value {
  let (values, completion) = AsyncStream.makeStream(of: Value.self)
  start { completion.yield($0) }
  for await value in values { return value }
  throw CancellationError()
}

extension Task {
  /// The value of the task. If the task that waits is cancelled before, throws and cancels this task, but does not wait
  /// for it: the wait for a task that never ends ends with the time limit of the test.
  package var cancellableValue: Success {
    get async throws {
      do {
        let result: Result<Success, Failure> = try await completionValue { completion in
          Task<Void, Never> { completion(await self.result) }
        }
        return try result.get()
      } catch let error as _Concurrency.CancellationError {
        cancel()
        throw error
      }
    }
  }
}
