import Dispatch
import FeedClient
import Locking
import OddsFeed
import Wording

/// Reads a feed message by message for the headless commands: nothing is conflated, each message is seen.
struct FeedFollower {
  let feed: FeedOptions.Feed
  var options = StoreOptions()
  /// Whether to wait for a feed that cannot be had now, saying so on standard error, or to fail.
  var isPatient = true

  /// Calls `visit` after each message with the channel and the matches that the message may have changed, until it
  /// returns false or the feed ends; returns the channel as it is then. Blocks the caller's thread meanwhile.
  @discardableResult
  func follow(_ visit: @escaping @Sendable (inout ChannelState, Set<MatchID>) throws -> Bool) throws -> ChannelState {
    let last = Locked(ChannelState())
    try wait {
      var decoder = MessageDecoder()
      var batch = FeedBatch()
      var channel = ChannelState(options: options)
      let keepsForDump = feed.transport.updatesMayPrecedeDump
      try await read { event in
        if case .state(let state) = event, keepsForDump, !state.isUp { channel.awaitDump() }
        guard case .frame(let frame) = event else { return true }
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
      try await read { event in
        if case .frame(let frame) = event { try visit(frame) }
        return true
      }
    }
  }

  private func wait(_ work: @escaping @Sendable () async throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    let outcome = Locked<Result<Void, any Error>>(.success(()))
    Task.detached(executorPreference: FeedExecutor()) {
      do { try await work() } catch { outcome.withLock { $0 = .failure(error) } }
      await feed.close()
      done.signal()
    }
    done.wait()
    try outcome.withLock { try $0.get() }
  }

  /// Until the feed ends, is disconnected, or the visitor has had enough.
  private func read(_ visit: (TransportEvent) throws -> Bool) async throws {
    let events = await feed.transport.connect()
    await feed.transport.subscribe(Subscription(topic: feed.topic, generation: 1))
    var lastProblem: FeedProblem?
    for await event in events {
      if case .state(.ended) = event { return }
      if let trouble = Trouble(event) {
        if !isPatient || trouble.isFinal { throw Failure(trouble.problem.sentence) }
        if trouble.problem != lastProblem { try Output.note(Sentence(.noteWaiting, trouble.problem.sentence)) }
        lastProblem = trouble.problem
      } else if case .state(let state) = event, state.isUp, lastProblem != nil {
        try Output.note(Sentence(.noteConnectedAgain))
        lastProblem = nil
      }
      guard try visit(event) else { return }
    }
  }
}

/// Why there is nothing to read now.
private struct Trouble {
  let problem: FeedProblem
  /// True where waiting does not help.
  let isFinal: Bool

  /// Nil where the event is none.
  init?(_ event: TransportEvent) {
    switch event {
    case .state(.failed(let problem)), .topic(_, .refused(let problem)): (self.problem, isFinal) = (problem, true)
    case .state(.waiting(let retry)): (problem, isFinal) = (retry.why, false)
    case .topic(let subscription, .maintenance):
      problem = FeedProblem(.topicInMaintenance, subscription.topic.path, remedy: .remedyComeBackLater)
      isFinal = false
    case .topic(let subscription, .late):
      problem = FeedProblem(.topicUnanswered, subscription.topic.path, remedy: .remedyCheckTopic)
      isFinal = false
    default: return nil
    }
  }
}
