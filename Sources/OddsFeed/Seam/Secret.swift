package import Localization

/// A text that is shown to nobody but the one it is meant for: a token, a password.
public struct Secret: Hashable, Sendable {
  package let text: String

  /// Takes a token over. What cannot stand in a header of HTTP is refused; the problem does not show the token, but says
  /// that it is the one from `source`.
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

  package init(_ text: String) { self.text = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "•••" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
