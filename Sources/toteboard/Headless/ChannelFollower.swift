import Dispatch
import Localization
import OddsFeed
import OddsModel
import Platform

/// A subscription to one channel for the headless commands, which reports messages and each change of the connection.
/// As in the dashboard, the channel is compared with fresh dumps and locked when the feed is silent.
struct ChannelFollower {
  let feed: FeedOptions.Feed
  var options = StoreOptions()
  /// True to wait for an unavailable feed, with a note on standard error; false to fail.
  var isPatient = true
  /// True to report each message, false to report those that arrive together at once.
  var eachMessage = true

  /// Calls `visit` after messages and changes of status, until it returns false or the feed ends. Blocks the thread.
  ///
  /// - Returns: The state of the channel at the end.
  @discardableResult
  func follow(_ visit: @escaping @Sendable (inout ChannelState, ChannelEvent) throws -> Bool) throws -> ChannelState {
    let outcome = Locked<Result<ChannelState, any Error>?>(nil)
    let notes = Locked(FeedErrorNotes(isPatient: isPatient))
    let done = DispatchSemaphore(value: 0)
    Task.detached { [feed, options, eachMessage] in
      let provider = Provider(transport: feed.transport, options: options)
      let share = await provider.subscribe(to: feed.topic)
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      await share.store.follow(eachMessage: eachMessage) { state, event in
        if outcome.withLock({ $0 != nil }) { return }
        do {
          var goesOn = try visit(&state, event)
          try notes.withLock { try $0.note(event.status, topic: feed.topic) }
          if event.status.connection == .ended { goesOn = false }
          if goesOn { return }
          outcome.withLock { $0 = .success(state) }
        } catch { outcome.withLock { $0 = .failure(error) } }
        end.finish()
      }
      let reading = Task.detached { await provider.run() }
      for await _ in ends {}
      await feed.close()
      await reading.value
      await share.cancel()
      done.signal()
    }
    done.wait()
    guard let result = outcome.withLock({ $0 }) else { preconditionFailure("the feed ended without an event") }
    return try result.get()
  }
}

/// The notes on standard error of a command that waits for a feed.
struct FeedErrorNotes {
  let isPatient: Bool
  private(set) var last: FeedError?

  /// Prints why the feed is unavailable, once per reason in a row, and when it is available again.
  ///
  /// - Throws: `CommandError` if waiting does not help or `isPatient` is false.
  mutating func note(_ status: ChannelStatus, topic: Topic) throws {
    try note(Self.trouble(status, topic), isWell: status.connection.isUp && status.topic.isServed)
  }

  mutating func note(_ trouble: (problem: FeedError, isFinal: Bool)?, isWell: Bool) throws {
    if let trouble {
      if !isPatient || trouble.isFinal {
        let problem = trouble.problem
        throw CommandError(Self.retries.contains(problem.localizedRemedy) ? problem.localizedMessage : problem.sentence)
      }
      if trouble.problem != last { try Output.note(LocalizedMessage(.noteWaiting, trouble.problem.sentence)) }
      last = trouble.problem
    } else if isWell, last != nil {
      try Output.note(LocalizedMessage(.noteConnectedAgain))
      last = nil
    }
  }

  /// The remedies that announce another attempt. A command that ends does not make one.
  private static let retries: Set<LocalizedMessage> = [
    LocalizedMessage(.remedyTriedAgain), LocalizedMessage(.remedyAskedAgain), LocalizedMessage(.remedyWait),
  ]

  /// Returns the problem of a status; nil if none is known.
  private static func trouble(_ status: ChannelStatus, _ topic: Topic) -> (FeedError, isFinal: Bool)? {
    switch status.connection {
    case .failed(let problem): return (problem, true)
    case .waiting(let retry): return (retry.reason, false)
    case .idle, .connecting, .handshaking, .ended: return nil
    case .live, .recovering: return Self.trouble(status.topic, topic)
    }
  }

  static func trouble(_ state: TopicState, _ topic: Topic) -> (problem: FeedError, isFinal: Bool)? {
    switch state {
    case .refused(let problem): return (problem, true)
    case .retrying(let problem, _): return (problem, false)
    case .maintenance: return (FeedError(.topicInMaintenance, topic.path, remedy: .remedyComeBackLater), false)
    case .late: return (FeedError(.topicUnanswered, topic.path, remedy: .remedyCheckTopic), false)
    case .requested, .live, .overdue: return nil
    }
  }
}
