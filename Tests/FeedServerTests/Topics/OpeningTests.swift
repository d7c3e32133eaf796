import NIOCore
import OddsModel
import Platform
import Testing

@testable import FeedServer

/// A source of topics in another process, which has none.
private final class FarSource: TopicSource {
  let requests = Locked(0)

  var openingWork: TopicWork { .ofUpstreamOpening }
  func start(onNews: @escaping @Sendable () -> Void) {}
  func stop() {}
  func resolve(_ topic: Topic, completion: @escaping @Sendable (Result<Topic, TopicError>) -> Void) {
    completion(.success(topic))
  }
  func open(_ topic: Topic, log: TopicLog, completion: @escaping @Sendable (Result<TopicWork, TopicError>) -> Void) {
    requests.withLock { $0 += 1 }
    completion(.failure(.unknown))
  }
  func close(_ topic: Topic) {}
  func dump(
    of topic: Topic, known: TopicDump?, completion: @escaping @Sendable (Result<TopicDump, TopicError>) -> Void
  ) {
    requests.withLock { $0 += 1 }
    completion(.failure(.unknown))
  }
}

@Suite("Topics that are opened upstream")
struct OpeningTests {
  /// An address regains so little time that it does not matter how long a test takes.
  private static let limits: ServerLimits = {
    var limits = ServerLimits()
    limits.workShare = 0.01
    return limits
  }()
  private static let most = 22

  @Test("one address cannot request any number of them, and does not keep others from theirs")
  func lists() throws {
    let source = FarSource()
    let hub = FeedHub(source: source, limits: Self.limits, loops: [], metrics: ServerMetrics())
    let results = Locked<[TopicError?]>([])
    for number in 0..<1000 {
      hub.page(of: Topic(path: "/\(number)"), from: "1") { result in
        results.withLock { $0.append(result.error) }
      }
    }
    let opened = source.requests.withLock(\.self)
    #expect(opened > 10 && opened <= Self.most)
    #expect(results.withLock { $0.count { $0 == .unknown } } == opened)
    for number in 0..<10 { hub.page(of: Topic(path: "/\(number)"), from: "2") { _ in } }
    #expect(source.requests.withLock(\.self) == opened + 10)
  }

  @Test("REGISTER and CALL count as requests for lists do")
  func others() {
    let source = FarSource()
    let hub = FeedHub(source: source, limits: Self.limits, loops: [], metrics: ServerMetrics())
    var begun = 0
    for number in 0..<1000 {
      // As a session does before each request.
      guard hub.work.begin("1", now: .now()) == .begun else { break }
      begun += 1
      let topic = Topic(path: "/\(number)")
      if number.isMultiple(of: 2) {
        hub.join(topic, from: "1") { _ in }
      } else {
        hub.reserveDump(of: topic, from: "1") { _ in }
      }
      hub.work.end("1")
    }
    #expect(begun > 10 && begun <= Self.most)
    #expect(source.requests.withLock(\.self) == begun)
  }
}

extension Result where Failure == TopicError {
  fileprivate var error: TopicError? { if case .failure(let error) = self { error } else { nil } }
}
