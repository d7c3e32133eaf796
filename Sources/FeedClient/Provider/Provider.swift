public import CoreMetrics
public import OddsFeed
import Platform

/// The feed's face towards readers: one store for each topic, shared, made at the first subscription and released,
/// with its memory, after the last.
public actor Provider {
  private struct Channel {
    let subscription: Subscription
    let store: ChannelStore
    let auditing: Task<Void, Never>?
    var users = 0
  }

  private let transport: any FeedTransport
  private let options: StoreOptions
  private let world: ClientClock
  private let metrics: any MetricsFactory
  private let silenceLimits: SilenceLimits?

  private var channels: [Topic: Channel] = [:]
  private var lastGeneration: UInt64 = 0
  private var connection = ConnectionState.idle
  private var pulse = HeartbeatMonitor.down
  private var lastNews: UInt64 = 0
  /// Looks at the pulse when a sign of life is overdue.
  private var watch: Task<Void, Never>?

  /// Subscriptions that were dropped without being cancelled.
  nonisolated let dropped = DeinitQueue<Subscription>()

  /// A provider over a transport. Nothing happens before `run()`. The channels' counters and gauges go to `metrics`, by
  /// default to what the process has set up for all its metrics.
  public init(
    transport: any FeedTransport, options: StoreOptions = StoreOptions(), world: ClientClock = .live,
    metrics: any MetricsFactory = MetricsSystem.factory
  ) {
    self.transport = transport
    self.options = options
    self.world = world
    self.metrics = metrics
    silenceLimits = transport.silenceLimits
  }

  deinit {
    watch?.cancel()
    for channel in channels.values { channel.auditing?.cancel() }
  }

  /// Reads the transport until it ends: decodes what comes and applies it, what came together at once, on a thread of
  /// its own, which the transport may block.
  public nonisolated func run() async {
    await withTaskExecutorPreference(FeedExecutor()) { await read() }
    await eventsEnded()
  }

  private nonisolated func read() async {
    var decoder = MessageDecoder()
    var batch = FeedBatch()
    // Frames that follow one another.
    var frames: [TransportFrame] = []
    for await event in await transport.connect() {
      for event in CollectionOfOne(event) + transport.drainBufferedEvents() {
        if case .frame(let frame) = event {
          frames.append(frame)
          continue
        }
        await apply(&frames, &decoder, &batch)
        switch event {
        case .frame: break
        case .state(let state): await lineChanged(state)
        case .alive: await signOfLife()
        case .topic(let subscription, let state): await channel(subscription)?.topicChanged(state, at: world.wall())
        case .api(let subscription, let problem): await channel(subscription)?.apiAnswered(problem, at: world.wall())
        case .apiLost(let subscription): await channel(subscription)?.apiLost(at: world.wall())
        }
      }
      await apply(&frames, &decoder, &batch)
    }
  }

  /// Decodes and applies frames, all of a subscription together, which costs readers one look.
  private nonisolated func apply(
    _ frames: inout [TransportFrame], _ decoder: inout MessageDecoder, _ batch: inout FeedBatch
  ) async {
    if frames.contains(where: { $0.source == .stream }) { await signOfLife() }
    while let first = frames.first {
      // NB: a frame of an old generation belongs to nobody and is not even decoded.
      let store = await channel(first.subscription)
      frames.removeAll { frame in
        guard frame.subscription == first.subscription, frame.source == first.source else { return false }
        if store != nil { decoder.decode(frame, into: &batch) }
        return true
      }
      let needsDump = await store?.apply(batch, at: world.wall(), from: first.source) ?? false
      batch.removeAll()
      // NB: where the feed cannot be asked now, the channel's auditor asks later.
      if needsDump { _ = await transport.requestDump(first.subscription) }
    }
  }

  /// Ends the line; `run()` returns then.
  public func stop() async {
    await transport.disconnect()
  }

  /// Tries to reach the feed at once where the line waits to do so, or gave up; harmless where it does not.
  public func reconnect() async {
    await transport.reconnect()
  }

  /// Gives the line up for another: what we show to the feed for ourselves has changed.
  package func renew() async { await transport.renew() }

  /// The machine's network is another: a line that waits to be tried again is tried at once. One that gave up stays so.
  public func networkChanged() async {
    if case .waiting = connection { await transport.reconnect() }
  }

  /// Subscribes to a topic; give the result up with `cancel()`.
  public func subscribe(to topic: Topic) async -> ChannelSubscription {
    if channels[topic] == nil {
      lastGeneration += 1
      let subscription = Subscription(topic: topic, generation: lastGeneration)
      let store = ChannelStore(
        topic: topic, options: options, metrics: metrics, awaitsDump: transport.updatesMayPrecedeDump, line: news)
      channels[topic] = Channel(subscription: subscription, store: store, auditing: audits(of: subscription, store))
      channels[topic]!.users = 1
      await transport.subscribe(subscription)
      return ChannelSubscription(store: store, provider: self, subscription: subscription)
    }
    channels[topic]!.users += 1
    let channel = channels[topic]!
    return ChannelSubscription(store: channel.store, provider: self, subscription: channel.subscription)
  }

  /// The topics that somebody is subscribed to.
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
    await channel.store.close(at: world.wall())
    await transport.unsubscribe(subscription)
  }

  func releaseDropped() async {
    while case let subscriptions = dropped.drainAndRearm(), !subscriptions.isEmpty {
      for subscription in subscriptions { await release(subscription) }
    }
  }

  /// Compares a channel with fresh dumps until it is given up; nil where the line cannot be asked for any.
  private func audits(of subscription: Subscription, _ store: ChannelStore) -> Task<Void, Never>? {
    guard let interval = transport.auditInterval else { return nil }
    let auditor = ChannelAuditor(subscription: subscription, transport: transport, interval: interval, world: world)
    let audited = WeakReference(store)
    return Task { await auditor.run(audited) }
  }

  /// The store of a subscription that is still one.
  private func channel(_ subscription: Subscription) -> ChannelStore? {
    guard let channel = channels[subscription.topic], channel.subscription == subscription else { return nil }
    return channel.store
  }

  // MARK: The line

  private func lineChanged(_ state: ConnectionState) async {
    connection = state
    feel(.line(state))
    await tellChannels()
  }

  private func eventsEnded() async {
    if feel(.end) { await tellChannels() }
  }

  private func signOfLife() async {
    // Where silence means nothing, a sign of life does not either.
    if silenceLimits != nil, feel(.sign) { await tellChannels() }
  }

  private func timePassed() async {
    if feel(.time) { await tellChannels() }
  }

  /// True where the pulse is another than before.
  @discardableResult
  private func feel(_ event: HeartbeatMonitor.Event) -> Bool {
    let old = pulse.grade
    pulse.apply(event, at: world.uptime(), limits: silenceLimits)
    if watch == nil, pulse.deadline(limits: silenceLimits) != nil { startWatch() }
    return pulse.grade != old
  }

  private func tellChannels() async {
    lastNews += 1
    let news = news
    for channel in channels.values { await channel.store.lineChanged(news) }
  }

  private var news: ConnectionUpdate {
    let time = world.wall()
    let silence = pulse.lastSign.map { world.uptime() - $0 }
    return ConnectionUpdate(
      number: lastNews, connection: connection, pulse: pulse.grade, time: time,
      lastSign: silence.map { time - Int64($0 / .milliseconds(1)) })
  }

  /// Sleeps to when a sign of life is overdue, and from there to when the next is: nobody asks in between.
  private func startWatch() {
    watch = Task { [weak self, world] in
      while !Task.isCancelled, let deadline = await self?.nextDeadline() {
        await world.sleep(deadline)
        await self?.timePassed()
      }
    }
  }

  private func nextDeadline() -> Duration? {
    let deadline = pulse.deadline(limits: silenceLimits)
    if deadline == nil { watch = nil }
    return deadline
  }
}
