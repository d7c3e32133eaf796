import CoreMetrics
import FeedFanOut
import FeedServer

/// The metrics of a connection to NATS.
struct NATSMetrics: Sendable {
  let reconnects: Counter
  let slowConsumer: Counter
  private let connected: Meter
  private let receivedBytes: CopiedCounter
  private let sentBytes: CopiedCounter

  init(_ registry: PrometheusRegistry) {
    reconnects = Counter(label: "toteboard_nats_reconnects_total", factory: registry)
    slowConsumer = Counter(label: "toteboard_nats_slow_consumer_total", factory: registry)
    connected = Meter(label: "toteboard_nats_connected", factory: registry)
    receivedBytes = CopiedCounter("toteboard_nats_received_bytes_total", factory: registry)
    sentBytes = CopiedCounter("toteboard_nats_sent_bytes_total", factory: registry)
  }

  func update(_ connection: NATSConnection) {
    let statistics = connection.statistics
    connected.set(connection.isConnected ? 1 : 0)
    receivedBytes.update(to: statistics.received)
    sentBytes.update(to: statistics.sent)
  }
}

/// The metrics of a gateway.
struct GatewayMetrics: Sendable {
  private let heard: Meter
  private let epoch: OptionalGauge
  private let lag: OptionalGauge
  private let silence: OptionalGauge
  private let echoDelay: OptionalGauge
  private let staleTopics: Meter
  private let gaps: CopiedCounter
  private let redumps: CopiedCounter

  init(_ registry: PrometheusRegistry) {
    heard = Meter(label: "toteboard_book_heard", factory: registry)
    epoch = OptionalGauge("toteboard_book_epoch", factory: registry)
    lag = OptionalGauge("toteboard_book_lag_milliseconds", factory: registry)
    silence = OptionalGauge("toteboard_book_silence_milliseconds", factory: registry)
    echoDelay = OptionalGauge("toteboard_nats_echo_milliseconds", factory: registry)
    staleTopics = Meter(label: "toteboard_stale_topics", factory: registry)
    gaps = CopiedCounter("toteboard_gaps_total", factory: registry)
    redumps = CopiedCounter("toteboard_redumps_total", factory: registry)
  }

  func update(_ status: GatewayStatus) {
    heard.set(status.book == nil ? 0 : 1)
    epoch.set(status.book?.epoch)
    lag.set(status.lag?.wholeMilliseconds)
    silence.set(status.silence?.wholeMilliseconds)
    echoDelay.set(status.echoDelay?.wholeMilliseconds)
    staleTopics.set(status.staleTopics)
    gaps.update(to: status.counters.gaps)
    redumps.update(to: status.counters.redumps)
  }
}

/// The metrics of a book or a standby.
struct BookMetrics: Sendable {
  private let active: Meter
  private let epoch: OptionalGauge
  private let leaseKeys: Meter
  private let replicas: OptionalGauge
  private let topics: Meter
  private let gateways: Meter
  private let keptDumpBytes: Meter
  private let published: CopiedCounter
  private let unpublished: CopiedCounter
  private let dumps: CopiedCounter
  private let dumpParts: CopiedCounter

  init(_ registry: PrometheusRegistry) {
    active = Meter(label: "toteboard_book_active", factory: registry)
    epoch = OptionalGauge("toteboard_book_epoch", factory: registry)
    leaseKeys = Meter(label: "toteboard_lease_keys", factory: registry)
    replicas = OptionalGauge("toteboard_nats_replicas", factory: registry)
    topics = Meter(label: "toteboard_topics", factory: registry)
    gateways = Meter(label: "toteboard_gateways", factory: registry)
    keptDumpBytes = Meter(label: "toteboard_kept_dump_bytes", factory: registry)
    published = CopiedCounter("toteboard_published_total", factory: registry)
    unpublished = CopiedCounter("toteboard_unpublished_total", factory: registry)
    dumps = CopiedCounter("toteboard_dumps_total", factory: registry)
    dumpParts = CopiedCounter("toteboard_dump_parts_total", factory: registry)
  }

  /// - Parameter epoch: The epoch of the book; nil at a standby.
  func update(_ counters: BookCounters, epoch: UInt64?, _ lease: BookLease?) {
    active.set(epoch == nil ? 0 : 1)
    self.epoch.set(epoch)
    leaseKeys.set(lease?.confirmedKeys ?? 0)
    replicas.set(lease?.replicas)
    topics.set(counters.openTopics)
    gateways.set(counters.gateways)
    keptDumpBytes.set(counters.dumpBytes)
    published.update(to: counters.frames)
    unpublished.update(to: counters.unsent)
    dumps.update(to: counters.dumps)
    dumpParts.update(to: counters.dumpParts)
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int { Int(self / .milliseconds(1)) }
}
