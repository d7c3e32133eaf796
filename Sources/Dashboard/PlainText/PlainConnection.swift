import Localization
import OddsModel

/// The state of the feed's connection, as far as it is worth a sentence.
enum PlainConnection: Equatable {
  case well
  /// The provider says that its prices are late.
  case late(Freshness.Cause)
  /// The connection is lost; `until` is the next attempt, in milliseconds since 1970.
  case lost(FeedError, until: Int64)
  /// The connection is up but gives no sign of life.
  case silent
  case maintenance
  case unanswered
  /// The feed's answer for the topic is unusable; `until` is the next request, in milliseconds since 1970.
  case retrying(FeedError, until: Int64)
  case refused(FeedError)
  case failed(FeedError)
  case ended

  /// Returns nil during a transition between two states.
  init?(_ update: ChannelUpdate) {
    switch update.connection {
    case .failed(let problem): self = .failed(problem)
    case .waiting(let retry): self = .lost(retry.reason, until: retry.time)
    case .ended: self = .ended
    case .idle, .connecting, .handshaking, .recovering: return nil
    case .live:
      switch update.topic {
      case .maintenance: self = .maintenance
      case .late: self = .unanswered
      case .retrying(let problem, let time): self = .retrying(problem, until: time)
      case .refused(let problem): self = .refused(problem)
      case .requested, .live, .overdue:
        if !update.isLoaded { return nil }
        if update.freshness.grade.isTrusted {
          self = update.freshness.cause.map { .late($0) } ?? .well
        } else if update.source == .stream, update.freshness.grade == .locked {
          self = .silent
        } else {
          return nil
        }
      }
    }
  }

  func isSame(as other: PlainConnection?) -> Bool {
    switch (self, other) {
    case (.lost(let why, _), .lost(let other, _)), (.retrying(let why, _), .retrying(let other, _)): return why == other
    default: return self == other
    }
  }

  /// The reason why no more updates follow; nil unless the feed failed.
  var failure: FeedError? {
    switch self {
    case .failed(let problem), .refused(let problem): problem
    case .well, .late, .lost, .silent, .maintenance, .unanswered, .retrying, .ended: nil
    }
  }

  func text(_ words: Catalog, now: FrameTime) -> String {
    switch self {
    case .well: words(.plainBack)
    case .late(let cause): words(.plainLate, words(cause.name))
    case .lost(let why, let until): words(.plainLost, now.seconds(until: until) ?? 0, why.sentence)
    case .silent: words(.plainSilent)
    case .maintenance: words(.plainMaintenance)
    case .unanswered: words(.plainUnanswered)
    case .retrying(let why, let until): words(.plainRetrying, now.seconds(until: until) ?? 0, why.sentence)
    case .refused(let why), .failed(let why): words(.plainFailed, why.sentence)
    case .ended: words(.plainEnd)
    }
  }
}

/// A limit on the number of lines in any second.
struct RateLimiter: Hashable, Sendable {
  private let limit: Int
  /// The uptimes of the last lines, oldest first, at most `limit`.
  private var times: [Duration] = []

  init(perSecond: Int) { limit = perSecond }

  /// The uptime from which a line may be written.
  var next: Duration { times.count < limit ? .zero : times[0] + .seconds(1) }

  /// Records a line.
  mutating func spend(now: Duration) {
    if times.count == limit { times.removeFirst() }
    times.append(now)
  }
}
