/// The state of one topic while the connection is up.
public enum TopicState: Hashable, Sendable {
  /// Subscribed; the dump has not arrived yet.
  case requested
  /// The dump has arrived and updates follow.
  case live
  /// As `live`, but a sign of life of the topic's own connection is overdue, so that prices are delayed. The last one
  /// was at `lastSign`, in milliseconds since 1970. Other topics of the provider can be live.
  case overdue(lastSign: Int64)
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

extension TopicState {
  /// True if the dump has arrived and updates follow, in time or not.
  package var isServed: Bool {
    switch self {
    case .live, .overdue: true
    case .requested, .maintenance, .late, .retrying, .refused: false
    }
  }

  /// The time of the last sign of life of the topic's own connection if the next one is overdue; nil otherwise.
  package var lastSign: Int64? { if case .overdue(let lastSign) = self { lastSign } else { nil } }
}
