/// The name of a part of a feed that can be subscribed to, as the feed's provider writes it.
public struct Topic: Hashable, Sendable, CustomStringConvertible {
  /// The name, such as a path on the provider's server.
  public let path: String

  /// Creates a topic from its name.
  public init(path: String) { self.path = path }

  public var description: String { path }
}
