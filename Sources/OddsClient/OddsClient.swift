import OddsFeed
@_exported public import OddsModel
package import Platform

/// A client of a feed of odds.
///
/// ```swift
/// let client = try OddsClient(.simulated())
/// try await client.run { feed in
///   let live = try await feed.subscribe(to: .live(sport: .football, limit: 50))
///   for await update in live.updates where update.isTrusted {
///     for match in update.changed { print(match.name, match.mainMarket?.prices ?? []) }
///   }
/// }
/// ```
public struct OddsClient: Sendable {
  /// Opens the feed for a run.
  private let open: FeedSource.Opening
  private let clock: ClientClock

  /// Creates a client. Does not connect yet.
  ///
  /// - Throws: An `OddsClientError` if an address or another value is invalid, or a recording cannot be read.
  public init(_ source: FeedSource) throws(OddsClientError) {
    try self.init(source, clock: .live)
  }

  /// Creates a client with a clock. The games of the day are those of the clock's day.
  package init(_ source: FeedSource, clock: ClientClock) throws(OddsClientError) {
    open = try source.prepared(clock: clock)
    self.clock = clock
  }

  /// Connects to the feed, calls `body` with the connection, and disconnects when `body` returns or throws.
  ///
  /// A lost connection is established again, however often that fails; subscriptions then continue with a new dump. An
  /// error that a retry cannot fix, such as a wrong token, cancels `body`. Cancelling the task of this function does
  /// the same. No task or connection is left when this function returns. It can be called several times.
  ///
  /// - Parameter body: Uses the connection, which is valid until `body` returns.
  /// - Returns: The result of `body`.
  /// - Throws: The `OddsClientError` that ended the connection, whatever `body` then returns or throws; otherwise the
  ///   error of `body`. An `OddsClientError` also if a file of root certificates for Polymarket or Betfair cannot be
  ///   read; `body` is not called then.
  public func run<Result: Sendable>(
    _ body: @escaping @Sendable (OddsConnection) async throws -> Result
  ) async throws -> Result {
    let feed = try open()
    let provider = Provider(transport: feed.transport, clock: clock)
    let outcome = await Self.run(body, OddsConnection(provider: provider, feed: feed), provider)
    await feed.close()
    return try outcome.get()
  }

  private enum Step<Result: Sendable>: Sendable {
    case returned(Result)
    case failed(any Error)
    /// The feed's events have ended.
    case ended
  }

  private static func run<Result: Sendable>(
    _ body: @escaping @Sendable (OddsConnection) async throws -> Result, _ connection: OddsConnection,
    _ provider: Provider
  ) async -> Swift.Result<Result, any Error> {
    await withTaskGroup(of: Step<Result>.self) { group in
      group.addTask {
        await provider.run()
        return .ended
      }
      group.addTask {
        for await state in await provider.connectionChanges() {
          if case .failed(let error) = state { return .failed(OddsClientError(error)) }
        }
        return .ended
      }
      group.addTask {
        do { return .returned(try await body(connection)) } catch { return .failed(error) }
      }
      var result: Swift.Result<Result, any Error>?
      while result == nil, let step = await group.next() {
        switch step {
        case .returned(let value): result = .success(value)
        case .failed(let error): result = .failure(error)
        case .ended: break
        }
      }
      // NB: the error of the connection ends the updates, too. What the body returns or throws then can come first.
      var states = await provider.connectionChanges().makeAsyncIterator()
      if case .failed(let error)? = await states.next() { result = .failure(OddsClientError(error)) }
      group.cancelAll()
      await provider.stop()
      await group.waitForAll()
      return result ?? .failure(CancellationError())
    }
  }
}
