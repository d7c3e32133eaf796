import CoreMetrics
public import OddsFeed
import Platform

/// One channel of the feed in memory, and nothing of another.
///
/// A batch of messages is applied without a suspension between, so no reader ever sees half a message.
public actor ChannelStore {
  /// What the channel holds.
  public nonisolated let topic: Topic

  var state: ChannelState
  private var line: ConnectionUpdate
  private(set) var life: FreshnessStateMachine
  private var readers: [ReaderLink] = []

  /// What each match that readers know says of its own prices, and since when; kept only while there are readers.
  private var own: [MatchID: Freshness] = [:]

  /// What the batch at hand may have changed; kept for its storage.
  private var changes = FeedChanges()

  /// When the newest news arrived, in milliseconds since 1970.
  private(set) var lastNews: Int64

  /// How the feed answers for the topic.
  private var answer = TopicState.requested
  /// Where what the channel holds comes from.
  private(set) var source = DataSource.none
  /// Why the last question to the REST interface had no answer.
  private var apiProblem: FeedError?

  /// True until the dump that follows subscribing or reconnecting is in: what comes before it says nothing.
  private(set) var isAwaitingDump = false

  /// Whether what is not there is known not to be there: a dump is in, or the feed at its end.
  private(set) var isKnown = false

  /// Values that took the place of one that a reader or observer had not taken yet.
  var conflated = 0

  private var metrics: FeedMetrics?

  // Observers of one thing: ChannelStore+Observation.swift.
  var matchObservers = Observers<MatchID, Match>()
  var marketObservers = Observers<MarketID, Market>()
  var outcomeObservers = Observers<OutcomeID, Outcome>()
  var stalenessObservers = Observers<Topic, Freshness>()
  var lastKey: UInt64 = 0
  let dropped = DeinitQueue<ObserverKey>()

  /// Audits that wait for their dump: ChannelStore+Audit.swift.
  var audits: [AsyncLatestValue<AuditReport>.Feed] = []

  /// Sees each message by itself: ChannelStore+Following.swift.
  var follower: Follower?

  private struct ReaderLink {
    weak var reader: ChannelReader?
  }

  /// A channel that nothing has been heard of. Where it awaits a dump, updates wait with it (StoreRules.md, rule 1).
  init(
    topic: Topic, options: StoreOptions = StoreOptions(), metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    awaitsDump: Bool = false, line: ConnectionUpdate = ConnectionUpdate()
  ) {
    self.topic = topic
    self.metrics = FeedMetrics(topic: topic, factory: metrics)
    self.line = line
    state = ChannelState(options: options)
    life = .unheard(since: line.time, isUp: false)
    life.apply(.line(line.pulse), at: line.time)
    lastNews = line.time
    if awaitsDump {
      isAwaitingDump = true
      state.awaitDump()
    }
  }

  /// Every match as it is now, in the board's order.
  public func snapshot() -> [Match] {
    Array(state.matchIDs).compactMap { state.match($0) }.sorted(by: precedes)
  }

  /// What the channel has received since it began.
  public var received: FeedCounters { state.counters }

  /// How far the channel's prices can be trusted.
  public var staleness: Freshness { life.staleness }

  /// How the channel does. Costs more than a change: ask once a second, not once a message.
  public var health: ChannelHealth {
    ChannelHealth(
      topic: topic, received: state.counters, conflated: conflated, memory: state.memory,
      lagMedian: state.lag(percentile: 50), lagP99: state.lag(percentile: 99), staleness: staleness,
      readers: readerCount, observers: observerCount)
  }

  // MARK: What the provider says

  /// Applies messages that arrived at a time in milliseconds since 1970. What is no stream's stands in for it until the
  /// stream's own dump is in, and says nothing of the prices' life. Returns true where messages are missing that only a
  /// further dump can make up for.
  @discardableResult
  func apply(_ batch: FeedBatch, at now: Int64, from source: DataSource = .stream) -> Bool {
    if source != .stream {
      show(batch, at: now, from: source)
      return false
    }
    lastNews = now
    state.count(batch)
    if follower == nil {
      apply(batch, messages: batch.messages.indices, at: now)
    } else {
      for index in batch.messages.indices { apply(batch, messages: index..<index + 1, at: now) }
    }
    return needsDump
  }

  private func apply(_ batch: FeedBatch, messages: Range<Int>, at now: Int64) {
    let (audited, diverged) = (state.counters.audits, state.counters.divergences)
    state.apply(batch, messages: messages, at: now, into: &changes)
    if batch.messages[messages].contains(where: { $0.kind == .dump }) {
      // NB: until the next dump the channel is as unknown as after a loss.
      if state.lacksMessages, !isAwaitingDump { life.apply(.unserved, at: now) }
      isAwaitingDump = state.lacksMessages
    }
    if !isAwaitingDump { self.source = .stream }
    if !isAwaitingDump, !messages.isEmpty { life.apply(.heard, at: now) }
    tell(at: state.time)
    if state.counters.audits != audited { reportAudits(differing: state.counters.divergences - diverged) }
    if !audits.isEmpty, !state.isAuditing { abandonAudits() }
  }

  /// What comes late does not take the place of what is newer: the cache that of nothing, the REST interface that of no
  /// stream.
  private func show(_ batch: FeedBatch, at now: Int64, from source: DataSource) {
    if life.isReleased || life.isHeard || !source.isAPI && self.source != .none { return }
    lastNews = now
    self.source = source
    if source.isAPI { life.apply(.polled, at: now) }
    state.applyInterim(batch, at: now, isReceived: source.isAPI, into: &changes)
    tell(at: now)
  }

  /// What the REST interface last told is too old to be trusted.
  func apiLost(at now: Int64) {
    let old = life
    life.apply(.apiLost, at: now)
    if life != old { tell(at: now) }
  }

  /// How the feed answers for the topic changed. Where it serves it no more, prices may be dead though the line is well.
  func topicChanged(_ answer: TopicState, at now: Int64) {
    guard answer != self.answer else { return }
    self.answer = answer
    if answer != .live, !isAwaitingDump {
      life.apply(.unserved, at: now)
      missDump()
    }
    tell(at: now)
  }

  /// What is missed from now on is in the dump to come.
  private func missDump() {
    isAwaitingDump = true
    state.awaitDump()
    abandonAudits()
  }

  /// The REST interface answered, or did not.
  func apiAnswered(_ problem: FeedError?, at now: Int64) {
    guard problem != apiProblem else { return }
    apiProblem = problem
    tell(at: now)
  }

  /// The line's state, or what its silence says of it, changed.
  func lineChanged(_ news: ConnectionUpdate) {
    guard news.number > line.number else { return }
    let old = (line, life)
    line = news
    life.apply(.line(news.pulse), at: news.time)
    switch news.pulse {
    case .down where old.0.pulse != .down: missDump()
    case .over:
      isAwaitingDump = false
      state.finish(into: &changes)
      abandonAudits()
    default: break
    }
    if (old.0.connection, old.1) != (line.connection, life) || !changes.matches.isEmpty {
      tell(at: news.time)
    }
  }

  /// Ends every sequence that this store feeds: the channel is being released.
  func close(at now: Int64) {
    life.apply(.released, at: now)
    abandonAudits()
    post(EmptyCollection())
    finishObservers()
    metrics?.destroy()
    metrics = nil
  }

  /// Tells readers and observers of what the changes say, once. `now` is in milliseconds since 1970.
  private func tell(at now: Int64) {
    post(changes.matches)
    follower?.visit(&state, event(changes.matches, at: now))
    tellObservers(of: changes)
    tellStaleness()
    if !isKnown, state.hasDump && source == .stream || life.isOver {
      isKnown = true
      decideObservers()
    }
    changes.removeAll()
    metrics?.update(state.counters, conflated: conflated, at: lastNews) { health }
  }

  // MARK: Readers

  /// Begins a reader: everything is news to it.
  func add(_ reader: ChannelReader) {
    readers.append(ReaderLink(reader: reader))
    post(Array(state.matchIDs), to: reader)
  }

  /// How many readers there are now.
  var readerCount: Int { readers.count { $0.reader != nil } }

  private func post(_ touched: some Collection<MatchID>) {
    if readers.isEmpty { return }
    readers.removeAll { $0.reader == nil }
    if readers.isEmpty { own = [:] }
    for link in readers { if let reader = link.reader { post(touched, to: reader) } }
  }

  private func post(_ ids: some Collection<MatchID>, to reader: ChannelReader) {
    conflated += reader.post(ids, status, match: shown)
  }

  var status: ChannelStatus {
    ChannelStatus(
      received: state.counters, connection: line.connection, staleness: life.staleness, lastSign: line.lastSign,
      isLoaded: state.hasDump, topic: answer, source: source, apiProblem: apiProblem)
  }

  private func shown(_ id: MatchID) -> ShownMatch? {
    guard let match = state.match(id) else {
      own[id] = nil
      return nil
    }
    let grade = match.tradingStatus
    if let known = own[id], known.grade == grade { return ShownMatch(match: match, own: known) }
    let new = Freshness(grade, since: lastNews)
    own[id] = new
    return ShownMatch(match: match, own: new)
  }
}
