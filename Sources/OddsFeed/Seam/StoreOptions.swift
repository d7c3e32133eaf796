/// The bounds of a channel's store.
public struct StoreOptions: Hashable, Sendable {
  /// How many records may wait for another one; the oldest gives way.
  public var heldLimit = 10_000
  /// How long a record may wait for another one.
  public var heldAge = Duration.seconds(30)
  /// How many records may wait for a dump. Beyond that they are dropped and counted as expired, and the channel stays locked
  /// until a dump that is newer; an audit is given up.
  public var bufferLimit = 100_000

  /// The defaults.
  public init() {}
}
