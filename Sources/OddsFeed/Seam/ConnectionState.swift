package import Localization

/// What went wrong with a feed, in words for its user.
public struct FeedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, with the value that it is about.
  package let whatSentence: LocalizedMessage
  /// What to do about it.
  package let remedySentence: LocalizedMessage

  /// What went wrong, in English, with the value that it is about: "the feed 'wss://…' refuses the token".
  public var what: String { whatSentence.description }
  /// What to do about it, in English: "give another one with --token-file".
  public var remedy: String { remedySentence.description }

  /// A problem and its remedy, each a part of a sentence, that are said so in every language.
  public init(_ what: String, remedy: String) {
    self.init(.verbatim(what), remedy: .verbatim(remedy))
  }

  /// A problem and its remedy, each a part of a sentence.
  package init(_ what: LocalizedMessage, remedy: LocalizedMessage) {
    whatSentence = what
    remedySentence = remedy
  }

  /// A problem and its remedy, of which the remedy is the same whatever the value.
  package init(_ what: MessageKey, _ values: any MessageArgument..., remedy: MessageKey) {
    self.init(LocalizedMessage(what, values: values), remedy: LocalizedMessage(remedy))
  }

  /// Both: "what: remedy".
  package var sentence: LocalizedMessage { LocalizedMessage(.problemAndRemedy, whatSentence, remedySentence) }

  /// Both, in English: "what: remedy".
  public var description: String { sentence.description }
}

extension FeedError: LocalizedMessageError {}

/// How the line to the feed is.
public enum ConnectionState: Hashable, Sendable {
  /// Not asked to connect yet, or disconnected by us.
  case idle
  /// On the way to a connection, the first time or, after others failed, the nth.
  case connecting(attempt: Int)
  /// Connected; the session is being agreed on.
  case handshaking
  /// Messages can arrive.
  case live
  /// Connected again after a loss; the topics that were subscribed to are being asked for anew.
  case recovering
  /// No connection; the next attempt comes by itself.
  case waiting(Retry)
  /// The feed has come to its end and nothing will follow: a file or pipe that was read whole.
  case ended
  /// The connection is lost for good.
  case failed(FeedError)

  /// True where messages can arrive.
  public var isUp: Bool { self == .live || self == .recovering }
}

/// The next attempt to connect.
public struct Retry: Hashable, Sendable {
  /// Which attempt it will be, from 2 on: since the line was lost, or since the start.
  public var attempt: Int
  /// When, in milliseconds since 1970.
  public var at: Int64
  /// What ended the one before.
  public var why: FeedError

  /// An attempt to come.
  public init(attempt: Int, at: Int64, why: FeedError) {
    self.attempt = attempt
    self.at = at
    self.why = why
  }
}

/// How one topic does on a line that is up.
public enum TopicState: Hashable, Sendable {
  /// Asked for; its dump has not come yet.
  case requested
  /// Its dump is in and its updates come.
  case live
  /// The feed is being worked on (`wamp.no.backend`, Transport.md); it is asked again at that time, in milliseconds since 1970.
  case maintenance(retryAt: Int64)
  /// The feed did not answer in time and is asked again.
  case late
  /// The feed answered with an error, or with something that is no dump; it is asked again at that time, in milliseconds
  /// since 1970.
  case retrying(FeedError, at: Int64)
  /// The feed will not send it, and is not asked again.
  case refused(FeedError)
}

/// Where the data that a channel shows comes from.
public enum DataSource: Hashable, Sendable {
  /// There is none yet.
  case none
  /// From the disk, as it was at a time in milliseconds since 1970.
  case cache(savedAt: Int64)
  /// From the feed's REST interface, asked once: the stream may be in any moment.
  case api
  /// From the feed's REST interface, asked again and again because there is no stream.
  case polling
  /// From the stream.
  case stream

  /// Whether the REST interface told it.
  package var isAPI: Bool { self == .api || self == .polling }
}
