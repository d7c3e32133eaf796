import Dispatch
import OddsFeed
import OddsModel
import Platform

/// A reader of a feed's frames, for the commands that record or inspect.
struct FeedFollower {
  let feed: FeedOptions.Feed

  /// Calls `visit` with each frame on arrival, until the feed ends. Blocks the calling thread.
  func frames(_ visit: @escaping @Sendable (TransportFrame) throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    let outcome = Locked<Result<Void, any Error>>(.success(()))
    Task.detached(executorPreference: FeedExecutor()) {
      do { try await read(visit) } catch { outcome.withLock { $0 = .failure(error) } }
      await feed.close()
      done.signal()
    }
    done.wait()
    try outcome.withLock { try $0.get() }
  }

  private func read(_ visit: (TransportFrame) throws -> Void) async throws {
    let events = await feed.transport.connect()
    await feed.transport.subscribe(Subscription(topic: feed.topic, generation: 1))
    var notes = FeedErrorNotes(isPatient: true)
    for await event in events {
      switch event {
      case .frame(let frame): try visit(frame)
      case .state(.ended): return
      case .state(.failed(let problem)): try notes.note((problem, true), isWell: false)
      case .state(.waiting(let retry)): try notes.note((retry.reason, false), isWell: false)
      case .state(let state): try notes.note(nil, isWell: state.isUp)
      case .topic(let subscription, let state):
        try notes.note(FeedErrorNotes.trouble(state, subscription.topic), isWell: state.isServed)
      case .records, .api, .apiLost, .alive: break
      }
    }
  }
}
