/// The state of one topic while the connection is up.
public enum TopicState: Hashable, Sendable {
  /// Subscribed; the dump has not arrived yet.
  case requested
  /// The dump has arrived and updates follow.
  case live
  /// The feed is under maintenance. The topic is requested again at `retryAt`, in milliseconds since 1970.
  case maintenance(retryAt: Int64)
  /// The feed did not answer in time. The topic is requested again.
  case late
  /// The feed answered with an error, or with something other than a dump. The topic is requested again at `at`, in
  /// milliseconds since 1970.
  case retrying(FeedError, at: Int64)
  /// The feed refuses the topic. It is not requested again.
  case refused(FeedError)
}
