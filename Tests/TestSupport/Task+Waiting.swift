extension Task {
  /// The result of the task. Throws if the waiting task is cancelled, even if this task does not end then, so that a
  /// task that never ends does so with the time limit of the test.
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
