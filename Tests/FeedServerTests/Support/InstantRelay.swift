import NIOCore
import OddsFeed
import OddsModel
import Platform
import TestSupport

@testable import FeedServer

/// A relay without a connection, whose clock the test advances. Its upstream feed answers at once. It has all
/// topics except those whose names begin with "/unknown", which it refuses, and those with "/failing", which it
/// cannot send at the moment.
final class InstantRelay: TopicSource {
  private typealias Completion = @Sendable (TopicError?) -> Void

  private struct State {
    var machine: RelayMachine
    var now = Duration.zero
    var waiting: [Topic: [Completion]] = [:]
    var logs: [Topic: TopicLog] = [:]
    var requests = 0
  }

  private let state: Locked<State>

  init(limits: RelayLimits = RelayLimits()) {
    var machine = RelayMachine(limits: limits) { 0.5 }
    _ = machine.receive(.state(.live), now: .zero)
    state = Locked(State(machine: machine))
  }

  /// The time that has passed.
  var now: Duration { state.withLock { $0.now } }
  /// The number of requests for topics at the upstream feed.
  var requests: Int { state.withLock { $0.requests } }

  func opensUpstream(_ topic: Topic) -> Bool { !state.withLock { $0.machine.contains(topic) } }
  func start(onNews: @escaping @Sendable () -> Void) {}
  func stop() {}

  func resolve(_ topic: Topic, completion: @escaping @Sendable (Result<Topic, TopicError>) -> Void) {
    completion(.success(topic))
  }

  func open(_ topic: Topic, log: TopicLog, completion: @escaping @Sendable (Result<TopicWork, TopicError>) -> Void) {
    state.withLock { $0.logs[topic] = log }
    open(topic) { error in completion(error.map { .failure($0) } ?? .success(TopicWork())) }
  }

  /// Appends messages to the log of a topic that a client has.
  func append(_ messages: [[UInt8]], to topic: Topic) { state.withLock { $0.logs[topic] }?.append(messages) }

  /// Ends the log of a topic that a client has.
  func end(_ topic: Topic) { state.withLock { $0.logs[topic] }?.end() }

  func close(_ topic: Topic) { change { state in state.machine.close(topic) } }

  func dump(
    of topic: Topic, known: TopicDump?, isForList: Bool,
    completion: @escaping @Sendable (Result<TopicDump, TopicError>) -> Void
  ) {
    open(topic) { error in
      let last = max(1, self.state.withLock { $0.logs[topic] }?.last ?? 1)
      let dump = TopicDump(payload: ByteBuffer(string: FeedText.dump(FeedText.football())), last: last, moment: 1)
      completion(error.map { .failure($0) } ?? .success(dump))
    }
  }

  /// Advances the clock.
  func advance(by time: Duration) {
    change { state in
      state.now += time
      let actions = state.machine.receive(.alive(), now: state.now)
      return actions + state.machine.advance(to: state.now)
    }
  }

  private func open(_ topic: Topic, _ completion: @escaping Completion) {
    let isOpen = state.withLock { $0.machine.moment(of: topic) != nil }
    if isOpen { return completion(nil) }
    change { state in
      state.waiting[topic, default: []].append(completion)
      return state.machine.contains(topic) ? [] : state.machine.open(topic, now: state.now)
    }
  }

  /// Performs the actions of the machine. Completions are called afterwards.
  private func change(_ event: (inout State) -> [RelayMachine.Action]) {
    let ended: [(Completion, TopicError?)] = state.withLock { state in
      var ended: [(Completion, TopicError?)] = []
      var actions = event(&state)[...]
      while let action = actions.popFirst() {
        switch action {
        case .subscribe(let subscription):
          state.requests += 1
          actions += state.machine.receive(Self.answer(subscription), now: state.now)
        case .opened(let topic):
          for call in state.waiting.removeValue(forKey: topic) ?? [] { ended.append((call, nil)) }
        case .failed(let topic, let error):
          for call in state.waiting.removeValue(forKey: topic) ?? [] { ended.append((call, error)) }
        case .unsubscribe, .requestDump, .messages, .lost, .available: break
        }
      }
      return ended
    }
    for (call, error) in ended { call(error) }
  }

  private static func answer(_ subscription: Subscription) -> TransportEvent {
    let path = subscription.topic.path
    if path.hasPrefix("/unknown") {
      return .topic(subscription, .retrying(FeedError("no such topic", remedy: "ask for another").permanent(), at: 0))
    }
    if path.hasPrefix("/failing") {
      return .topic(subscription, .retrying(FeedError("too many topics", remedy: "try again"), at: 0))
    }
    let dump = FeedText.dump(FeedText.football())
    return .frame(TransportFrame(subscription: subscription, bytes: Array(dump.utf8)))
  }
}
