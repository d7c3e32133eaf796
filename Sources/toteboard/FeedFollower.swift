import Dispatch
import FeedClient
import Locking
import OddsFeed

/// Reads a feed message by message for the headless commands: nothing is conflated, each message is seen.
struct FeedFollower {
  let transport: any FeedTransport
  let topic: Topic
  var options = StoreOptions()

  /// Calls `visit` after each message with the channel and the matches that the message may have changed, until it
  /// returns false or the feed ends; returns the channel as it is then. Blocks the caller's thread meanwhile.
  @discardableResult
  func follow(_ visit: @escaping @Sendable (inout ChannelState, Set<MatchID>) throws -> Bool) throws -> ChannelState {
    let last = Locked(ChannelState())
    try wait {
      var decoder = MessageDecoder()
      var batch = FeedBatch()
      var channel = ChannelState(options: options)
      try await read { frame in
        decoder.decode(frame, into: &batch)
        defer { batch.removeAll() }
        for place in batch.messages.indices {
          var changes = FeedChanges()
          channel.apply(batch, messages: place..<place + 1, into: &changes)
          guard try visit(&channel, Set(changes.matches)) else { return false }
        }
        return true
      }
      last.withLock { $0 = channel }
    }
    return last.withLock { $0 }
  }

  /// Calls `visit` with each frame as it comes, until the feed ends. Blocks the caller's thread meanwhile.
  func frames(_ visit: @escaping @Sendable (TransportFrame) throws -> Void) throws {
    try wait {
      try await read { frame in
        try visit(frame)
        return true
      }
    }
  }

  private func wait(_ work: @escaping @Sendable () async throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    let outcome = Locked<Result<Void, any Error>>(.success(()))
    Task.detached(executorPreference: FeedExecutor()) {
      do { try await work() } catch { outcome.withLock { $0 = .failure(error) } }
      done.signal()
    }
    done.wait()
    try outcome.withLock { try $0.get() }
  }

  /// Until the feed ends, is disconnected, or the visitor has had enough.
  private func read(_ visit: (TransportFrame) throws -> Bool) async throws {
    let events = await transport.connect()
    await transport.subscribe(Subscription(topic: topic, generation: 1))
    for await event in events {
      switch event {
      case .state(.ended): return
      case .state(.failed(let why)): throw Failure("\(why)")
      case .state, .alive, .topic, .api, .apiLost: continue
      case .frame(let frame): guard try visit(frame) else { return await transport.disconnect() }
      }
    }
  }
}
