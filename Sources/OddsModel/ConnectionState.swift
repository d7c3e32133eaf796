package import Localization

/// An error of a feed: a code for programs, and a problem and a remedy as texts for the user.
public struct FeedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, with the value that it concerns.
  package let whatSentence: LocalizedMessage
  package let remedySentence: LocalizedMessage
  /// True if the feed would answer another request in the same way.
  package private(set) var isPermanent = false

  /// The code of the problem, for programs, such as "feedUnreadable". It is "verbatim" for an error that was created
  /// with `init(_:remedy:)`.
  public var code: String { whatSentence.code }
  /// The problem in English, with the value that it concerns: "the feed 'wss://…' refuses the token".
  public var what: String { whatSentence.description }
  /// The remedy in English, a clause that follows the problem.
  public var remedy: String { remedySentence.description }

  /// Creates an error from the texts of a problem and a remedy, each a clause. They are not translated.
  public init(_ what: String, remedy: String) { self.init(.verbatim(what), remedy: .verbatim(remedy)) }

  package init(_ what: LocalizedMessage, remedy: LocalizedMessage) {
    whatSentence = what
    remedySentence = remedy
  }

  /// Creates an error from a problem with arguments and a remedy without any.
  package init(_ what: MessageKey, _ values: any MessageArgument..., remedy: MessageKey) {
    self.init(LocalizedMessage(what, values: values), remedy: LocalizedMessage(remedy))
  }

  /// Returns the same error, marked as one with which the feed would answer another request too.
  package func permanent() -> FeedError {
    var error = self
    error.isPermanent = true
    return error
  }

  /// The problem and the remedy in one sentence: "what: remedy".
  package var sentence: LocalizedMessage { LocalizedMessage(.problemAndRemedy, whatSentence, remedySentence) }

  /// The problem and the remedy in one English sentence: "what: remedy".
  public var description: String { sentence.description }
}

extension FeedError: LocalizedMessageError {}

/// The state of the connection to the feed.
public enum ConnectionState: Hashable, Sendable {
  /// Never connected, or disconnected by the client.
  case idle
  /// Connecting. The attempt is 1 at first and grows by 1 with each failure.
  case connecting(attempt: Int)
  /// Connected; the session is being negotiated.
  case handshaking
  /// Connected; messages can arrive.
  case live
  /// Connected again after a loss; the topics are being subscribed to again.
  case recovering
  /// Disconnected; the next attempt is scheduled.
  case waiting(Retry)
  /// The feed has ended: a file or pipe was read completely.
  case ended
  /// Disconnected for good; no attempt is scheduled.
  case failed(FeedError)

  /// True if messages can arrive.
  public var isUp: Bool { self == .live || self == .recovering }
}

/// A scheduled attempt to connect.
public struct Retry: Hashable, Sendable {
  /// The number of the attempt, from 2 on, counted since the connection was lost or since the start.
  public var attempt: Int
  /// The time of the attempt, in milliseconds since 1970.
  public var time: Int64
  /// The error that ended the previous attempt or connection.
  public var reason: FeedError

  /// Creates a scheduled attempt.
  public init(attempt: Int, time: Int64, reason: FeedError) {
    self.attempt = attempt
    self.time = time
    self.reason = reason
  }
}

/// The state of one topic while the connection is up.
public enum TopicState: Hashable, Sendable {
  /// Subscribed; the dump has not arrived yet.
  case requested
  /// The dump has arrived and updates follow.
  case live
  /// The feed is under maintenance. The topic is requested again at `retryAt`, in
  /// milliseconds since 1970.
  case maintenance(retryAt: Int64)
  /// The feed did not answer in time. The topic is requested again.
  case late
  /// The feed answered with an error, or with something other than a dump. The topic is requested again at `at`, in
  /// milliseconds since 1970.
  case retrying(FeedError, at: Int64)
  /// The feed refuses the topic. It is not requested again.
  case refused(FeedError)
}

/// The source of the data that a channel shows.
public enum DataSource: Hashable, Sendable {
  /// No data yet.
  case none
  /// The cache on disk, saved at `savedAt`, in milliseconds since 1970.
  case cache(savedAt: Int64)
  /// The feed's REST interface, requested once because the stream may start at any moment.
  case api
  /// The feed's REST interface, requested at intervals because there is no stream.
  case polling
  /// The stream.
  case stream

  package var isAPI: Bool { self == .api || self == .polling }
}
