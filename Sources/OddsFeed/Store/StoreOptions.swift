/// The bounds of a channel's store.
public struct StoreOptions: Hashable, Sendable {
  /// The largest number of pending records. Above it, the oldest is dropped.
  public var pendingLimit = 10_000
  /// The longest time that a record stays pending.
  public var pendingTimeout = Duration.seconds(30)
  /// The largest number of updates kept until a dump arrives, counted in records. Above it, all of them are dropped and
  /// counted as expired, and the channel stays locked until a dump arrives that is not older than they. An audit is
  /// abandoned instead.
  public var bufferLimit = 100_000

  /// Creates the default bounds.
  public init() {}
}
