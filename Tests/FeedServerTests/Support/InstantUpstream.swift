import EveryMatrix
import FeedServer
import OddsFeed
import OddsModel
import Platform
import TestSupport

/// A connection to an upstream feed in memory. The feed answers each request for a topic with a dump at once, and then
/// sends nothing.
final class InstantUpstream: FeedTransport {
  private let events = AsyncStream.makeStream(of: TransportEvent.self)
  private let subscriptions = Locked<[Subscription]>([])

  /// The topics in the order of their requests.
  var requests: [Topic] { subscriptions.withLock { $0.map(\.topic) } }

  func makeDecoder() -> any FeedDecoder { MessageDecoder() }

  func connect() async -> AsyncStream<TransportEvent> {
    events.continuation.yield(.state(.live))
    return events.stream
  }

  func disconnect() async { events.continuation.finish() }

  func subscribe(_ subscription: Subscription) async {
    subscriptions.withLock { $0.append(subscription) }
    let dump = Array(FeedText.dump(FeedText.football()).utf8)
    events.continuation.yield(.frame(TransportFrame(subscription: subscription, bytes: dump)))
  }

  func unsubscribe(_ subscription: Subscription) async {}
}

extension RelayLimits {
  /// Limits for a clock that stands still or jumps.
  static var withoutTimeouts: RelayLimits {
    var limits = RelayLimits()
    limits.silence = .seconds(1 << 30)
    limits.maxDataAge = .seconds(1 << 30)
    limits.auditInterval = .seconds(1 << 30)
    return limits
  }
}
