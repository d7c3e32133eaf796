package import OddsFeed
package import OddsModel
package import Platform

/// A session with a feed over any connector: a WebSocket, or a server in this process.
///
/// One task connects and reads; it stops reading while the event queue is full, which makes the feed wait. Another task
/// sleeps until the machine's next deadline. `SessionMachine` makes all decisions.
package final class FeedSession: FeedTransport {
  private struct State {
    var machine: SessionMachine
    var connection: (any FrameConnection)?
    /// The connection that the end of the session has closed.
    var closing: (any FrameConnection)?
    /// The task that connects and reads.
    var reading: Task<Void, Never>?
    var alarm: DeadlineTimer
  }

  package var heartbeat: Duration? { SessionTiming.heartbeat }
  package var updatesMayPrecedeDump: Bool { true }
  package let auditInterval: Duration?
  package func makeDecoder() -> any FeedDecoder { MessageDecoder() }

  private let connectors: [any FrameConnector]
  private let clock: ClientClock
  private let inner: Locked<State>
  /// All tasks of the session that have not ended.
  private let tasks = RunningTasks()
  /// The events that the reader has not received. While it is full, the session does not read from its connection.
  private let queue = Mailbox<TransportEvent, Never>(limits: FeedSession.backlogLimits, cost: { $0.byteCount }) {
    $0.coalesce(with: &$1)
  }

  /// The limits of `queue`; the cost is in bytes.
  static let backlogLimits = TransportEvent.queueLimits

  /// An address of a feed.
  package struct Address: Sendable {
    let connector: any FrameConnector
    let identity: SessionMachine.Address

    /// Creates an address. `realm` is the realm to join there, and `name` the address in errors.
    package init(connector: any FrameConnector, realm: String, name: String) {
      self.connector = connector
      identity = SessionMachine.Address(realm: realm, name: name)
    }
  }

  /// Creates a session with a feed that has one or more addresses. Selects the first address at random and connects to
  /// none before `connect()`.
  ///
  /// - Parameter auditInterval: The interval at which dumps are compared with the stored state (StoreRules.md, rule 8);
  ///   nil for never.
  package init(addresses: [Address], clock: ClientClock = .live, auditInterval: Duration? = .seconds(60)) {
    connectors = addresses.map(\.connector)
    self.clock = clock
    self.auditInterval = auditInterval
    let machine = SessionMachine(addresses: addresses.map(\.identity), chance: clock.chance())
    inner = Locked(State(machine: machine, alarm: DeadlineTimer(in: tasks)))
  }

  /// Creates a session with a feed that has a single address.
  package convenience init(
    connector: any FrameConnector, realm: String, clock: ClientClock = .live, auditInterval: Duration? = .seconds(60)
  ) {
    let address = Address(connector: connector, realm: realm, name: realm)
    self.init(addresses: [address], clock: clock, auditInterval: auditInterval)
  }

  deinit { stop() }

  /// The current state of the connection. The event that reports it may still be in the queue.
  package var state: ConnectionState { inner.withLock { $0.machine.state } }

  /// The index of the address that is connected to, or that is tried or was tried last.
  package var currentAddress: Int { inner.withLock { $0.machine.rotation.current } }

  /// The number of events that the reader has not received.
  package var backlog: Int { queue.count }

  // MARK: FeedTransport

  package func connect() async -> AsyncStream<TransportEvent> {
    apply(.start)
    return queue.events { self.stop() }
  }

  package func drainBufferedEvents() -> [TransportEvent] { queue.drain() }

  /// Ends the session. Returns when its tasks have ended and the peer has closed the connection, which it awaits
  /// for at most `SessionTiming.closeTimeout`.
  package func disconnect() async {
    stop()
    await tasks.waitForAll()
    let connections = inner.withLock { [$0.closing].compactMap(\.self) }
    await connections.waitUntilClosed(by: clock.uptime() + SessionTiming.closeTimeout, clock)
  }

  package func subscribe(_ subscription: Subscription) async { apply(.subscribe(subscription)) }

  package func unsubscribe(_ subscription: Subscription) async { apply(.unsubscribe(subscription)) }

  package func reconnect() async { apply(.reconnect) }

  package func renew() async { apply(.renew) }

  package func requestDump(_ subscription: Subscription) async -> Bool {
    inner.withLock { state in
      guard let actions = state.machine.requestDump(subscription, at: moment) else { return false }
      perform(actions, &state)
      return true
    }
  }

  // MARK: Events

  private var moment: SessionMoment { SessionMoment(clock) }

  private func apply(_ event: SessionMachine.Event) {
    inner.withLock { state in
      let actions = state.machine.apply(event, at: moment)
      perform(actions, &state)
    }
  }

  /// Connects and reads until the connection ends. Holds the session weakly, so that an abandoned one is released.
  private static func read(
    _ link: Int, of session: WeakReference<FeedSession>, _ connector: any FrameConnector,
    _ queue: Mailbox<TransportEvent, Never>
  ) async {
    do throws(ConnectionError) {
      try await connector.read(into: queue) {
        session.value?.opened($0, link) == true
      } received: {
        session.value?.heard($0, link) == true
      }
    } catch { session.value?.apply(.line(.closed(error), link: link)) }
  }

  /// Stores a new connection. Returns false if the attempt is no longer current.
  private func opened(_ connection: any FrameConnection, _ link: Int) -> Bool {
    inner.withLock { state in
      guard state.machine.isCurrent(link) else { return false }
      state.connection = connection
      perform(state.machine.apply(.line(.opened, link: link), at: moment), &state)
      return true
    }
  }

  /// Applies the events of one read. Returns false if nothing more is to be read from the connection.
  private func heard(_ events: [FrameEvent], _ link: Int) -> Bool {
    inner.withLock { state in
      let moment = moment
      var news: [TransportEvent] = []
      for event in events {
        // An earlier event of the same read may have ended the connection.
        guard state.machine.isCurrent(link) else { break }
        let (event, bytes) = Self.read(event)
        let actions = state.machine.apply(.line(event, link: link), at: moment)
        let isAnswer = if case .message(.result) = event { true } else { false }
        news += perform(actions, on: bytes, isAnswer: isAnswer, at: moment.uptime, &state)
      }
      queue.send(contentsOf: news)
      arm(&state)
      if state.machine.isCurrent(link) { return true }
      if link == state.machine.link { state.connection = nil }
      return false
    }
  }

  private static func read(_ event: FrameEvent) -> (SessionMachine.LineEvent, [UInt8]) {
    switch event {
    case .pong(let number): return (.pong(number), [])
    case .progress: return (.progress, [])
    case .closed(let fault): return (.closed(fault), [])
    case .text(let bytes):
      guard let message = bytes.withUnsafeBufferPointer({ try? WAMPMessage.parse($0) }) else {
        return (.garbage, bytes)
      }
      if case .result(let request, let payload) = message { return read(answer: payload, to: request, bytes) }
      return (.message(message), bytes)
    }
  }

  /// Reads the result of a call; the only calls are requests for a dump. A result that is not a dump is not delivered.
  private static func read(
    answer payload: Range<Int>?, to request: UInt64, _ bytes: [UInt8]
  ) -> (SessionMachine.LineEvent, [UInt8]) {
    let payload = payload ?? 0..<0
    switch bytes.withUnsafeBufferPointer({ DumpAnswer($0, payload) }) {
    case .dump: return (.message(.result(request: request, payload: payload)), bytes)
    case .untyped:
      let (typed, range) = DumpAnswer.typed(bytes, payload)
      return (.message(.result(request: request, payload: range)), typed)
    case .other:
      let excerpt = String(decoding: bytes[payload].prefix(excerptLength), as: UTF8.self)
      return (.noDump(request: request, excerpt: excerpt), bytes)
    }
  }

  /// The greatest length of the excerpt of an answer that is not a dump, in bytes.
  private static let excerptLength = 60

  // MARK: Actions

  private func perform(_ actions: [SessionAction], _ state: inout State) {
    queue.send(contentsOf: perform(actions, on: [], at: clock.uptime(), &state))
    arm(&state)
  }

  /// Performs the actions that follow from `message`. Returns the events for the reader.
  private func perform(
    _ actions: [SessionAction], on message: [UInt8], isAnswer: Bool = false, at now: Duration, _ state: inout State
  ) -> [TransportEvent] {
    var news: [TransportEvent] = []
    for action in actions {
      switch action {
      case .connect(let link):
        state.connection = nil
        let session = WeakReference(self)
        let connector = connectors[state.machine.rotation.current]
        state.reading = tasks.start { [queue] in await Self.read(link, of: session, connector, queue) }
      case .close(let code):
        state.reading?.cancel()
        state.connection.take()?.close(code: code)
      case .send(let message): state.connection?.send(message.text)
      case .ping(let number): state.connection?.ping(number)
      case .deliver(let subscription, let range):
        let delay = state.machine.delay(at: now)
        var frame = TransportFrame(
          subscription: subscription, bytes: message, range: range, delay: delay, receivedAt: now)
        frame.completeUntil = state.machine.completeUntil
        frame.isAnswer = isAnswer
        news.append(.frame(frame))
      case .line(let line): news.append(.state(line))
      case .topic(let subscription, let answer): news.append(.topic(subscription, answer))
      case .alive: news.append(.alive(receivedAt: now, completeUntil: state.machine.completeUntil))
      }
    }
    return news
  }

  /// Ends the session. Its tasks may still be running.
  private func stop() {
    inner.withLock { state in
      state.closing = state.closing ?? state.connection
      let actions = state.machine.apply(.disconnect, at: moment)
      let news = perform(actions, on: [], at: clock.uptime(), &state)
      queue.finish(with: news.suffix(1), dropsUnread: true)
      state.connection = nil
      state.alarm.cancel()
    }
  }

  // MARK: Time

  /// Sets the timer to the machine's next deadline.
  private func arm(_ state: inout State) {
    guard let deadline = state.machine.deadline else { return }
    let session = WeakReference(self)
    state.alarm.set(for: deadline, clock) { session.value?.fired($0) }
  }

  private func fired(_ number: Int) -> Duration? {
    inner.withLock { state in
      guard state.alarm.isCurrent(number) else { return nil }
      let moment = moment
      var actions = queue.isHeldUp ? state.machine.apply(.unread, at: moment) : []
      actions += state.machine.apply(.time, at: moment)
      queue.send(contentsOf: perform(actions, on: [], at: moment.uptime, &state))
      return state.alarm.fired(next: state.machine.deadline)
    }
  }
}
