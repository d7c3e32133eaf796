import Dispatch
import FeedClient
import Locking
import OddsFeed

/// Reads a feed message by message for the headless commands: nothing is conflated, each message is seen.
struct FeedFollower {
  let transport: any FeedTransport
  let topic: Topic

  /// Calls `visit` after each message with the channel and the matches that the message may have changed, until it
  /// returns false or the feed ends. Blocks the caller's thread meanwhile.
  func follow(_ visit: @escaping @Sendable (inout ChannelState, Set<MatchID>) throws -> Bool) throws {
    let done = DispatchSemaphore(value: 0)
    let outcome = Locked<Result<Void, any Error>>(.success(()))
    Task.detached(executorPreference: FeedExecutor()) {
      do { try await read(visit) } catch { outcome.withLock { $0 = .failure(error) } }
      done.signal()
    }
    done.wait()
    try outcome.withLock { try $0.get() }
  }

  private func read(_ visit: (inout ChannelState, Set<MatchID>) throws -> Bool) async throws {
    let events = await transport.connect()
    await transport.subscribe(Subscription(topic: topic, generation: 1))
    var decoder = MessageDecoder()
    var batch = FeedBatch()
    var channel = ChannelState()
    for await event in events {
      switch event {
      case .state(.ended): return
      case .state(.failed(let why)): throw Failure(why)
      case .state, .alive: continue
      case .frame(let frame):
        decoder.decode(frame, into: &batch)
        for place in batch.messages.indices {
          var changes = FeedChanges()
          channel.apply(batch, messages: place..<place + 1, into: &changes)
          guard try visit(&channel, Set(changes.matches)) else { return await transport.disconnect() }
        }
        batch.removeAll()
      }
    }
  }
}
