package import AccountModel
package import OddsFeed
import OddsModel
package import Platform

/// A session with Betfair over any connectors (Session.md).
///
/// Each connection has a task that connects and reads; it stops reading while the event queue is full, which makes the
/// provider wait. Another task sleeps until the machine's next deadline. `BetfairMachine` makes all decisions.
package final class BetfairSession: FeedTransport {
  private struct State {
    var machine: BetfairMachine
    var connections: [Int: any FrameConnection] = [:]
    /// The tasks that connect and read, by link.
    var reading: [Int: Task<Void, Never>] = [:]
    /// The requests to the login service and to the catalogue.
    var requests: [Int: Task<Void, Never>] = [:]
    /// The connections that are not read because the reader lags behind.
    var paused: Set<Int> = []
    var alarm = DeadlineTimer()
  }

  /// The time between two heartbeats of the provider.
  static let heartbeat = Duration.milliseconds(MarketSubscription().heartbeat)

  package var heartbeat: Duration? { Self.heartbeat }
  package func makeDecoder() -> any FeedDecoder { BetfairDecoder() }

  private let stream: any FrameConnector
  private let logins: LoginClient
  private let catalogue: CatalogueClient
  private let world: ClientClock
  private let inner: Locked<State>
  /// The events that the reader has not received. NB: No line is dropped when the connection is lost, because the next
  /// connection continues at the position of the last line.
  private let queue = Mailbox<TransportEvent, Never>(limits: TransportEvent.queueLimits, cost: { $0.byteCount }) {
    event, queued in
    if case .state = event { return true }
    return event.coalesce(with: &queued)
  }

  /// Creates a session with the stream, the login service and the catalogue. Nothing happens before `connect()`.
  package init(
    stream: any FrameConnector, logins: LoginClient, catalogue: CatalogueClient, appKey: Secret,
    world: ClientClock = .live
  ) {
    self.stream = stream
    self.logins = logins
    self.catalogue = catalogue
    self.world = world
    inner = Locked(State(machine: BetfairMachine(appKey: appKey)))
  }

  deinit { stop() }

  // MARK: FeedTransport

  package func connect() async -> AsyncStream<TransportEvent> {
    apply(.start)
    return AsyncStream { [queue] in
      if let event = await queue.next() { return event }
      // NB: A cancelled reader receives the last event too.
      self.stop()
      return queue.drain().first
    } onCancel: {
      self.stop()
    }
  }

  package func drainBufferedEvents() -> [TransportEvent] { queue.drain() }

  /// Ends the session. Returns when the peers have closed their connections, or after `BetfairTiming.close`.
  package func disconnect() async {
    let connections = inner.withLock { Array($0.connections.values) }
    for task in stop() { await task.value }
    if connections.isEmpty { return }
    let deadline = world.uptime() + BetfairTiming.close
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for connection in connections { while !(await connection.read()).isEmpty {} }
      }
      group.addTask { [world] in await world.sleep(deadline) }
      await group.next()
      group.cancelAll()
    }
  }

  package func subscribe(_ subscription: Subscription) async { apply(.subscribe(subscription)) }

  package func unsubscribe(_ subscription: Subscription) async { apply(.unsubscribe(subscription)) }

  package func reconnect() async { apply(.reconnect) }

  // MARK: Events

  private func apply(_ event: BetfairMachine.Event) {
    inner.withLock { state in
      let actions = state.machine.apply(event, at: SessionMoment(world))
      perform(actions, &state)
    }
  }

  /// Connects and reads until the connection ends. Holds the session weakly, so that an abandoned one is released.
  private static func read(
    _ link: Int, of session: WeakReference<BetfairSession>, _ connector: any FrameConnector,
    _ queue: Mailbox<TransportEvent, Never>
  ) async {
    let connection: any FrameConnection
    do throws(ConnectionError) { connection = try await connector.connect() } catch {
      session.value?.inner.withLock { $0.reading[link] = nil }
      session.value?.apply(.stream(.closed(error), link: link))
      return
    }
    guard session.value?.opened(connection, link) == true else { return connection.close(code: CloseCode.normal) }
    while !Task.isCancelled {
      if queue.isFull {
        session.value?.setPaused(link, true)
        await queue.room()
        session.value?.setPaused(link, false)
      }
      let events = await connection.read()
      guard !events.isEmpty, session.value?.received(events, link) == true else { return }
    }
  }

  /// Stores a new connection. Returns false if the attempt is no longer current.
  private func opened(_ connection: any FrameConnection, _ link: Int) -> Bool {
    inner.withLock { state in
      guard state.reading[link] != nil else { return false }
      state.connections[link] = connection
      perform(state.machine.apply(.stream(.opened, link: link), at: SessionMoment(world)), &state)
      return true
    }
  }

  /// Records that a connection is not read, or is read again. The pause is no silence of the provider.
  private func setPaused(_ link: Int, _ isPaused: Bool) {
    inner.withLock { state in
      if isPaused { state.paused.insert(link) } else { state.paused.remove(link) }
      perform(state.machine.apply(.unread, at: SessionMoment(world)), &state)
    }
  }

  /// Applies the events of one read. Returns false if nothing more is to be read from the connection.
  private func received(_ events: [FrameEvent], _ link: Int) -> Bool {
    inner.withLock { state in
      let moment = SessionMoment(world)
      var news: [TransportEvent] = []
      for event in events {
        // An earlier event of the same read may have ended the connection.
        guard state.connections[link] != nil else { break }
        if case .closed = event { state.connections[link] = nil }
        let actions = state.machine.apply(.stream(BetfairMachine.StreamEvent(event), link: link), at: moment)
        news += perform(actions, on: event.text, &state)
      }
      queue.send(contentsOf: news)
      arm(&state)
      if state.connections[link] != nil { return true }
      state.reading[link] = nil
      return false
    }
  }

  // MARK: Actions

  private func perform(_ actions: [BetfairMachine.Action], _ state: inout State) {
    queue.send(contentsOf: perform(actions, on: [], &state))
    arm(&state)
  }

  /// Performs the actions that follow from a line. Returns the events for the reader.
  private func perform(
    _ actions: [BetfairMachine.Action], on line: [UInt8], _ state: inout State
  ) -> [TransportEvent] {
    var news: [TransportEvent] = []
    for action in actions {
      switch action {
      case .logIn(let request):
        state.requests[request] = self.request(request) { [logins] in .login(request: request, await logins.logIn()) }
      case .keepAlive(let token, let request):
        state.requests[request] = self.request(request) { [logins] in
          .login(request: request, await logins.keepAlive(token))
        }
      case .fetch(let subscription, let limit, let token, let request):
        state.requests[request] = self.request(request) { [catalogue] in
          .catalogue(request: request, await catalogue.markets(of: subscription, limit: limit, token: token))
        }
      case .connect(let link):
        let session = WeakReference(self)
        state.reading[link] = Task { [queue, stream] in await Self.read(link, of: session, stream, queue) }
      case .close(let link):
        state.reading.removeValue(forKey: link)?.cancel()
        state.paused.remove(link)
        state.connections.removeValue(forKey: link)?.close(code: CloseCode.normal)
      case .send(let text, let link): state.connections[link]?.send(text)
      case .deliver(let subscription): news.append(.frame(TransportFrame(subscription: subscription, bytes: line)))
      case .message(let subscription, let text):
        news.append(.frame(TransportFrame(subscription: subscription, bytes: text)))
      case .state(let connection): news.append(.state(connection))
      case .topic(let subscription, let answer): news.append(.topic(subscription, answer))
      case .namesMissing(let subscription, let error): news.append(.api(subscription, error))
      case .alive: news.append(.alive)
      }
    }
    return news
  }

  private func request(
    _ number: Int, _ ask: @escaping @Sendable () async -> BetfairMachine.Event
  ) -> Task<Void, Never> {
    let session = WeakReference(self)
    return Task {
      let event = await ask()
      session.value?.answered(number, event)
    }
  }

  private func answered(_ request: Int, _ event: BetfairMachine.Event) {
    inner.withLock { state in
      state.requests[request] = nil
      perform(state.machine.apply(event, at: SessionMoment(world)), &state)
    }
  }

  /// Ends the session. Returns the tasks that are still finishing.
  @discardableResult
  private func stop() -> [Task<Void, Never>] {
    inner.withLock { state in
      let tasks = Array(state.reading.values) + Array(state.requests.values)
      let actions = state.machine.apply(.disconnect, at: SessionMoment(world))
      let news = perform(actions, on: [], &state)
      queue.finish(with: news.suffix(1), dropsUnread: true)
      for task in tasks { task.cancel() }
      state.reading = [:]
      state.requests = [:]
      return tasks + [state.alarm.cancel()].compactMap(\.self)
    }
  }

  // MARK: Time

  /// Sets the timer to the machine's next deadline.
  private func arm(_ state: inout State) {
    guard let deadline = state.machine.deadline else { return }
    let session = WeakReference(self)
    state.alarm.set(for: deadline, world) { session.value?.fired($0) }
  }

  private func fired(_ number: Int) -> Duration? {
    inner.withLock { state in
      guard state.alarm.isCurrent(number) else { return nil }
      let moment = SessionMoment(world)
      var news: [TransportEvent] = []
      if !state.paused.isEmpty { news += perform(state.machine.apply(.unread, at: moment), on: [], &state) }
      news += perform(state.machine.apply(.time, at: moment), on: [], &state)
      queue.send(contentsOf: news)
      return state.alarm.fired(next: state.machine.deadline)
    }
  }
}

extension BetfairMachine.StreamEvent {
  init(_ event: FrameEvent) {
    switch event {
    case .text(let bytes): self = .line(bytes)
    case .pong, .progress: self = .progress
    case .closed(let error): self = .closed(error)
    }
  }
}

extension FrameEvent {
  fileprivate var text: [UInt8] { if case .text(let bytes) = self { bytes } else { [] } }
}
