import CoreMetrics
public import OddsModel
import Platform

/// The state of one channel of the feed.
///
/// A batch of messages is applied without suspension, so readers never see half a message.
public actor ChannelStore {
  /// The topic of the channel.
  public nonisolated let topic: Topic

  var state: ChannelState
  private(set) var line: ConnectionUpdate
  /// The latest update of the connection, which `lineChanged` may not have received yet.
  private nonisolated let latestLine = Locked<ConnectionUpdate?>(nil)
  private(set) var life: FreshnessStateMachine
  // Readers: ChannelStore+Readers.swift.
  var readers: [WeakReference<ChannelReader>] = []

  /// The freshness of each match known to readers, by raw id; maintained only while there are readers.
  var own: [UInt64: Freshness] = [:]

  /// The changes of the current batch; reused to avoid allocation.
  private var changes = FeedChanges()

  /// The time at which the newest data arrived, in milliseconds since 1970.
  private(set) var lastNews: Int64

  /// The state of the feed's answer to the subscription.
  private(set) var answer = TopicState.requested
  private(set) var source = DataSource.none
  /// The reason why the last request to the REST interface failed; nil if it succeeded or there was none.
  private(set) var apiProblem: FeedError?

  /// True if updates are kept until the dump (StoreRules.md, rule 1); false if they are applied as they arrive.
  private let keepsUpdates: Bool

  /// True until the dump that follows reconnecting, or subscribing with `keepsUpdates`, is applied. Messages before it
  /// are no evidence that the channel is current.
  private(set) var isAwaitingDump = false

  /// True once a missing thing is known not to exist: a dump of the stream is applied, or the feed has ended.
  private(set) var isKnown = false

  /// The number of values that replaced one not yet taken by a reader or observer.
  var conflated = 0

  private var metrics: FeedMetrics?

  // Observers of single things: ChannelStore+Observation.swift.
  var matchObservers = Observers<MatchID, Match>()
  var marketObservers = Observers<MarketID, Market>()
  var outcomeObservers = Observers<OutcomeID, Outcome>()
  var freshnessObservers = Observers<Topic, Freshness>()
  var lastKey: UInt64 = 0
  /// The keys of observers that were deallocated.
  let dropped = Mailbox<ObserverKey, Never>()

  /// Callers that wait for an audit's dump: ChannelStore+Audit.swift.
  var audits: [AsyncLatestValue<AuditReport>.Feed] = []

  /// The closures that receive the messages: ChannelStore+Following.swift.
  var followers: [FollowerEntry] = []
  /// The number of the newest follower.
  var lastFollower: UInt64 = 0

  /// Creates an empty store. If `keepsUpdates` is true, the channel awaits its first dump.
  init(
    topic: Topic, options: StoreOptions = StoreOptions(), metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    keepsUpdates: Bool = false, line: ConnectionUpdate = ConnectionUpdate()
  ) {
    self.topic = topic
    self.keepsUpdates = keepsUpdates
    self.metrics = FeedMetrics(topic: topic, factory: metrics)
    self.line = line
    state = ChannelState(options: options)
    life = .unheard(since: line.time, line: .down)
    life.apply(.line(line.pulse), at: line.time)
    lastNews = line.time
    if keepsUpdates {
      isAwaitingDump = true
      state.awaitDump()
    }
  }

  deinit { dropped.finish() }

  /// Returns all matches in their current state, in the board's order.
  public func snapshot() -> [Match] {
    Array(state.matchIDs).compactMap { state.match($0) }.sorted(by: Match.boardOrder)
  }

  /// The counts of everything that the channel has received since it was created.
  public var received: FeedCounters { state.counters }

  /// The freshness of the channel's prices.
  public var freshness: Freshness {
    guard case .impaired(let cause) = state.source else { return life.freshness }
    return life.freshness.worse(Freshness(cause.grade, since: state.sourceSince, cause: cause))
  }

  /// The health of the channel. Computing it costs more than applying a change: ask once a second, not once per
  /// message.
  public var health: ChannelHealth {
    ChannelHealth(
      topic: topic, received: state.counters, conflated: conflated, memory: state.memory,
      lagMedian: state.lag(percentile: 50), lagP99: state.lag(percentile: 99), freshness: freshness,
      readers: readerCount, observers: observerCount)
  }

  // MARK: Input from the provider

  /// Applies messages received at `now`, in milliseconds since 1970. Data of another source substitutes for the stream
  /// until the stream's own dump is applied. Returns true if messages are missing that only a further dump can replace.
  @discardableResult
  package func apply(_ batch: FeedBatch, at now: Int64, from source: DataSource = .stream) -> Bool {
    if source != .stream {
      show(batch, at: now, from: source)
      return false
    }
    lastNews = now
    state.count(batch)
    if followers.contains(where: \.receivesEachMessage) {
      var all = FeedChanges()
      for index in batch.messages.indices {
        apply(batch, messages: index..<index + 1, at: now)
        notifyFollowers(of: changes.matches, at: state.time) { $0.receivesEachMessage }
        all.merge(&changes)
      }
      swap(&changes, &all)
      if batch.messages.count > 1 { changes.nameOnce() }
      notifyFollowers(of: changes.matches, at: state.time) { !$0.receivesEachMessage }
      notify(at: state.time)
    } else {
      apply(batch, messages: batch.messages.indices, at: now)
      publish(at: state.time)
    }
    return needsDump
  }

  /// Applies messages. Notifies readers and observers only of a change of the connection that comes before them.
  private func apply(_ batch: FeedBatch, messages: Range<Int>, at now: Int64) {
    // NB: A follower can block this store. An update of the connection that was announced meanwhile is applied first.
    let known = line.number
    if let news = latestLine.withLock({ $0.flatMap { $0.number > known ? $0 : nil } }) { lineChanged(news) }
    let (audited, diverged) = (state.counters.audits, state.counters.divergences)
    state.apply(batch, messages: messages, at: now, into: &changes)
    if batch.messages[messages].contains(where: { $0.kind == .dump }) {
      // NB: Until the next dump the channel is as unknown as after a loss of the connection.
      if state.lacksMessages, !isAwaitingDump { life.apply(.unserved, at: now) }
      isAwaitingDump = state.lacksMessages
    }
    if !isAwaitingDump { self.source = .stream }
    if !isAwaitingDump, !messages.isEmpty { life.apply(.heard, at: now) }
    if state.counters.audits != audited { reportAudits(differing: state.counters.divergences - diverged) }
    if !audits.isEmpty, !state.isAuditing { abandonAudits() }
  }

  /// Applies interim data. The cache replaces no other data. The REST interface does not replace a stream that is up.
  private func show(_ batch: FeedBatch, at now: Int64, from source: DataSource) {
    if life.isReleased || life.isHeard || !source.isAPI && self.source != .none { return }
    lastNews = now
    self.source = source
    if source.isAPI { life.apply(.polled, at: now) }
    state.applyInterim(batch, at: now, isReceived: source.isAPI, into: &changes)
    publish(at: now)
  }

  /// Marks the data of the REST interface as too old to be trusted.
  func apiLost(at now: Int64) {
    let old = life
    life.apply(.apiLost, at: now)
    if life != old { publish(at: now) }
  }

  /// The liveness of the connection that the topic's prices come from. The provider can have others.
  private var pulse: HeartbeatMonitor.Grade {
    if case .overdue = answer, line.pulse == .sound { .late } else { line.pulse }
  }

  /// Applies a change of the feed's answer for the topic. Prices of a topic that is no longer served are unknown.
  func topicChanged(_ answer: TopicState, at now: Int64) {
    guard answer != self.answer else { return }
    self.answer = answer
    if !answer.isServed, !isAwaitingDump {
      life.apply(.unserved, at: now)
      missDump()
    }
    life.apply(.line(pulse), at: now)
    publish(at: now)
  }

  /// Awaits a dump, which will contain the updates missed from now on.
  private func missDump() {
    isAwaitingDump = true
    if keepsUpdates { state.awaitDump() } else { state.forgetAudit() }
    abandonAudits()
  }

  /// Applies the result of a request to the REST interface; nil for success.
  func apiAnswered(_ problem: FeedError?, at now: Int64) {
    guard problem != apiProblem else { return }
    apiProblem = problem
    publish(at: now)
  }

  /// Stores an update, to be applied before the next message. Does not wait for the store. `lineChanged` must follow.
  nonisolated func announce(_ news: ConnectionUpdate) { latestLine.withLock { $0 = news } }

  /// Applies a change of the connection's state or heartbeat. Ignores an update that is not newer than the current one.
  func lineChanged(_ news: ConnectionUpdate) {
    guard news.number > line.number else { return }
    let old = (line, life)
    line = news
    life.apply(.line(pulse), at: news.time)
    switch news.pulse {
    case .down where old.0.pulse != .down: missDump()
    case .over:
      isAwaitingDump = false
      state.finish(into: &changes)
      abandonAudits()
    default: break
    }
    let isNews = (old.0.connection, old.0.lastSign, old.1) != (line.connection, line.lastSign, life)
    if isNews || !changes.matches.isEmpty { publish(at: news.time) }
    if news.isLast { for reader in readers { reader.value?.onEnd() } }
  }

  /// Ends all sequences of this store when the channel is released.
  func close(at now: Int64) {
    life.apply(.released, at: now)
    abandonAudits()
    post(EmptyCollection())
    finishObservers()
    metrics?.destroy()
    metrics = nil
  }

  /// Notifies followers, readers and observers of the collected changes, then clears them. `now` is in milliseconds
  /// since 1970.
  private func publish(at now: Int64) {
    notifyFollowers(of: changes.matches, at: now) { _ in true }
    notify(at: now)
  }

  /// Notifies readers and observers of the collected changes, then clears them. `now` is in milliseconds since 1970.
  private func notify(at now: Int64) {
    post(changes.matches)
    notifyObservers(of: changes)
    notifyFreshness()
    if !isKnown, state.hasDump && source == .stream || life.isOver {
      isKnown = true
      decideObservers()
    }
    changes.removeAll()
    metrics?.update(state.counters, conflated: conflated, grade: freshness.grade, at: lastNews) { health }
  }
}
