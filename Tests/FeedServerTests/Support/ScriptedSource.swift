import NIOCore
import OddsModel
import Platform

@testable import FeedServer

/// A source whose openings the test answers. It has all topics, and returns dumps at once.
final class ScriptedSource: TopicSource {
  typealias Opening = @Sendable (Result<TopicWork, TopicError>) -> Void

  private struct State {
    var calls: [String] = []
    var openings: [Topic: [Opening]] = [:]
    var open: Set<Topic> = []
  }

  private let state = Locked(State())

  /// The calls that an upstream feed would notice, in order: "open", "close" or "dump", and the topic.
  var calls: [String] { state.withLock { $0.calls } }

  /// Answers the oldest opening of a topic that has no answer.
  func answer(_ topic: Topic, _ error: TopicError? = nil) {
    let opening = state.withLock { state in
      if error == nil { state.open.insert(topic) }
      return state.openings[topic]!.removeFirst()
    }
    opening(error.map { .failure($0) } ?? .success(TopicWork()))
  }

  func opensUpstream(_ topic: Topic) -> Bool { !state.withLock { $0.open.contains(topic) } }
  func start(onNews: @escaping @Sendable () -> Void) {}
  func stop() {}

  func resolve(_ topic: Topic, completion: @escaping @Sendable (Result<Topic, TopicError>) -> Void) {
    completion(.success(topic))
  }

  func open(_ topic: Topic, log: TopicLog, completion: @escaping Opening) {
    state.withLock { state in
      state.calls.append("open \(topic.path)")
      state.openings[topic, default: []].append(completion)
    }
  }

  func close(_ topic: Topic) {
    state.withLock { state in
      state.calls.append("close \(topic.path)")
      state.open.remove(topic)
    }
  }

  func dump(
    of topic: Topic, known: TopicDump?, isForList: Bool,
    completion: @escaping @Sendable (Result<TopicDump, TopicError>) -> Void
  ) {
    state.withLock { $0.calls.append("dump \(topic.path)") }
    completion(.success(TopicDump(payload: ByteBuffer(string: topic.path), last: 1, moment: 1)))
  }
}
