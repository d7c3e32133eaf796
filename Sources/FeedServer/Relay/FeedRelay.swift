package import OddsFeed
package import OddsModel
package import Platform

/// The topics of an upstream feed, for a server that passes them on.
///
/// Its owner calls `advance()` on one queue, and the functions about topics there too, one call at a time. Events of
/// the upstream feed wait until `advance()`; while too many of them wait, the relay reads no more.
package final class FeedRelay: Sendable {
  /// A change for the owner.
  package enum News: Hashable, Sendable {
    /// The first dump of a topic has arrived. Its messages follow.
    case opened(Topic)
    /// A topic cannot be opened. It is closed.
    case failed(Topic, TopicError)
    /// Messages of an open topic, in order. An INITIAL_DUMP replaces the earlier state.
    case messages(Topic, [[UInt8]])
    /// The state that clients have of an open topic is out of date. The topic is closed.
    case lost(Topic)
    /// The upstream feed can be used, or not any more. False at first.
    case available(Bool)
  }

  private struct State {
    var machine: RelayMachine
    var news: [News] = []
    var losses = 0
    var reading: Task<Void, Never>?
    var onNews: @Sendable () -> Void = {}
  }

  /// The part of the state that event loops read. They must not wait for the lock of `State`, which is held while
  /// messages are applied.
  fileprivate struct Summary {
    var isAvailable = false
    /// The topics that are open or are being opened.
    var topics: Set<Topic> = []
  }

  private enum Command: Sendable {
    case subscribe(Subscription)
    case unsubscribe(Subscription)
    case requestDump(Subscription)
  }

  /// The interval at which the owner calls `advance()` if there is no news.
  package static let interval = Duration.milliseconds(250)
  /// The number and the bytes of events from which the relay reads no more.
  private static let inboxLimits = MailboxLimits(count: 256, cost: 8 << 20)

  private let transport: any FeedTransport
  private let clock: ClientClock
  private let inbox = Mailbox<TransportEvent, Never>(limits: FeedRelay.inboxLimits) { event in
    if case .frame(let frame) = event { frame.bytes.count } else { 0 }
  }
  private let commands = AsyncStream.makeStream(of: Command.self)
  private let onState: @Sendable (ConnectionState) -> Void
  private let state: Locked<State>
  private let summary = Locked(Summary())
  private let metrics: RelayMetrics

  /// - Parameter onState: Called with each state of the connection, in order, on the owner's queue.
  package init(
    _ transport: any FeedTransport, clock: ClientClock = .live, limits: RelayLimits = RelayLimits(),
    registry: PrometheusRegistry = PrometheusRegistry(),
    onState: @escaping @Sendable (ConnectionState) -> Void = { _ in }
  ) {
    self.transport = transport
    self.clock = clock
    self.onState = onState
    state = Locked(State(machine: RelayMachine(limits: limits, chance: clock.chance)))
    metrics = RelayMetrics(registry)
    registry.addCollector(of: self) { relay in
      // NB: Not the whole machine: the next change would copy what it has.
      let (isAvailable, topics, losses, divergences) = relay.state.withLock { state in
        (state.machine.isAvailable, state.machine.topicCount, state.losses, state.machine.divergences)
      }
      relay.metrics.update(isAvailable: isAvailable, topics: topics, losses: losses, divergences: divergences)
    }
  }

  deinit { state.withLock { $0.reading }?.cancel() }

  // MARK: Control

  /// Connects. Calls `onNews` on any thread when `advance()` is to be called.
  package func start(onNews: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.onNews = onNews
      state.reading = Task { [transport, inbox, commands] in
        async let performing: Void = Self.perform(commands.stream, on: transport)
        for await event in await transport.connect() {
          await inbox.room()
          inbox.send(contentsOf: [event] + transport.drainBufferedEvents())
          onNews()
        }
        await performing
      }
    }
  }

  /// Disconnects.
  package func stop() async {
    commands.continuation.finish()
    await transport.disconnect()
  }

  /// In order, because `subscribe` and `unsubscribe` of a topic do not commute.
  private static func perform(_ commands: AsyncStream<Command>, on transport: any FeedTransport) async {
    for await command in commands {
      switch command {
      case .subscribe(let subscription): await transport.subscribe(subscription)
      case .unsubscribe(let subscription): await transport.unsubscribe(subscription)
      case .requestDump(let subscription): _ = await transport.requestDump(subscription)
      }
    }
  }

  // MARK: Topics

  /// True if too many topics are open for a further one.
  package var isFull: Bool { state.withLock { $0.machine.isFull } }

  /// Returns true if a topic is open or is being opened. Does not wait while messages are applied.
  package func contains(_ topic: Topic) -> Bool { summary.withLock { $0.topics.contains(topic) } }

  /// True while topics can be opened. Does not wait while messages are applied.
  package var isAvailable: Bool { summary.withLock { $0.isAvailable } }

  /// The reason for `TopicSource.outage` while topics cannot be opened.
  package static let outage = "upstream lost"

  /// Opens a topic. `opened` or `failed` is among the news of a later `advance()`. Has no effect if the topic is open
  /// or is being opened.
  package func open(_ topic: Topic) {
    let now = clock.uptime()
    let onNews: (@Sendable () -> Void)? = state.withLock { state in
      if state.machine.contains(topic) { return nil }
      // The failure of an earlier request that waits for `advance()` must not be taken for one of this request.
      state.news.removeAll { $0.topic == topic }
      let actions = state.machine.open(topic, now: now)
      if state.machine.contains(topic) { summary.withLock { _ = $0.topics.insert(topic) } }
      perform(actions, &state)
      return state.news.isEmpty ? nil : state.onNews
    }
    onNews?()
  }

  package func close(_ topic: Topic) {
    state.withLock { state in
      let actions = state.machine.close(topic)
      summary.withLock { _ = $0.topics.remove(topic) }
      perform(actions, &state)
      // Its news are out of date, and must not be taken for those of a later topic of that name.
      state.news.removeAll { $0.topic == topic }
    }
  }

  /// The number of the last change of a topic that `advance()` has returned. Nil if it has no current state.
  package func moment(of topic: Topic) -> UInt64? { state.withLock { $0.machine.moment(of: topic) } }

  /// The age of what `advance()` has returned of the open topics, with the time that messages take from the upstream
  /// feed. It grows until the upstream feed answers the next ping.
  package var age: Duration {
    let now = clock.uptime()
    return state.withLock { $0.machine.age(now: now) }
  }

  /// Returns a function that builds a dump of a topic with all messages that `advance()` has returned so far and no
  /// other. It can be called on any thread. Nil if the topic has no current state.
  package func dump(of topic: Topic) -> (@Sendable () -> [UInt8])? {
    let (dump, onNews): ((@Sendable () -> [UInt8])?, (@Sendable () -> Void)?) = state.withLock { state in
      let dump = state.machine.dump(of: topic)
      let actions = state.machine.settle(topic)
      perform(actions, &state)
      return (dump, actions.isEmpty ? nil : state.onNews)
    }
    onNews?()
    return dump
  }

  /// Applies the events that have arrived and returns the changes, in order.
  package func advance() -> [News] {
    let events = inbox.drain()
    let now = clock.uptime()
    for case .state(let connection) in events { onState(connection) }
    return state.withLock { state in
      for event in events {
        let actions = state.machine.receive(event, now: now)
        perform(actions, &state)
      }
      let actions = state.machine.advance(to: now)
      perform(actions, &state)
      defer { state.news = [] }
      return state.news
    }
  }

  private func perform(_ actions: [RelayMachine.Action], _ state: inout State) {
    for action in actions {
      summary.withLock { $0.apply(action) }
      switch action {
      case .subscribe(let subscription): commands.continuation.yield(.subscribe(subscription))
      case .unsubscribe(let subscription): commands.continuation.yield(.unsubscribe(subscription))
      case .requestDump(let subscription): commands.continuation.yield(.requestDump(subscription))
      case .opened(let topic): state.news.append(.opened(topic))
      case .failed(let topic, let error): state.news.append(.failed(topic, error))
      case .messages(let topic, let messages): state.news.append(.messages(topic, messages))
      case .lost(let topic): state.news.append(.lost(topic))
      case .available(let isAvailable):
        if !isAvailable { state.losses += 1 }
        state.news.append(.available(isAvailable))
      }
    }
  }
}

extension FeedRelay.Summary {
  fileprivate mutating func apply(_ action: RelayMachine.Action) {
    switch action {
    case .failed(let topic, _), .lost(let topic): topics.remove(topic)
    case .available(let isAvailable): self.isAvailable = isAvailable
    case .subscribe, .unsubscribe, .requestDump, .opened, .messages: break
    }
  }
}

extension FeedRelay.News {
  /// The topic that a change is about; nil if it is about all.
  fileprivate var topic: Topic? {
    switch self {
    case .opened(let topic), .failed(let topic, _), .messages(let topic, _), .lost(let topic): topic
    case .available: nil
    }
  }
}
