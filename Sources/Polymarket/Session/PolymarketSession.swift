package import OddsFeed
package import OddsModel
package import Platform

/// A session with Polymarket over any connectors (Session.md).
///
/// Each socket has a task that connects and reads; it stops reading while the event queue is full, which makes the server
/// wait. Another task sleeps until the machine's next deadline. `PolymarketMachine` makes all decisions.
package final class PolymarketSession: FeedTransport {
  private struct State {
    var machine = PolymarketMachine()
    var connections: [Int: any FrameConnection] = [:]
    /// The connections that the end of the session has closed.
    var closing: [any FrameConnection] = []
    /// The tasks that connect and read, by link.
    var reading: [Int: Task<Void, Never>] = [:]
    /// The requests to Gamma.
    var requests: [Int: Task<Void, Never>] = [:]
    var alarm: DeadlineTimer
  }

  package var heartbeat: Duration? { PolymarketTiming.ping }
  package var updatesMayPrecedeDump: Bool { false }
  package func makeDecoder() -> any FeedDecoder { PolymarketDecoder() }

  private let market: any FrameConnector
  private let sports: any FrameConnector
  private let gamma: GammaClient
  private let world: ClientClock
  private let inner: Locked<State>
  /// All tasks of the session that have not ended.
  private let tasks = RunningTasks()
  /// The events that the reader has not received.
  private let queue = Mailbox<TransportEvent, Never>(limits: TransportEvent.queueLimits, cost: { $0.byteCount }) {
    $0.coalesce(with: &$1)
  }

  /// Creates a session with the market channel, the sports channel and Gamma. Nothing happens before `connect()`.
  package init(
    market: any FrameConnector, sports: any FrameConnector, gamma: GammaClient, world: ClientClock = .live
  ) {
    self.market = market
    self.sports = sports
    self.gamma = gamma
    self.world = world
    inner = Locked(State(alarm: DeadlineTimer(in: tasks)))
  }

  deinit { stop() }

  /// The current state of the connection. The event that reports it may still be in the queue.
  package var state: ConnectionState { inner.withLock { $0.machine.state } }

  // MARK: FeedTransport

  package func connect() async -> AsyncStream<TransportEvent> {
    apply(.start)
    return queue.events { self.stop() }
  }

  package func drainBufferedEvents() -> [TransportEvent] { queue.drain() }

  /// Ends the session. Returns when its tasks have ended and the peers have closed their connections, or after `PolymarketTiming.close`.
  package func disconnect() async {
    stop()
    await tasks.waitForAll()
    await inner.withLock { $0.closing }.waitUntilClosed(by: world.uptime() + PolymarketTiming.close, world)
  }

  package func subscribe(_ subscription: Subscription) async { apply(.subscribe(subscription)) }

  package func unsubscribe(_ subscription: Subscription) async { apply(.unsubscribe(subscription)) }

  package func reconnect() async { apply(.reconnect) }

  // MARK: Events

  private func apply(_ event: PolymarketMachine.Event) {
    inner.withLock { state in
      let actions = state.machine.apply(event, at: SessionMoment(world))
      perform(actions, &state)
    }
  }

  /// Connects and reads until the connection ends. Holds the session weakly, so that an abandoned one is released.
  private static func read(
    _ link: Int, _ channel: PolymarketMachine.Channel, of session: WeakReference<PolymarketSession>,
    _ connector: any FrameConnector, _ queue: Mailbox<TransportEvent, Never>
  ) async {
    let connection: any FrameConnection
    do throws(ConnectionError) { connection = try await connector.connect() } catch {
      session.value?.inner.withLock { $0.reading[link] = nil }
      session.value?.apply(.socket(.closed(error), link: link))
      return
    }
    guard session.value?.opened(connection, link) == true else { return connection.close(code: CloseCode.normal) }
    var reader = FrameReader(channel: channel)
    while !Task.isCancelled {
      await queue.room()
      let events = await connection.read()
      guard !events.isEmpty, session.value?.received(events, link, &reader) == true else { return }
    }
  }

  /// Stores a new connection. Returns false if the attempt is no longer current.
  private func opened(_ connection: any FrameConnection, _ link: Int) -> Bool {
    inner.withLock { state in
      guard state.reading[link] != nil else { return false }
      state.connections[link] = connection
      perform(state.machine.apply(.socket(.opened, link: link), at: SessionMoment(world)), &state)
      return true
    }
  }

  /// Applies the events of one read. Returns false if nothing more is to be read from the connection.
  private func received(_ events: [FrameEvent], _ link: Int, _ reader: inout FrameReader) -> Bool {
    let read = events.map { ($0.text, reader.read($0)) }
    return inner.withLock { state in
      let moment = SessionMoment(world)
      var news: [TransportEvent] = []
      for (text, event) in read {
        // An earlier event of the same read may have ended the connection.
        guard state.connections[link] != nil else { break }
        if case .closed = event { state.connections[link] = nil }
        news += perform(state.machine.apply(.socket(event, link: link), at: moment), on: text, &state)
      }
      queue.send(contentsOf: news)
      arm(&state)
      if state.connections[link] != nil { return true }
      state.reading[link] = nil
      return false
    }
  }

  // MARK: Actions

  private func perform(_ actions: [PolymarketMachine.Action], _ state: inout State) {
    queue.send(contentsOf: perform(actions, on: [], &state))
    arm(&state)
  }

  /// Performs the actions that follow from a frame. Returns the events for the reader.
  private func perform(
    _ actions: [PolymarketMachine.Action], on frame: [UInt8], _ state: inout State
  ) -> [TransportEvent] {
    var news: [TransportEvent] = []
    for action in actions {
      switch action {
      case .connect(let channel, let link):
        let session = WeakReference(self)
        let connector = channel == .market ? market : sports
        state.reading[link] = tasks.start { [queue] in await Self.read(link, channel, of: session, connector, queue) }
      case .close(let link):
        state.reading.removeValue(forKey: link)?.cancel()
        state.connections.removeValue(forKey: link)?.close(code: CloseCode.normal)
      case .send(let text, let link): state.connections[link]?.send(text)
      case .fetch(let query, let request): state.requests[request] = fetch(query, request)
      case .deliver(let subscription): news.append(.frame(TransportFrame(subscription: subscription, bytes: frame)))
      case .message(let subscription, let text):
        news.append(.frame(TransportFrame(subscription: subscription, bytes: text)))
      case .state(let connection): news.append(.state(connection))
      case .topic(let subscription, let answer): news.append(.topic(subscription, answer))
      case .alive: news.append(.alive)
      }
    }
    return news
  }

  private func fetch(_ query: PolymarketTopic, _ request: Int) -> Task<Void, Never> {
    let session = WeakReference(self)
    return tasks.start { [gamma, world] in
      let result: Result<[GammaEvent], FeedError>
      do throws(FeedError) {
        result = .success(try await gamma.events(of: query, now: world.wall()))
      } catch { result = .failure(error) }
      session.value?.fetched(request, result)
    }
  }

  private func fetched(_ request: Int, _ result: Result<[GammaEvent], FeedError>) {
    inner.withLock { state in
      state.requests[request] = nil
      perform(state.machine.apply(.fetched(request: request, result), at: SessionMoment(world)), &state)
    }
  }

  /// Ends the session. Its tasks may still be running.
  private func stop() {
    inner.withLock { state in
      let tasks = Array(state.reading.values) + Array(state.requests.values)
      state.closing += state.connections.values
      let actions = state.machine.apply(.disconnect, at: SessionMoment(world))
      let news = perform(actions, on: [], &state)
      queue.finish(with: news.suffix(1), dropsUnread: true)
      for task in tasks { task.cancel() }
      state.reading = [:]
      state.requests = [:]
      state.alarm.cancel()
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
      if queue.isHeldUp { news += perform(state.machine.apply(.unread, at: moment), on: [], &state) }
      news += perform(state.machine.apply(.time, at: moment), on: [], &state)
      queue.send(contentsOf: news)
      return state.alarm.fired(next: state.machine.deadline)
    }
  }
}

/// Reads the frames of one socket as far as the session needs it.
private struct FrameReader {
  let channel: PolymarketMachine.Channel
  private var reader = MarketEventReader()

  init(channel: PolymarketMachine.Channel) { self.channel = channel }

  mutating func read(_ event: FrameEvent) -> PolymarketMachine.SocketEvent {
    switch event {
    case .pong: return .pong
    case .progress: return .progress
    case .closed(let error): return .closed(error)
    case .text(let bytes):
      let word = bytes.count == 4 ? String(decoding: bytes, as: UTF8.self).lowercased() : ""
      if word == "pong" { return .pong }
      if word == "ping" { return .ping }
      return bytes.withUnsafeBufferPointer { bytes in
        if channel == .sports { return .sports(game: SportsUpdate.read(bytes)?.gameID, text: Array(bytes)) }
        return MarketSummary(bytes, &reader).map { .market($0) } ?? .garbage
      }
    }
  }
}

extension FrameEvent {
  fileprivate var text: [UInt8] { if case .text(let bytes) = self { bytes } else { [] } }
}
