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
