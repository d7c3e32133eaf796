public import CoreMetrics
public import OddsModel
public import Platform

/// The channels of a feed. There is one shared store per topic, created at the first subscription and released after
/// the last.
public actor Provider {
  private struct Channel {
    let subscription: Subscription
    let store: ChannelStore
    let auditing: Task<Void, Never>?
    var users = 0
  }

  let transport: any FeedTransport
  private let options: StoreOptions
  let clock: ClientClock
  private let metrics: any MetricsFactory
  private let silenceLimits: SilenceLimits?

  private var hasBegun = false
  /// True once the transport's events have ended.
  private var hasEnded = false
  private var channels: [Topic: Channel] = [:]
  private var lastGeneration: UInt64 = 0
  private var connection = ConnectionState.idle
  private var connectionObservers: [AsyncLatestValue<ConnectionState>.Feed] = []
  private var pulse = HeartbeatMonitor()
  private var lastNews: UInt64 = 0
  /// The task that updates the pulse when a sign of life is overdue.
  private var watch: Task<Void, Never>?
  /// The time until which `watch` sleeps.
  private var watchedUntil = Duration.zero

  /// Subscriptions that were deallocated without being cancelled. A provider lives until it has released them.
  nonisolated let dropped = Mailbox<(provider: Provider, subscription: Subscription), Never>()

  /// Creates a provider. Nothing happens before `run()`.
  ///
  /// - Parameters:
  ///   - transport: The connection to the feed.
  ///   - options: The limits of the channels' stores.
  ///   - clock: The source of time and randomness.
  ///   - metrics: The destination of the channels' counters and gauges; by default the process's metrics system.
  public init(
    transport: any FeedTransport, options: StoreOptions = StoreOptions(), clock: ClientClock = .live,
    metrics: any MetricsFactory = MetricsSystem.factory
  ) {
    self.transport = transport
    self.options = options
    self.clock = clock
    self.metrics = metrics
    silenceLimits = transport.silenceLimits
    Task { [dropped] in
      while let share = await dropped.next() { await share.provider.release(share.subscription) }
    }
  }

  deinit {
    dropped.finish()
    watch?.cancel()
    for channel in channels.values { channel.auditing?.cancel() }
  }

  /// Returns true at the first call.
  func begin() -> Bool {
    defer { hasBegun = true }
    return !hasBegun
  }

  /// Disconnects from the feed. `run()` returns afterwards.
  public func stop() async { await transport.disconnect() }

  /// Retries the connection or a topic at once if it waits for its next attempt or has given up. A connection without
  /// recent signs of life can be replaced.
  public func reconnect() async { await transport.reconnect() }

  /// Reconnects with fresh credentials.
  package func renew() async { await transport.renew() }

  /// Handles a change of the machine's network: a pending retry is made at once. A failed connection stays failed.
  public func networkChanged() async {
    if case .waiting = connection { await transport.reconnect() }
  }

  /// Subscribes to a topic. Cancel the result with `cancel()`.
  public func subscribe(to topic: Topic) async -> ChannelSubscription {
    if channels[topic] == nil {
      lastGeneration += 1
      let subscription = Subscription(topic: topic, generation: lastGeneration)
      let store = ChannelStore(
        topic: topic, options: options, metrics: metrics, keepsUpdates: transport.updatesMayPrecedeDump, line: news)
      channels[topic] = Channel(subscription: subscription, store: store, auditing: audits(of: subscription, store))
      channels[topic]!.users = 1
      await transport.subscribe(subscription)
      return ChannelSubscription(store: store, provider: self, subscription: subscription)
    }
    channels[topic]!.users += 1
    let channel = channels[topic]!
    return ChannelSubscription(store: channel.store, provider: self, subscription: channel.subscription)
  }

  var generations: Set<UInt64> { Set(channels.values.map(\.subscription.generation)) }

  /// The topics that have subscribers.
  public var topics: Set<Topic> { Set(channels.keys) }

  func release(_ subscription: Subscription) async {
    guard var channel = channels[subscription.topic], channel.subscription == subscription else { return }
    channel.users -= 1
    if channel.users > 0 {
      channels[subscription.topic] = channel
      return
    }
    channels[subscription.topic] = nil
    channel.auditing?.cancel()
    await channel.store.close(at: clock.wall())
    await transport.unsubscribe(subscription)
  }

  /// Starts audits of a channel against fresh dumps; nil if the transport cannot provide any, or has ended.
  private func audits(of subscription: Subscription, _ store: ChannelStore) -> Task<Void, Never>? {
    guard !hasEnded, let interval = transport.auditInterval else { return nil }
    let auditor = ChannelAuditor(subscription: subscription, transport: transport, interval: interval, clock: clock)
    let audited = WeakReference(store)
    return Task { await auditor.run(audited) }
  }

  /// Returns the store of a subscription; nil if the subscription has ended.
  func channel(_ subscription: Subscription) -> ChannelStore? {
    guard let channel = channels[subscription.topic], channel.subscription == subscription else { return nil }
    return channel.store
  }

  /// Returns the states of the connection, beginning with the current one, until the transport's events end.
  public func connectionChanges() -> AsyncLatestValue<ConnectionState> {
    let (changes, observer) = AsyncLatestValue<ConnectionState>.make { [weak self] in
      Task { await self?.removeConnectionObservers() }
    }
    observer.offer(connection)
    if hasEnded { observer.finish() } else { connectionObservers.append(observer) }
    return changes
  }

  /// Removes the observers whose sequence is deallocated.
  private func removeConnectionObservers() { connectionObservers.removeAll { $0.isDropped } }

  func lineChanged(_ state: ConnectionState) async {
    connection = state
    for observer in connectionObservers { observer.offer(state) }
    applyHeartbeat(.line(state), at: clock.uptime())
    await updateChannels()
  }

  func eventsEnded() async {
    hasEnded = true
    for channel in channels.values { channel.auditing?.cancel() }
    for observer in connectionObservers { observer.finish() }
    connectionObservers = []
    applyHeartbeat(.end, at: clock.uptime())
    watch?.cancel()
    await updateChannels()
  }

  /// Records a sign of life that may have waited for `delay` on its way, and since an uptime in this process.
  func signOfLife(delay: Duration = .zero, receivedAt: Duration?) async {
    // Without silence limits a sign of life has no effect.
    guard silenceLimits != nil else { return }
    let now = clock.uptime()
    let wait = max(.zero, now - (receivedAt ?? now))
    if applyHeartbeat(.sign(delay: delay + wait), at: now) { await updateChannels() }
  }

  private func timePassed() async {
    if applyHeartbeat(.time, at: clock.uptime()) { await updateChannels() }
  }

  /// Applies an event to the pulse. Returns true if its grade changed, or the second of the last sign of life of a late
  /// connection.
  @discardableResult
  private func applyHeartbeat(_ event: HeartbeatMonitor.Event, at now: Duration) -> Bool {
    let old = (pulse.grade, pulse.lastSecond)
    pulse.apply(event, at: now, limits: silenceLimits)
    if let deadline = pulse.deadline(limits: silenceLimits), watch == nil || deadline < watchedUntil {
      startWatch(until: deadline)
    }
    return (pulse.grade, pulse.lastSecond) != old
  }

  private func updateChannels() async {
    lastNews += 1
    let news = news
    for channel in channels.values { channel.store.announce(news) }
    for channel in channels.values { await channel.store.lineChanged(news) }
  }

  private var news: ConnectionUpdate {
    let time = clock.wall()
    let silence = pulse.lastSign.map { clock.uptime() - $0 }
    return ConnectionUpdate(
      number: lastNews, connection: connection, pulse: pulse.grade, time: time,
      lastSign: silence.map { time - Int64($0 / .milliseconds(1)) }, isLast: hasEnded)
  }

  /// Starts a task that sleeps until the next deadline of the pulse, then checks it, until there is none.
  private func startWatch(until deadline: Duration) {
    watch?.cancel()
    watchedUntil = deadline
    watch = Task { [weak self, clock] in
      while !Task.isCancelled, let deadline = await self?.nextDeadline() {
        await clock.sleep(deadline)
        await self?.timePassed()
      }
    }
  }

  private func nextDeadline() -> Duration? {
    // NB: A cancelled watch has a successor.
    if Task.isCancelled { return nil }
    let deadline = pulse.deadline(limits: silenceLimits)
    if let deadline { watchedUntil = deadline } else { watch = nil }
    return deadline
  }
}
