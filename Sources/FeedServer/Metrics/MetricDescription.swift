/// The name, the type and the help text of a metric.
///
/// The page Metrics of the documentation has the same list.
package struct MetricDescription: Hashable, Sendable {
  package let name: String
  package let type: MetricType
  package let help: String

  private static func counter(_ name: String, _ help: String) -> Self {
    Self(name: "toteboard_\(name)_total", type: .counter, help: help)
  }

  private static func gauge(_ name: String, _ help: String) -> Self {
    Self(name: "toteboard_\(name)", type: .gauge, help: help)
  }

  /// All metrics: those of a server, its accounts and its upstream feed, of a gateway, of a book, of the connection to
  /// NATS, and of the channels of a program that uses OddsFeed.
  package static let all = server + accounts + upstream + gateway + book + nats + feed

  private static let server = [
    gauge("sessions", "Open WAMP sessions"),
    gauge("topics", "Topics with subscribers; at a book, topics that gateways have open"),
    counter("sessions", "WAMP sessions since the start"),
    counter("frames_sent", "WebSocket frames with messages"),
    counter("bytes_sent", "Bytes of WebSocket frames with messages, without TLS"),
    counter("conflated", "Frames that replace several updates, sent to slow clients"),
    counter("dumps", "Dumps requested by clients; at a book, dumps made for gateways"),
    counter("catch_up_dumps", "Dumps sent to clients that fell too far behind"),
    counter("frames_received", "WebSocket frames received"),
    counter("ticks", "Ticks of the feed; 0 at a gateway, because the book has the feed"),
    counter("refused", "Clients refused or disconnected, by `reason`"),
  ]

  private static let accounts = [
    gauge("account_sessions", "Open sessions of users; at a gateway, those of the cluster"),
    gauge("account_streams", "Open account streams"),
    counter("account_streams", "Account streams since the start"),
    counter("account_streams_behind", "Account streams that were ended because they were too slow"),
    counter("logins", "Successful logins"),
    gauge("logins_waiting", "Password checks that run or are queued"),
    counter("logins_delayed", "Logins that were delayed because of the user's failed ones"),
    counter("logins_refused", "Refused logins, by `reason`"),
  ]

  private static let upstream = [
    gauge("upstream_available", "1 while the upstream feed can be used"),
    gauge("upstream_topics", "Topics requested from the upstream feed"),
    counter("upstream_losses", "Times that the upstream feed was lost"),
    counter("upstream_divergences", "Fresh dumps that differed from the state of their topic; clients got them"),
  ]

  private static let gateway = [
    gauge("book_heard", "1 while the heartbeats of a book arrive in time and its data is not too old"),
    gauge("book_epoch", "The epoch of the book, which grows with each takeover"),
    gauge(
      "book_lag_milliseconds", "The transit time of the last heartbeat: the clock of the gateway minus that of the book"
    ),
    gauge("book_silence_milliseconds", "The time since the last heartbeat; the book sends four a second"),
    gauge(
      "nats_echo_milliseconds",
      "The time that a message of the gateway to itself takes through NATS; one is sent each second. If it is 4,000 or more, the gateway counts the book as lost"
    ),
    gauge("stale_topics", "Open topics that wait for a dump of the book"),
    counter("gaps", "Times that messages of a topic were missing"),
    counter("redumps", "Dumps of open topics fetched after a gap or a takeover"),
  ]

  private static let book = [
    gauge("book_active", "1 while this process is the book, 0 while it is a standby"),
    gauge("lease_keys", "The keys of the lease, of three, that this process has. The book needs two"),
    gauge(
      "nats_replicas",
      "The NATS servers with a complete copy of a bucket: the lowest number of all lease and account buckets; only while `toteboard_lease_keys` is 3"
    ),
    gauge("gateways", "Gateways that have topics open"),
    gauge("kept_dump_bytes", "Bytes of dumps kept for gateways"),
    counter("published", "NATS messages published"),
    counter("unpublished", "NATS messages that could not be published"),
    counter("dump_parts", "Parts of dumps sent to gateways"),
  ]

  private static let nats = [
    gauge("nats_connected", "1 while there is a connection to NATS"),
    counter("nats_reconnects", "Connections to NATS after the first one"),
    counter("nats_slow_consumer", "Times that NATS began to drop messages, because this process was too slow"),
    counter("nats_received_bytes", "Bytes of NATS messages received"),
    counter("nats_sent_bytes", "Bytes of NATS messages sent"),
  ]

  /// Recorded by the channels of OddsFeed.
  private static let feed = [
    counter("feed_messages", "Messages received"),
    counter("feed_dumps", "Dumps applied"),
    counter(
      "feed_records", "Records received, by `type`; a pending update or deletion counts again when it is applied"),
    counter("feed_applied", "Records applied"),
    counter("feed_ignored", "Records of unused types, or with an unknown kind of change"),
    counter("feed_odds_updates", "Updates of offers that had odds"),
    counter("feed_conflated", "Changes that a newer one replaced before a reader took them"),
    counter("feed_held", "Records that waited for their parent or for the record that they change"),
    counter("feed_expired", "Records dropped while they waited"),
    counter("feed_set_aside", "Records rejected because a value is missing or not valid"),
    counter("feed_recreated", "Creations of records that existed, outside dumps"),
    counter("feed_unparsable", "Texts that could not be read"),
    counter("feed_odds_above_limit", "Records rejected because their odds are above 10,000,000"),
    counter("feed_unreadable_statuses", "Unreadable values of fields that decide whether a price is bettable"),
    counter("feed_times_out_of_range", "Times before 1970 or after the year 9999"),
    counter("feed_nested_too_deep", "Texts that were nested too deep to be read"),
    counter("feed_unknown_messages", "Messages of an unknown kind"),
    counter(
      "feed_malformed_messages",
      "Messages that could not be read, in whole or in part, and dumps without a list of records"),
    counter("feed_byte_order_marks", "Texts that began with a byte order mark"),
    counter(
      "feed_merged",
      "Changes into which Betfair had merged others, because the program reads too slowly or has asked for that"),
    counter("feed_audits", "Audits, which compare the channel with a new dump"),
    counter("feed_divergences", "Matches that an audit found to differ, and corrected"),
    gauge("feed_waiting", "Records that wait for another one"),
    gauge("feed_memory_bytes", "Memory of the channel's tables"),
    gauge("feed_lag_p50_milliseconds", "Median delay of updates, by the clocks of both machines"),
    gauge("feed_lag_p99_milliseconds", "Delay that 99 % of updates do not exceed, by the clocks of both machines"),
    gauge("feed_staleness", "0 if prices are live, 1 delayed, 2 locked, 3 suspended, 4 closed"),
  ]
}
