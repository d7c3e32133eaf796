package import Localization

/// An error of a feed: a code for programs, and a problem and a remedy as texts for the user.
public struct FeedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, with the value that it concerns.
  package let localizedMessage: LocalizedMessage
  package let localizedRemedy: LocalizedMessage
  /// True if the feed would answer another request in the same way.
  package private(set) var isPermanent = false

  /// The code of the problem, for programs, such as "feedUnreadable". It is "verbatim" for an error that was created
  /// with `init(_:remedy:)`.
  public var code: String { localizedMessage.code }
  /// The problem in English, with the value that it concerns: "the feed 'wss://…' refuses the token".
  public var message: String { localizedMessage.description }
  /// The remedy in English, a clause that follows the problem.
  public var remedy: String { localizedRemedy.description }

  /// Creates an error from the texts of a problem and a remedy, each a clause. They are not translated.
  public init(_ message: String, remedy: String) { self.init(.verbatim(message), remedy: .verbatim(remedy)) }

  package init(_ message: LocalizedMessage, remedy: LocalizedMessage) {
    localizedMessage = message
    localizedRemedy = remedy
  }

  /// Creates an error from a problem with arguments and a remedy without any.
  package init(_ message: MessageKey, _ values: any MessageArgument..., remedy: MessageKey) {
    self.init(LocalizedMessage(message, values: values), remedy: LocalizedMessage(remedy))
  }

  /// Returns the same error, marked as one with which the feed would answer another request too.
  package func permanent() -> FeedError {
    var error = self
    error.isPermanent = true
    return error
  }

  /// The problem and the remedy in one sentence: "message: remedy".
  package var sentence: LocalizedMessage { LocalizedMessage(.problemAndRemedy, localizedMessage, localizedRemedy) }

  /// The problem and the remedy in one English sentence: "message: remedy".
  public var description: String { sentence.description }
}

extension FeedError: LocalizedMessageError {}
