import OddsModel
package import Platform

/// A transport that supplies data for a topic while the inner transport's stream is missing: the cached board, then
/// answers of the REST interface (`FallbackStateMachine`). All other events are those of the inner transport.
package actor FallbackTransport: FeedTransport {
  private struct Start {
    var machine: FallbackStateMachine
    /// The newest subscription to the topic.
    var subscription: Subscription
    /// The pending requests to the cache and the REST interface.
    var questions: [Task<Void, Never>] = []
    var alarm: (at: Duration, task: Task<Void, Never>)?
  }

  private let inner: any FeedTransport
  private let cache: BoardCache?
  private let api: (any FeedAPI)?
  private let clock: ClientClock
  /// The events of the inner transport, which waits until they are read, so unread data stays in it. Substitute events
  /// are in the priority lane; for each subscription only the newest of each kind is kept.
  private let queue = Mailbox<TransportEvent, Never>(limits: MailboxLimits(count: 1))

  private var starts: [Topic: Start] = [:]
  private var line = ConnectionState.idle
  private var reading: Task<Void, Never>?

  package nonisolated let heartbeat: Duration?
  package nonisolated let updatesMayPrecedeDump: Bool
  package nonisolated let auditInterval: Duration?

  /// Creates a transport over another one, which must not block its reader.
  package init(_ inner: any FeedTransport, cache: BoardCache?, api: (any FeedAPI)?, clock: ClientClock = .live) {
    self.inner = inner
    self.cache = cache
    self.api = api
    self.clock = clock
    heartbeat = inner.heartbeat
    updatesMayPrecedeDump = inner.updatesMayPrecedeDump
    auditInterval = inner.auditInterval
  }

  package nonisolated func makeDecoder() -> any FeedDecoder { inner.makeDecoder() }

  package func connect() async -> AsyncStream<TransportEvent> {
    let (inner, queue) = (inner, queue)
    let reading = Task { [weak self] in
      for await event in await inner.connect() {
        let events = [event] + inner.drainBufferedEvents()
        // NB: The machines see the events first: after a topic's dump, no data of an earlier stage may follow.
        for event in events where event.isNoticed { await self?.notice(event) }
        queue.send(contentsOf: events)
        await queue.room()
      }
      await self?.giveUpAll()
      queue.finish()
    }
    self.reading = reading
    return AsyncStream {
      await queue.next()
    } onCancel: {
      queue.finish()
      reading.cancel()
    }
  }

  package nonisolated func drainBufferedEvents() -> [TransportEvent] { queue.drain() }

  package func disconnect() async {
    giveUpAll()
    await inner.disconnect()
    // Ends the queue so that the reading task does not wait for a reader that has stopped.
    queue.finish()
    reading?.cancel()
  }

  package func subscribe(_ subscription: Subscription) async {
    var start =
      starts[subscription.topic] ?? Start(machine: FallbackStateMachine(hasAPI: api != nil), subscription: subscription)
    queue.withdrawUrgent { $0.subscription == start.subscription }
    start.subscription = subscription
    starts[subscription.topic] = start
    apply(subscription.topic, .started(generation: subscription.generation))
    apply(subscription.topic, .line(line))
    await inner.subscribe(subscription)
  }

  package func unsubscribe(_ subscription: Subscription) async {
    if starts[subscription.topic]?.subscription == subscription {
      apply(subscription.topic, .stopped(generation: subscription.generation))
      starts[subscription.topic] = nil
    }
    queue.withdrawUrgent { $0.subscription == subscription }
    await inner.unsubscribe(subscription)
  }

  package func requestDump(_ subscription: Subscription) async -> Bool { await inner.requestDump(subscription) }

  package func reconnect() async { await inner.reconnect() }

  package func renew() async { await inner.renew() }

  private func notice(_ event: TransportEvent) {
    switch event {
    case .state(let state):
      line = state
      for topic in starts.keys { apply(topic, .line(state)) }
    case .topic(let subscription, let state) where starts[subscription.topic]?.subscription == subscription:
      if state.isServed { queue.withdrawUrgent { $0.subscription == subscription } }
      apply(subscription.topic, .topic(state))
    case .topic, .frame, .records, .api, .apiLost, .alive: break
    }
  }

  private func giveUpAll() {
    for (topic, start) in starts { apply(topic, .stopped(generation: start.subscription.generation)) }
  }

  private func apply(_ topic: Topic, _ event: FallbackStateMachine.Event) {
    guard let effects = starts[topic]?.machine.apply(event, at: clock.uptime()) else { return }
    for effect in effects { perform(effect, topic) }
    setAlarm(topic)
  }

  private func perform(_ effect: FallbackStateMachine.Effect, _ topic: Topic) {
    let subscription = starts[topic]!.subscription
    switch effect {
    case .readCache(let generation):
      ask(topic) { [cache] in .cacheRead(generation: generation, cache?.read(topic)) }
    case .askAPI(let generation):
      ask(topic) { [api] in .apiAnswered(generation: generation, await api!.answer(about: topic)) }
    case .cancel:
      for question in starts[topic]!.questions { question.cancel() }
      starts[topic]!.questions = []
    case .show(let dump, let source): substitute(.records(subscription, dump, source))
    case .reportRESTError(let problem): substitute(.api(subscription, problem))
    case .expireRESTData: substitute(.apiLost(subscription))
    }
  }

  private func substitute(_ event: TransportEvent) { queue.sendUrgent(event) { event.replaces($0) } }

  /// Sends a request to the cache or the REST interface, outside this actor and on a thread that may block. At most two
  /// requests per topic are tracked.
  private func ask(_ topic: Topic, _ question: @escaping @Sendable () async -> FallbackStateMachine.Event) {
    let task = Task.detached(executorPreference: FeedExecutor()) { [weak self] in
      let answer = await question()
      if !Task.isCancelled { await self?.apply(topic, answer) }
    }
    starts[topic]!.questions = starts[topic]!.questions.suffix(1) + [task]
  }

  private func setAlarm(_ topic: Topic) {
    guard let start = starts[topic], start.machine.deadline != start.alarm?.at else { return }
    start.alarm?.task.cancel()
    starts[topic]!.alarm = start.machine.deadline.map { deadline in
      let task = Task { [weak self, clock] in
        await clock.sleep(deadline)
        if !Task.isCancelled { await self?.alarmRings(topic, deadline) }
      }
      return (deadline, task)
    }
  }

  private func alarmRings(_ topic: Topic, _ deadline: Duration) {
    guard starts[topic]?.alarm?.at == deadline else { return }
    starts[topic]!.alarm = nil
    apply(topic, .timePassed)
  }
}

extension TransportEvent {
  /// The subscription of the event; nil for events of the connection.
  fileprivate var subscription: Subscription? {
    switch self {
    case .frame(let frame): frame.subscription
    case .records(let subscription, _, _), .topic(let subscription, _), .api(let subscription, _),
      .apiLost(let subscription):
      subscription
    case .state, .alive: nil
    }
  }

  /// Returns true if the event makes `other` obsolete for a reader that has not taken it.
  fileprivate func replaces(_ other: TransportEvent) -> Bool {
    guard subscription == other.subscription else { return false }
    switch (self, other) {
    case (.records, .records), (.records, .apiLost), (.api, .api): return true
    default: return false
    }
  }

  /// True for events that affect the state machines; false for nearly all events.
  fileprivate var isNoticed: Bool {
    switch self {
    case .state, .topic: true
    case .frame, .records, .api, .apiLost, .alive: false
    }
  }
}

extension FeedAPI {
  fileprivate func answer(about topic: Topic) async -> Result<FeedBatch?, FeedError> {
    do throws(FeedError) { return .success(try await snapshot(of: topic)?.dump) } catch { return .failure(error) }
  }
}
