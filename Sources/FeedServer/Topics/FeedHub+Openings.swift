import NIOCore
import OddsModel
import Platform

/// The openings of topics of an upstream feed.
///
/// An address pays for those that nobody uses: the topic is refused, or was opened for a list or a dump alone. A subscriber's
/// topic costs nothing once it is open, so that an address with many viewers, or another relay, can have as many as it needs.
extension FeedHub {
  /// The result of an opening.
  enum Opening {
    /// The topic has a subscriber.
    case joined
    /// The topic has no subscriber, and stays open for a while.
    case dumped
    case failed(TopicError)

    fileprivate init<Value>(_ result: Result<Value, TopicError>, _ success: Opening) {
      switch result {
      case .success: self = success
      case .failure(let error): self = .failed(error)
      }
    }

    fileprivate var isCharged: Bool {
      switch self {
      case .joined: false
      case .dumped: true
      case .failed(let error): error.isPermanent
      }
    }
  }

  /// Calls `body`, which opens a topic that is not open here. If that may request it upstream, waits for the turn of the
  /// address.
  ///
  /// - Parameter body: Completes with what becomes of the topic. `done` gets that too.
  func open<Value>(
    _ topic: Topic, for address: String, as success: Opening, done: @escaping Completion<Value>,
    _ body: @escaping @Sendable (@escaping Completion<Value>) -> Void
  ) {
    guard let opening = source.upstreamOpening else { return body(done) }
    let isOpenUpstream = state.withLock { $0.lingering.value(of: topic, now: .uptime) != nil }
    if isOpenUpstream {
      return body { result in
        self.note(Opening(result, success), of: topic, opening)
        done(result)
      }
    }
    work.reserve(address, opening.work)
    turns.begin(address) {
      body { result in
        let outcome = Opening(result, success)
        self.work.release(address, opening.work, isCharged: outcome.isCharged, now: .now())
        self.note(outcome, of: topic, opening)
        self.turns.end()
        done(result)
      }
    }
  }

  /// Notes that a topic stays open upstream for a while, or is not open there.
  private func note(_ outcome: Opening, of topic: Topic, _ opening: UpstreamOpening) {
    state.withLock { state in
      switch outcome {
      case .joined: break
      case .dumped: state.lingers(topic, opening)
      case .failed: state.lingering.remove(topic)
      }
    }
  }
}

extension FeedHub.State {
  /// Notes that a topic stays open upstream for a while.
  mutating func lingers(_ topic: Topic, _ opening: UpstreamOpening) {
    lingering.add((), of: topic, until: .uptime + opening.linger, now: .uptime)
  }
}

extension Duration {
  fileprivate static var uptime: Duration { .nanoseconds(Int64(NIODeadline.now().uptimeNanoseconds)) }
}
