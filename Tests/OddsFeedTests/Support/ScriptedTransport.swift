import EveryMatrix
import OddsFeed
import OddsModel
import Platform

/// A transport controlled by a test: it records subscriptions and delivers the events that the test sends.
final class ScriptedTransport: FeedTransport {
  let heartbeat: Duration?
  let updatesMayPrecedeDump: Bool
  let silenceLimits: SilenceLimits?
  let auditInterval: Duration?
  private let decoder: any FeedDecoder
  private let events = AsyncStream.makeStream(of: TransportEvent.self)
  private let ended = AsyncStream.makeStream(of: Never.self)
  private let log = Locked<[String]>([])
  private let subscriptions = Locked<[Subscription]>([])

  init(
    heartbeat: Duration? = nil, updatesMayPrecedeDump: Bool = true, silenceLimits: SilenceLimits? = nil,
    decoder: any FeedDecoder = MessageDecoder(), auditInterval: Duration? = nil
  ) {
    self.auditInterval = auditInterval
    self.decoder = decoder
    self.heartbeat = heartbeat
    self.silenceLimits = silenceLimits ?? heartbeat.map { SilenceLimits(heartbeat: $0) }
    self.updatesMayPrecedeDump = updatesMayPrecedeDump
    events.continuation.onTermination = { [ended] _ in ended.continuation.finish() }
  }

  var requests: [String] { log.withLock { $0 } }
  var lastSubscription: Subscription? { subscriptions.withLock { $0.last } }

  func makeDecoder() -> any FeedDecoder { decoder }
  func connect() async -> AsyncStream<TransportEvent> { events.stream }
  func disconnect() async { events.continuation.finish() }

  func subscribe(_ subscription: Subscription) async {
    log.withLock { $0.append("subscribe \(subscription.topic) \(subscription.generation)") }
    subscriptions.withLock { $0.append(subscription) }
  }

  func unsubscribe(_ subscription: Subscription) async {
    log.withLock { $0.append("unsubscribe \(subscription.topic) \(subscription.generation)") }
  }

  /// Returns once the reader of the events is cancelled or has reached their end.
  func waitForReaderEnd() async { for await _ in ended.stream {} }

  /// Sends a message that was delayed by `delay` in transit, and received at an uptime.
  func send(
    _ message: String, to subscription: Subscription, delay: Duration = .zero, receivedAt: Duration? = nil
  ) {
    let frame = TransportFrame(
      subscription: subscription, bytes: Array(message.utf8), delay: delay, receivedAt: receivedAt)
    events.continuation.yield(.frame(frame))
  }

  func sendSignOfLife() { events.continuation.yield(.alive()) }

  func send(_ state: ConnectionState) { events.continuation.yield(.state(state)) }

  func send(_ event: TransportEvent) { events.continuation.yield(event) }
}
