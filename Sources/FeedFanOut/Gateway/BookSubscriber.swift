internal import Dispatch
package import NIOCore
package import OddsModel
package import Platform

/// A gateway's access to the book of a cluster: the topics that its clients have open.
///
/// A topic is subscribed to while it is open, so that a gateway without clients for it does not receive it. The book
/// learns of it by the dump request and by announcements.
package final class BookSubscriber: Sendable {
  package enum Event: Hashable, Sendable {
    case book(BookPresence.Change)
    /// The book's announcement, when it is new or has changed.
    case announcement(ByteBuffer)
    /// NATS dropped messages of a topic, because this process was too slow. The topic asks for a dump.
    case dropped(Topic, count: Int)
    /// An open topic could not be brought up to date for too long, or the book does not have it any more. What its sink
    /// has is out of date. The subscriber still asks for it until it is closed.
    case lost(Topic)
  }

  struct State {
    var presence: BookPresence
    var echo: EchoMonitor
    var topics: [Topic: OpenTopic] = [:]
    var subscriptions: [NATSSubscription] = []
    var timer: RepeatingTimer?
    var announced = Duration.zero
    var announcement: ByteBuffer?
    var lag: Duration?
    /// The time of the last heartbeat by the book's wall clock, in milliseconds, and the uptime of its arrival.
    var lastHeartbeat: (sent: Int64, arrived: Duration)?
    var onNews: @Sendable () -> Void = {}
    /// The counters of topics that were closed.
    var closed = TopicReplica.Counters()
  }

  private let connection: NATSConnection
  private let subjects: Subjects
  private let timing: GatewayTiming
  let clock: ClientClock
  private let onEvent: @Sendable (Event) -> Void
  private let gateway = UInt64.random(in: 1 ... .max)
  private let fetcher: DumpFetcher
  private let queue = DispatchQueue(label: "toteboard.gateway")
  /// Held from a change of the book's presence until its event is sent, so that events have the order of the changes.
  private let presenceEvents = Locked(())
  let state: Locked<State>

  /// - Parameter onEvent: Called on any thread: for `book` and `announcement` in order, one call at a time; for
  ///   `dropped` and `lost` possibly at the same time as for other events.
  package init(
    _ connection: NATSConnection, _ subjects: Subjects, timing: GatewayTiming = GatewayTiming(),
    clock: ClientClock = .live, onEvent: @escaping @Sendable (Event) -> Void
  ) {
    self.connection = connection
    self.subjects = subjects
    self.timing = timing
    self.clock = clock
    self.onEvent = onEvent
    fetcher = DumpFetcher(connection, subjects, gateway: gateway, timing: timing)
    state = Locked(
      State(
        presence: BookPresence(timeout: timing.bookTimeout, maxAge: timing.dataTimeout),
        echo: EchoMonitor(interval: timing.echoInterval, timeout: timing.echoTimeout)))
  }

  // MARK: Control

  /// Begins to listen for the book. `onNews` is called on any thread after messages were handed to sinks. Has no effect
  /// if it throws, as it may without a connection.
  package func start(onNews: @escaping @Sendable () -> Void) throws(NATSError) {
    let heartbeats = try connection.subscribe(subjects.heartbeat, limit: 1 << 20) { [weak self] in
      if let frame = FeedFrame($0.payload) { self?.receiveHeartbeat(frame) }
    }
    let echoes = try connection.subscribe(subjects.echo(of: gateway), limit: 1 << 20) { [weak self] in
      self?.receiveEcho($0.payload)
    }
    let timer = RepeatingTimer(every: timing.checkInterval, on: queue) { [weak self] in self?.check() }
    state.withLock { state in
      state.onNews = onNews
      state.subscriptions = [heartbeats, echoes]
      state.timer = timer
    }
  }

  /// Closes all topics and tells the book.
  package func stop() {
    let (topics, subscriptions) = state.withLock { state in
      defer {
        state.topics = [:]
        state.subscriptions = []
        state.timer = nil
      }
      return (state.topics, state.subscriptions)
    }
    for subscription in subscriptions { subscription.cancel() }
    for topic in topics.values { topic.end(.lost) }
    announce(fetcher.nextSerial(), isWhole: true, [])
  }

  /// Opens a topic. Messages go to `sink` until `close`, from before the completion on.
  ///
  /// - Parameter completion: Called once, on any thread: with nil after the first dump was handed to `sink` as a
  ///   restart, or with the error that the topic cannot be opened. It is then not open.
  package func open(_ topic: Topic, sink: TopicSink, completion: @escaping @Sendable (BookError?) -> Void) {
    let open = state.withLock { state in
      precondition(state.topics[topic] == nil, "the topic is open")
      let now = clock.uptime()
      let open = OpenTopic(
        topic, sink: sink, fetcher: fetcher, timing: timing, queue: queue, now: now, age: state.presence.age(now: now),
        onNews: state.onNews, onLoss: { [onEvent] in onEvent(.lost(topic)) }
      ) { [weak self] error in
        if error != nil { self?.close(topic) }
        completion(error)
      }
      state.topics[topic] = open
      return open
    }
    do throws(NATSError) {
      let subscription = try connection.subscribe(subjects.update(of: topic), limit: timing.pendingBytes) {
        [weak self, weak open] count in
        open?.messagesLost()
        self?.onEvent(.dropped(topic, count: count))
      } onMessage: { [weak self, weak open, clock] message in
        let now = clock.uptime()
        let age = self?.state.withLock { $0.presence.age(now: now) }
        open?.receive(message.payload, age: age ?? .zero, now: now)
      }
      open.start(subscription)
    } catch {
      open.end(.lost)
    }
  }

  /// Closes a topic. Has no effect if it is not open.
  package func close(_ topic: Topic) {
    let closed: (OpenTopic, serial: UInt64)? = state.withLock { state in
      guard let open = state.topics.removeValue(forKey: topic) else { return nil }
      state.closed.add(open.counters)
      return (open, fetcher.nextSerial())
    }
    guard let (open, serial) = closed else { return }
    open.end(.lost)
    announce(serial, isWhole: false, [topic])
  }

  /// Completes with a dump of a topic. An open topic keeps a dump and gives it to all, while few messages follow it.
  /// The dump of any other topic is fetched from the book.
  ///
  /// - Parameter isForList: True if dumps for clients of open topics need not wait for this one.
  package func dump(
    of topic: Topic, isForList: Bool = false, completion: @escaping @Sendable (Result<ReplicaDump, BookError>) -> Void
  ) {
    if let open = state.withLock({ $0.topics[topic] }) { return open.dump(isForList: isForList, completion) }
    fetcher.fetch(topic, minimum: 0, isShared: true, isForList: isForList) { completion($0.map(\.dump)) }
  }

  // MARK: Steps

  private func receiveHeartbeat(_ frame: FeedFrame) { presenceEvents.withLock { _ in applyHeartbeat(frame) } }

  private func receiveEcho(_ payload: ByteBuffer) { presenceEvents.withLock { _ in applyEcho(payload) } }

  private func check() { presenceEvents.withLock { _ in checkTime() } }

  private func applyHeartbeat(_ frame: FeedFrame) {
    let now = clock.uptime()
    if frame.kind == .ended {
      state.withLock { $0.presence.end(frame.identity, grace: timing.handoverTimeout, now: now) }
    }
    guard frame.kind == .heartbeat else { return }
    // Limited, so that nothing calculated with it overflows.
    let sent = min(Int64(clamping: frame.offset), 1 << 53)
    let lag = Duration.milliseconds(clock.wall() - sent)
    let (change, isNew, topics): (BookPresence.Change?, Bool, [OpenTopic]) = state.withLock { state in
      let age = frame.age + state.echo.messageDelay(now: now)
      let change = state.presence.receive(frame.identity, age: age, now: now)
      guard state.presence.identity == frame.identity else { return (change, false, []) }
      state.lag = lag
      state.lastHeartbeat = (sent, now)
      let isNew = state.announcement != frame.body
      state.announcement = frame.body
      return (change, isNew, change == nil ? [] : Array(state.topics.values))
    }
    if isNew { onEvent(.announcement(frame.body)) }
    if let change { onEvent(.book(change)) }
    for topic in topics { topic.follow(frame.identity) }
  }

  private func applyEcho(_ payload: ByteBuffer) {
    guard let number = payload.getInteger(at: payload.readerIndex, as: UInt64.self) else { return }
    let now = clock.uptime()
    let change: BookPresence.Change? = state.withLock { state in
      state.echo.receive(number, now: now)
      return state.presence.setLate(state.echo.isLate)
    }
    if let change { onEvent(.book(change)) }
  }

  /// Sends a number to this process if it is time for one, and notes whether the ones before are late.
  private func checkEcho(now: Duration) -> BookPresence.Change? {
    let link = connection.isConnected ? connection.statistics.reconnects : nil
    let (change, number): (BookPresence.Change?, UInt64?) = state.withLock { state in
      let number = state.echo.advance(to: now, connection: link)
      return (state.presence.setLate(state.echo.isLate), number)
    }
    // An error is that of a connection which was just lost.
    if let number { try? connection.publish(ByteBuffer(integer: number), to: subjects.echo(of: gateway)) }
    return change
  }

  private func checkTime() {
    let now = clock.uptime()
    if let change = checkEcho(now: now) { onEvent(.book(change)) }
    let (change, topics, serial): (BookPresence.Change?, [Topic: OpenTopic], UInt64?) = state.withLock { state in
      let change = state.presence.advance(to: now)
      let announces = now - state.announced >= timing.announceInterval
      if announces { state.announced = now }
      // NB: Under the lock: a topic opened after this has a request with a greater serial.
      return (change, state.topics, announces ? fetcher.nextSerial() : nil)
    }
    if let change { onEvent(.book(change)) }
    if let serial { announce(serial, isWhole: true, Set(topics.keys)) }
    let age: Duration? = state.withLock { $0.presence.isPresent ? $0.presence.age(now: now) : nil }
    if let age { for topic in topics.values { topic.check(age: age, now: now) } }
  }

  private func announce(_ serial: UInt64, isWhole: Bool, _ topics: Set<Topic>) {
    var payload = InterestAnnouncement(gateway: gateway, serial: serial, isWhole: isWhole, topics: topics).encoded
    // A set that is too large for a message only says that the gateway is alive: it closes nothing.
    if payload.readableBytes > connection.maxPayload {
      payload = InterestAnnouncement(gateway: gateway, serial: serial, isWhole: false, topics: []).encoded
    }
    // Sent again in a few seconds: an error is no loss.
    try? connection.publish(payload, to: subjects.interest)
  }
}
