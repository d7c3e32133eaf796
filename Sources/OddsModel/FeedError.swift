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
