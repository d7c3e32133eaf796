import OddsModel
package import Platform

/// Runs a machine over connections: the part that is the same for all providers with several connections.
///
/// Each connection has a task that connects and reads; it stops reading while the event queue is full, which makes the
/// provider wait. Another task sleeps until the machine's next deadline. The machine makes all decisions.
package final class SessionDriver<Machine: FeedMachine>: Sendable {
  private struct State {
    var machine: Machine
    var links = SessionLinks()
    var alarm: DeadlineTimer
  }

  /// Performs an action that follows from a frame, which is empty if it follows from another event. Returns an event
  /// for the reader; nil for none. Called with the lock held: starts connections and requests through the driver.
  package typealias Perform =
    @Sendable (
      _ action: Machine.Action, _ frame: [UInt8], _ links: inout SessionLinks, _ driver: SessionDriver
    ) -> TransportEvent?

  private let inner: Locked<State>
  private let clock: ClientClock
  private let perform: Perform
  /// All tasks of the session that have not ended.
  private let tasks = RunningTasks()
  /// The events that the reader has not received.
  private let queue: Mailbox<TransportEvent, Never>

  /// Creates a driver. Nothing happens before the first event.
  ///
  /// - Parameter coalesce: See `Mailbox`.
  package init(
    _ machine: Machine, clock: ClientClock,
    coalesce: @escaping @Sendable (TransportEvent, inout MailboxContent<TransportEvent>) -> Bool = {
      $0.coalesce(with: &$1)
    }, perform: @escaping Perform
  ) {
    self.clock = clock
    self.perform = perform
    queue = Mailbox(limits: TransportEvent.queueLimits, cost: { $0.byteCount }, coalesce: coalesce)
    inner = Locked(State(machine: machine, alarm: DeadlineTimer(in: tasks)))
  }

  deinit { stop() }

  /// The machine in its current state.
  package var machine: Machine { inner.withLock { $0.machine } }

  // MARK: Events for the reader

  /// Returns the events for the one reader. They end with the session, and the session ends if the reader is cancelled.
  package func events() -> AsyncStream<TransportEvent> { queue.events { self.stop() } }

  /// Returns the events that are already buffered.
  package func drainBufferedEvents() -> [TransportEvent] { queue.drain() }

  // MARK: Events of the machine

  package func apply(_ event: Machine.Event) { inner.withLock { apply(event, &$0) } }

  private func apply(_ event: Machine.Event, _ state: inout State) {
    send(news(event, at: SessionMoment(clock), &state), &state)
  }

  /// Sends events to the reader, and sets the timer to the machine's next deadline.
  private func send(_ news: [TransportEvent], _ state: inout State) {
    queue.send(contentsOf: news)
    arm(&state)
  }

  /// Applies an event and performs the actions that follow. Returns the events for the reader.
  private func news(
    _ event: Machine.Event, frame: [UInt8] = [], at moment: SessionMoment, _ state: inout State
  ) -> [TransportEvent] {
    var news: [TransportEvent] = []
    for action in state.machine.apply(event, at: moment) {
      guard let event = perform(action, frame, &state.links, self) else { continue }
      news.append(event.received(at: moment.uptime, delay: state.machine.delay(at: moment.uptime)))
    }
    return news
  }

  /// Starts a request. Its answer is applied as an event.
  package func request(_ ask: @escaping @Sendable () async -> Machine.Event) {
    let driver = WeakReference(self)
    _ = tasks.start {
      let event = await ask()
      driver.value?.apply(event)
    }
  }

  // MARK: Connections

  /// Starts a connection and its reading. The task holds the driver weakly, so that an abandoned one is released.
  ///
  /// - Parameters:
  ///   - opened: The event that the connection is open.
  ///   - reader: Called once, in the reading task. Returns the function that makes an event of each received frame.
  package func open(
    _ link: Int, _ connector: any FrameConnector, _ links: inout SessionLinks, opened: Machine.Event,
    reader: @escaping @Sendable () -> (FrameEvent) -> Machine.Event
  ) {
    let driver = WeakReference(self)
    links.reading[link] = tasks.start { [queue] in
      let read = reader()
      do throws(ConnectionError) {
        try await connector.read(into: queue) {
          driver.value?.opened($0, link, opened) == true
        } paused: {
          driver.value?.setPaused(link, $0)
        } received: { frames in
          driver.value?.received(frames.map { ($0, read($0)) }, link) == true
        }
      } catch { driver.value?.failed(link, read(.closed(error))) }
    }
  }

  /// Stores a new connection. Returns false if the attempt is no longer current.
  private func opened(_ connection: any FrameConnection, _ link: Int, _ event: Machine.Event) -> Bool {
    inner.withLock { state in
      guard state.links.reading[link] != nil else { return false }
      state.links.open[link] = connection
      apply(event, &state)
      return true
    }
  }

  private func failed(_ link: Int, _ event: Machine.Event) {
    inner.withLock { state in
      state.links.end(link)
      apply(event, &state)
    }
  }

  /// Records that a connection is not read, or is read again. The pause is no silence of the provider.
  private func setPaused(_ link: Int, _ isPaused: Bool) {
    inner.withLock { state in
      guard state.links.open[link] != nil else { return }
      if isPaused { state.links.paused.insert(link) } else { state.links.paused.remove(link) }
      apply(.unread(link: link), &state)
    }
  }

  /// Applies the events of one read. Returns false if nothing more is to be read from the connection.
  private func received(_ events: [(FrameEvent, Machine.Event)], _ link: Int) -> Bool {
    inner.withLock { state in
      let moment = SessionMoment(clock)
      var news: [TransportEvent] = []
      for (frame, event) in events {
        // An earlier event of the same read may have ended the connection.
        guard state.links.open[link] != nil else { break }
        if case .closed = frame { state.links.end(link) }
        news += self.news(event, frame: frame.text, at: moment, &state)
      }
      send(news, &state)
      return state.links.open[link] != nil
    }
  }

  // MARK: Time

  /// Sets the timer to the machine's next deadline. Has no effect after the end of the session.
  private func arm(_ state: inout State) {
    guard !queue.isFinished, let deadline = state.machine.deadline else { return }
    let driver = WeakReference(self)
    state.alarm.set(for: deadline, clock) { driver.value?.fired($0) }
  }

  private func fired(_ number: Int) -> Duration? {
    inner.withLock { state in
      guard state.alarm.isCurrent(number) else { return nil }
      let moment = SessionMoment(clock)
      let events = state.links.paused.map { Machine.Event.unread(link: $0) } + [.time]
      queue.send(contentsOf: events.flatMap { news($0, at: moment, &state) })
      return state.alarm.fired(next: state.machine.deadline)
    }
  }

  // MARK: End

  /// Ends the session. Its tasks may still be running.
  package func stop() {
    inner.withLock { state in
      state.links.closing += state.links.open.values
      let news = news(.disconnect, at: SessionMoment(clock), &state)
      queue.finish(with: news.suffix(1), dropsUnread: true)
      tasks.cancelAll()
      state.links.reading = [:]
      state.alarm.cancel()
    }
  }

  /// Ends the session. Returns when its tasks have ended and the peers have closed their connections, which it awaits
  /// for at most `timeout`.
  package func disconnect(within timeout: Duration) async {
    stop()
    await tasks.waitForAll()
    await inner.withLock { $0.links.closing }.waitUntilClosed(by: clock.uptime() + timeout, clock)
  }
}
