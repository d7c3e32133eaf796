import FeedFanOut
import NIOCore
import OddsModel
import Platform
import TestSupport

/// A feed whose messages the test provides. A dump lists all messages so far.
final class TestBook: Sendable {
  private struct State {
    var topics: [Topic: [String]] = [:]
    var pending: [Topic: [String]] = [:]
    var open: Set<Topic> = []
    var lost: Set<Topic> = []
    var holdsOpenings = false
  }

  private let state: Locked<State>
  /// The age of the feed's data.
  let age = Locked(Duration.zero)
  /// Blocks the building of the dumps that are requested while it is set.
  let dumpGate = Locked<DispatchGate?>(nil)
  /// The topics that were opened and, with a minus prefix, those that were closed.
  let log = EventRecorder<String>()
  /// The completions of the pending openings.
  let pendingOpenings = EventRecorder<@Sendable (FeedFrame.Refusal?) -> Void>()

  init(_ topics: [Topic]) {
    state = Locked(State(topics: Dictionary(uniqueKeysWithValues: topics.map { ($0, []) })))
  }

  func messages(_ topic: Topic) -> [String] { state.withLock { $0.topics[topic]! } }

  /// Publishes messages at the next advance.
  func add(_ messages: [String], to topic: Topic) {
    state.withLock { $0.pending[topic, default: []] += messages }
  }

  /// Loses a topic at the next advance. It can be opened again.
  func lose(_ topic: Topic) { state.withLock { _ = $0.lost.insert(topic) } }

  /// Leaves all further openings pending, and their topics closed, until the test answers them.
  func holdOpenings() { state.withLock { $0.holdsOpenings = true } }

  /// Opens a topic, and answers one of the pending openings.
  func answer(_ number: Int, opening topic: Topic) {
    state.withLock { _ = $0.open.insert(topic) }
    pendingOpenings.elements[number](nil)
  }

  var origin: BookOrigin {
    BookOrigin(
      interval: .milliseconds(5), start: { _ in },
      open: { [self] topic, completion in
        let (exists, isPending) = state.withLock { state in
          guard state.topics[topic] != nil else { return (false, false) }
          if !state.holdsOpenings { state.open.insert(topic) }
          return (true, state.holdsOpenings)
        }
        if isPending { return pendingOpenings.add(completion) }
        if exists { log.add(topic.path) }
        completion(exists ? nil : .unknown)
      },
      close: { [self] topic in
        state.withLock { _ = $0.open.remove(topic) }
        log.add("-" + topic.path)
      },
      age: { [age] in age.withLock(\.self) },
      dump: { [self] topic in
        guard let messages = state.withLock({ $0.open.contains(topic) ? $0.topics[topic] : nil }) else { return nil }
        let gate = dumpGate.withLock(\.self)
        return {
          gate?.wait()
          return Array(messages.joined(separator: ",").utf8)
        }
      },
      advance: { [self] _ in
        state.withLock { state in
          var news: [BookOrigin.News] = state.lost.map { .lost($0) }
          state.open.subtract(state.lost)
          state.lost = []
          for (topic, messages) in state.pending {
            state.topics[topic]! += messages
            if state.open.contains(topic) { news.append(.messages(topic, messages.map { Array($0.utf8) })) }
          }
          state.pending = [:]
          return news
        }
      })
  }
}

/// The content of a topic at a gateway, built from the calls of its sink.
final class TestTopicReader: Sendable {
  private struct State {
    var last: UInt64 = 0
    var messages: [String] = []
  }

  private let state = Locked(State())
  /// The states that could be shown: a dump and the messages after it.
  let contents = EventRecorder<[String]>()
  let errors = EventRecorder<String>()
  private let subscriber: BookSubscriber
  private let topic: Topic

  init(_ subscriber: BookSubscriber, _ topic: Topic) {
    self.subscriber = subscriber
    self.topic = topic
  }

  /// Opens the topic. Returns the error, if it cannot be opened.
  func open() async throws -> BookError? {
    let sink = TopicSink { [weak self] last, _ in
      self?.state.withLock { state in
        state.last = last
        state.messages = []
      }
    } append: { [weak self] messages, first in
      self?.append(messages.map { String(buffer: $0) }, first)
    }
    return try await completionValue { completion in
      subscriber.open(topic, sink: sink, completion: completion)
    }
  }

  private func append(_ messages: [String], _ first: UInt64) {
    let expected = state.withLock { state in
      defer { state.last = first + UInt64(messages.count) - 1 }
      state.messages += messages
      return state.last + 1
    }
    if first != expected { errors.add("message \(first) came after \(expected - 1)") }
  }

  /// Returns a dump and the messages after it, as a new client would receive them.
  func content() async throws -> [String]? {
    let dump: ReplicaDump? = try await completionValue { completion in
      subscriber.dump(of: topic) { completion(try? $0.get()) }
    }
    guard let dump else { return nil }
    let old = String(buffer: dump.payload).split(separator: ",").map(String.init)
    return state.withLock { state in
      let after = Int(clamping: Int64(state.last) - Int64(dump.last))
      return after > state.messages.count ? nil : old + (after > 0 ? state.messages.suffix(after) : [])
    }
  }
}
