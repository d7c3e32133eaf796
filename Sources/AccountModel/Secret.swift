package import Localization
public import OddsModel

/// A text that descriptions, logs and mirrors do not show: a token or a password.
public struct Secret: Hashable, Sendable {
  package let text: String

  /// Creates a secret from a token.
  ///
  /// - Parameter source: The origin of the token, which the error names.
  /// - Throws: `FeedError` if the token is empty or not allowed in an HTTP header. The error does not contain the
  ///   token.
  public init(token: String, from source: String) throws(FeedError) {
    try self.init(token: token, from: LocalizedMessage(.tokenFromElsewhere, source))
  }

  package init(token: String, from source: LocalizedMessage) throws(FeedError) {
    if token.isEmpty { throw FeedError(.tokenEmpty, source, remedy: .remedyTokenOrNone) }
    guard token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw FeedError(.tokenUnfit, source, remedy: .remedyTokenAlone)
    }
    text = token
  }

  /// Creates a secret from any text, such as a password.
  package init(_ text: String) { self.text = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "•••" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
