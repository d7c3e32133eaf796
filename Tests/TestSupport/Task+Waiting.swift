extension Task {
  /// The result of the task. If the waiting task is cancelled, throws and cancels this task, but does not wait for it: a
  /// wait for a task that never ends is over after the time limit of the test.
  package var valueUnlessCancelled: Success {
    get async throws {
      let (results, continuation) = AsyncStream.makeStream(of: Result<Success, Failure>.self)
      Task<Void, Never> { continuation.yield(await self.result) }
      for await result in results { return try result.get() }
      cancel()
      throw _Concurrency.CancellationError()
    }
  }
}
