public import OddsFeed

/// One channel of the feed in memory, and nothing of another.
///
/// A batch of messages is applied without a suspension between, so no reader ever sees half a message.
public actor ChannelStore {
  /// What the channel holds.
  public nonisolated let topic: Topic

  private var state = ChannelState()
  private var connection = ConnectionState.idle
  private var readers: [ReaderLink] = []
  private var observers: [UInt64: Observer] = [:]
  private var lastKey: UInt64 = 0

  private struct ReaderLink {
    weak var reader: ChannelReader?
  }

  init(topic: Topic) {
    self.topic = topic
  }

  /// Every match as it is now, in the board's order.
  public func snapshot() -> [Match] {
    Array(state.matchIDs).compactMap { state.match($0) }.sorted(by: precedes)
  }

  /// What the channel has received since it began.
  public var received: FeedCounters { state.counters }

  func apply(_ batch: FeedBatch) {
    let touched = Set(state.apply(batch).matches)
    post(touched)
    for (key, observer) in observers where touched.contains(observer.match) { tell(key, observer) }
  }

  func lineChanged(_ connection: ConnectionState) {
    self.connection = connection
    post([])
  }

  /// Ends every sequence that this store feeds: the channel is being released.
  func close() {
    for observer in observers.values { observer.finish() }
    observers = [:]
  }

  /// Begins a reader: everything is news to it.
  func add(_ reader: ChannelReader) {
    readers.append(ReaderLink(reader: reader))
    post(Array(state.matchIDs), to: reader)
  }

  private func post(_ touched: Set<MatchID>) {
    readers.removeAll { $0.reader == nil }
    if readers.isEmpty { return }
    for link in readers { if let reader = link.reader { post(touched, to: reader) } }
  }

  private func post(_ ids: some Collection<MatchID>, to reader: ChannelReader) {
    reader.post(ids, state.counters, connection, isLoaded: state.hasDump) { state.match($0) }
  }

  // MARK: Observers of one thing

  /// One match, now and after each change; ends when the match goes.
  public func match(_ id: MatchID) -> Latest<Match> {
    observe(in: id) { $0 }
  }

  /// One market, now and after each change; ends when the market goes.
  public func market(_ id: MarketID) -> Latest<Market> {
    observe(in: state.match(of: id)) { match in match.markets.first { $0.id == id } }
  }

  /// One outcome with its price, now and after each change; ends when the outcome goes.
  public func outcome(_ id: OutcomeID) -> Latest<Outcome> {
    observe(in: state.match(of: id)) { match in
      for market in match.markets { if let outcome = market.outcomes.first(where: { $0.id == id }) { return outcome } }
      return nil
    }
  }

  /// How many readers and observers there are now.
  var audience: Int { readers.count { $0.reader != nil } + observers.count }

  private struct Observer {
    let match: MatchID
    /// Offers the newest value where it differs from the last one; false once the thing is gone.
    let tell: (Match?) -> Bool
    let finish: () -> Void
  }

  private func observe<Value: Equatable & Sendable>(
    in match: MatchID?, _ part: @escaping @Sendable (Match) -> Value?
  ) -> Latest<Value> {
    lastKey += 1
    let key = lastKey
    let (sequence, feed) = Latest<Value>.make { [weak self] in Task { await self?.removeObserver(key) } }
    guard let match else {
      feed.finish()
      return sequence
    }
    var last: Value?
    let observer = Observer(
      match: match,
      tell: { whole in
        guard let value = whole.flatMap(part) else {
          feed.finish()
          return false
        }
        if value != last { feed.offer(value) }
        last = value
        return true
      }, finish: feed.finish)
    observers[key] = observer
    tell(key, observer)
    return sequence
  }

  private func tell(_ key: UInt64, _ observer: Observer) {
    if !observer.tell(state.match(observer.match)) { observers[key] = nil }
  }

  private func removeObserver(_ key: UInt64) {
    observers[key] = nil
  }
}
