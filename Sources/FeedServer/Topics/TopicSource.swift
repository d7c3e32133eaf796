import CLibrary
import FeedSimulator
package import NIOCore
package import OddsModel

/// The origin of the topics of a `FeedHub`: a feed that this process plays (`PlayedSource`), an upstream feed that it
/// passes on (`RelaySource`), or a book elsewhere.
///
/// All methods return at once. Each completion is called exactly once, on any thread.
package protocol TopicSource: Sendable {
  /// The reason, in a few words, for which no topic can be had at the moment, such as "no book". Nil if topics can be
  /// had.
  var outage: String? { get }

  /// The reason, in a few words, for which new clients should not be sent here; nil if there is none.
  var unreadiness: String? { get }

  /// Returns true if a request for a topic that no client has may be made at an upstream feed. Only that feed knows
  /// which topics exist, and it limits the number of requests.
  func opensUpstream(_ topic: Topic) -> Bool

  /// Begins to deliver. The source calls `onNews` after it appended messages to logs or ended one, on any thread.
  func start(onNews: @escaping @Sendable () -> Void)

  /// Stops delivering.
  func stop()

  /// Completes with the canonical form of a topic, which equal topics share; with `TopicError.unknown` if the topic
  /// does not exist.
  func resolve(_ topic: Topic, completion: @escaping @Sendable (Result<Topic, TopicError>) -> Void)

  /// Opens a canonical topic. From the completion on, its messages are appended to `log`.
  func open(_ topic: Topic, log: TopicLog, completion: @escaping @Sendable (Result<TopicWork, TopicError>) -> Void)

  func close(_ topic: Topic)

  /// Builds the current dump of a canonical topic, open or not. Completes with `known` if it is still current. Dumps
  /// for lists are built one at a time. Others do not wait for them.
  func dump(
    of topic: Topic, known: TopicDump?, isForList: Bool,
    completion: @escaping @Sendable (Result<TopicDump, TopicError>) -> Void)
}

extension TopicSource {
  package var outage: String? { nil }
  package var unreadiness: String? { outage }
  package func opensUpstream(_ topic: Topic) -> Bool { false }
}

/// A dump of a topic.
package struct TopicDump: Sendable {
  /// The INITIAL_DUMP, shared by all its recipients.
  package let payload: ByteBuffer
  /// The number of the last message of the topic that the dump includes.
  package let last: UInt64
  /// A number that the source gives to the moment of the dump. Dumps of one topic with equal numbers are equal.
  package let moment: UInt64
  package let work: TopicWork

  package init(payload: ByteBuffer, last: UInt64, moment: UInt64, work: TopicWork = TopicWork()) {
    self.payload = payload
    self.last = last
    self.moment = moment
    self.work = work
  }
}

/// The processor time that a request took, charged to the address of the client.
package struct TopicWork: Hashable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64 = 0) { self.nanoseconds = nanoseconds }

  /// The charge for the opening of a topic upstream if the topic is refused, or if it was opened for a list or a dump
  /// alone. With the usual limits, one address can cause 20 of them at once and then 2.5 a second: a small part of
  /// what `RelayLimits` allows to all.
  static let upstreamOpening = TopicWork(nanoseconds: 100_000_000)

  /// The charge for a request for a topic that the feed does not have and that is not requested upstream. A gateway
  /// asks the book, which all gateways share. With the usual limits, one address can make 10,000 such requests at once
  /// and then 1,250 a second.
  static let refusedOpening = TopicWork(nanoseconds: 200_000)

  /// The processor time of this thread so far.
  static var ofThread: TopicWork {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return TopicWork(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// The work of this thread since an earlier `ofThread`.
  init(since start: TopicWork) { nanoseconds = Self.ofThread.nanoseconds - start.nanoseconds }
}

/// The reason for which a topic cannot be served.
package enum TopicError: Error, Hashable, Sendable {
  /// The topic does not exist.
  case unknown
  /// The upstream feed, or the server that passes it on, refuses the topic. The associated value is the reason.
  case refused(String)
  /// The upstream feed cannot send the topic at the moment. The associated value is its reason.
  case failed(String)
  /// The dump of the topic is too large for a client. The associated value is the limit, in bytes.
  case tooLarge(Int)
  /// Too many topics are open. The associated value is the limit.
  case tooMany(Int)
  /// Too many dumps are being built.
  case busy
  /// The client's address has spent its processor time. The associated value is the time to wait, in seconds.
  case spent(Int)
  /// The book, or the upstream feed, is not reachable.
  case lost

  /// True if another request for the topic would be refused too.
  var isPermanent: Bool {
    switch self {
    case .unknown, .refused, .tooLarge: true
    case .failed, .tooMany, .busy, .spent, .lost: false
    }
  }

  /// True if the error concerns the address that made the request, and not the topic.
  var isOfAddress: Bool { if case .spent = self { true } else { false } }

  /// The problem, for a client that requested `topic`.
  func problem(_ topic: Topic) -> String {
    switch self {
    case .unknown: topic.unknownText
    case .refused(let reason): "topic '\(topic.path.excerpt)' is refused (\(reason))"
    case .failed(let reason): "topic '\(topic.path.excerpt)' cannot be had upstream at the moment (\(reason))"
    case .tooLarge(let limit): "the dump of topic '\(topic.path.excerpt)' exceeds '\(limit)' bytes"
    case .tooMany(let most): "the limit of '\(most)' open topics is reached"
    case .busy: "too many dumps are being made"
    case .spent: "this address has spent its processor time"
    case .lost: "the feed is not reachable"
    }
  }

  var remedy: String {
    switch self {
    case .unknown: "use a topic of the feed"
    case .refused: "use another topic"
    case .tooLarge: "use a topic with fewer matches"
    case .tooMany: "request one that is already open"
    case .failed, .busy, .lost: "try again in a moment"
    case .spent(let seconds): "try again in '\(seconds)' seconds"
    }
  }
}
