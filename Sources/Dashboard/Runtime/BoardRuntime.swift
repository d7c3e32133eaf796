package import TerminalCore

/// The wall clock and the local time zone.
package struct BoardClock: Sendable {
  /// Returns the wall time, in milliseconds since 1970.
  package let wall: @Sendable () -> Int64
  /// The offsets of the local time zone.
  package let zone: ZoneOffsets

  /// - Parameter zone: Returns the local zone's offset from UTC in seconds, at a time in milliseconds since 1970.
  package init(wall: @escaping @Sendable () -> Int64, zone: @escaping @Sendable (Int64) -> Int) {
    self.wall = wall
    self.zone = ZoneOffsets(zone)
  }
}

/// Runs a board on a screen: in each frame it waits, reads changes, reduces and draws.
package actor BoardRuntime {
  let screen: any Screen
  let glyphs: GlyphSet
  let input: any TerminalInput
  let service: any FeedService
  let account: (any AccountService)?
  let host: (any BoardHost)?
  let history: (any PriceHistorySource)?
  private let executor: any SerialExecutor
  private let clock: BoardClock
  private let frameInterval: Duration
  private(set) var pacer: FramePacer

  var state: BoardState
  private var painter: BoardPainter
  var open: (any OpenChannel)?
  /// The channel of the open match, on its own topic.
  var detail: (any OpenChannel)?
  /// Another topic of the channel, which replaces it when loaded.
  var next: (any OpenChannel)?
  /// The uptime of the feed's last update; nil before the first one.
  private var lastUpdate: Duration?
  /// True if the channel has changes pending for the next frame.
  var hasMore = false
  private var hasPainted = false
  var mustRepaint = false
  var sent = TerminalOutputState()
  /// The results of searches in the history that are not applied yet.
  var searchResults: [Action] = []
  /// The terminal's events that arrived while the account was closing.
  var delayed: [TerminalEvent] = []
  /// True once the board is to be closed.
  private var isOver = false
  /// True while the account's connections are closed or closing, until the program resumes.
  var isSuspended = false
  /// True while the account's connections are closing.
  var isClosing = false
  /// The session last stored for the next run, or that of the board's first state.
  var savedSession: BoardSession

  /// The least time between frames in low-bandwidth mode.
  private static let slowInterval = Duration.milliseconds(500)
  /// The time for which the old frame stays on the screen before a new channel shows that its dump is pending.
  private static let dumpTimeout = Duration.milliseconds(100)

  /// Creates a board. `executor` runs everything that accesses the screen. `framesPerSecond` limits the frames not
  /// requested by input.
  package init(
    state: BoardState, screen: sending any Screen, input: any TerminalInput, service: any FeedService,
    account: (any AccountService)? = nil, host: (any BoardHost)? = nil,
    history: (any PriceHistorySource)? = nil, executor: any SerialExecutor,
    framesPerSecond: Int, clock: BoardClock
  ) {
    self.state = state
    savedSession = state.session
    glyphs = screen.glyphs
    painter = BoardPainter(glyphs: glyphs)
    self.screen = screen
    self.input = input
    self.service = service
    self.account = account
    self.host = host
    self.history = history
    self.executor = executor
    self.clock = clock
    frameInterval = .seconds(1) / framesPerSecond
    pacer = FramePacer(interval: frameInterval)
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Runs until the user ends the program or the terminal is gone.
  package func run() async {
    queryTerminal()
    if let account {
      await send(.accountFound(canEndSession: account.canEndSession), now: frameTime())
      account.start { [input] in input.wake() }
    }
    await host?.start { [input] in input.wake() }
    await service.connect()
    await openChannel(state.requestedTopic)
    await showFrames()
    saveSession()
    await host?.stop()
    await closeMatch()
    await open?.close()
    await next?.close()
    await account?.stop()
    await service.disconnect()
  }

  private func showFrames() async {
    var isAsked = true
    // True if the last wait has ended because the screen changes by itself.
    var isTimed = false
    while !isOver {
      let now = frameTime()
      // Input is answered at once, and so is a dump that the screen waits for. Otherwise updates wait for the next
      // frame and are read once in it.
      pacer.interval = state.settings.isLowBandwidth ? max(frameInterval, Self.slowInterval) : frameInterval
      let isDue = isAsked || isWaitingForDump(now) || pacer.isDue(now: now.uptime)
      if isDue {
        if let status = account?.drain() { await send(.accountChanged(status), now: now) }
        await exchangeTopics(now: now)
        for change in host?.drain() ?? [] { await send(change, now: now) }
        await frame(now: now, isTimed: isTimed)
        await send(.pagesDue, now: now)
      }
      let deadline = isDue ? nextDeadline(after: now) : pacer.next ?? now.uptime
      let events = await nextEvents(until: deadline)
      isAsked = !events.isEmpty
      isTimed = isDue && !isAsked && deadline <= input.now()
      for event in events where !isOver { await handle(event, now: frameTime()) }
      await applySearchResults()
      if isAsked { saveSession() }
    }
  }

  private func nextEvents(until deadline: Duration) async -> [TerminalEvent] {
    if delayed.isEmpty { return await input.wait(until: deadline) }
    defer { delayed = [] }
    return delayed
  }

  private func frame(now: FrameTime, isTimed: Bool) async {
    if let address = service.address() { await send(.addressChanged(address), now: now) }
    if let playback = service.playback() { await send(.playbackMoved(playback), now: now) }
    if let update = open?.drain(prioritizing: state.list.prioritized, limit: maxUnseen) {
      hasMore = update.hasMore
      await send(.channelUpdated(update), now: now)
      pacer.begin(now: now.uptime)
      lastUpdate = now.uptime
    }
    if let update = detail?.drain() {
      await send(.matchUpdated(update), now: now)
      pacer.begin(now: now.uptime)
      lastUpdate = now.uptime
    }
    if !isWaitingForDump(now) { await paint(now: now, isTimed: isTimed && lastUpdate != now.uptime) }
  }

  private func handle(_ event: TerminalEvent, now: FrameTime) async {
    switch event {
    case .hangUp: isOver = true
    case .suspending: await suspend()
    case .resumed: resume()
    case .resized(let size):
      mustRepaint = true
      await send(.resized(size), now: now)
    case .key(let key): await send(.keyPressed(key), now: now)
    case .mouse(let press): await send(.mousePressed(press), now: now)
    case .answer(let answer): await apply(answer, now: now)
    }
  }

  /// Applies an action to the state and performs its effects in order. The effects of a frame never suspend.
  func send(_ action: Action, now: FrameTime) async {
    for effect in state.reduce(action, now: now) where !isOver { await perform(effect) }
  }

  private func perform(_ effect: Effect) async {
    switch effect {
    case .quit: isOver = true
    case .openChannel(let topic): await openChannel(topic)
    case .openTopic(let topic): await openTopic(topic)
    case .openMatch(let id, let topic): await openMatch(id, of: topic)
    case .closeMatch: await closeMatch()
    case .readPrices(let request): readPrices(request)
    case .searchHistory(let search): searchHistory(search)
    case .readPastMatch(let match): readPastMatch(match)
    case .readAlertHistory(let requests): readAlertHistory(requests)
    case .reconnect:
      account?.retry()
      await service.reconnect()
    case .setRate(let rate): await service.setRate(rate)
    case .togglePause: service.togglePause()
    case .seek(let step): service.seek(by: step)
    case .seekTo(let position): service.seek(to: position)
    case .requestHealth(let id): requestHealth(id)
    case .reauthenticate: await service.reauthenticate()
    case .logIn(let user, let password): account?.logIn(user: user, password: password)
    case .logOut: account?.logOut()
    case .goHome: account?.goHome()
    case .endSession: account?.endSession()
    case .terminal(let request): screen.ask(request)
    case .write(let path): write(to: path)
    case .show(let message): await send(.messageReceived(message), now: frameTime())
    case .deliver(let alerts): host?.deliver(alerts)
    }
  }

  /// Requests the channel's health. No frame and no key waits for the answer: the channel may be busy with a dump.
  private func requestHealth(_ id: Int) {
    guard let open else { return }
    Task {
      let health = await open.health()
      await send(.healthReceived(health, requestID: id), now: frameTime())
      input.wake()
    }
  }

  private func isWaitingForDump(_ now: FrameTime) -> Bool {
    !state.connection.isLoaded && now.uptime < state.connection.openedAt + Self.dumpTimeout && hasPainted
  }

  /// Paints the state. `isTimed` is true if it only changes by itself.
  private func paint(now: FrameTime, isTimed: Bool) async {
    await send(.frameDue, now: now)
    // NB: Each call that reads an actor's property copies it; one local copy serves the whole frame.
    let state = state
    prepareTerminal(for: state, now: now)
    let whole = mustRepaint || state.statusBar.paintsWholeScreen
    let start = input.now()
    var (damage, report) = painter.draw(state, now: now, whole: whole)
    if damage.isEmpty { return }
    let paint = screen.paint(painter.frame, damage: damage, whole: whole)
    let end = input.now()
    pacer.wrote(for: paint.writing, until: end)
    report.bytes = paint.bytes
    report.duration = end - start
    mustRepaint = false
    hasPainted = true
    pacer.begin(now: now.uptime, isTimed: isTimed)
    await send(.painted(report), now: now)
  }

  /// Returns the deadline for the next frame if no input arrives.
  private func nextDeadline(after now: FrameTime) -> Duration {
    if isWaitingForDump(now) { return state.connection.openedAt + Self.dumpTimeout }
    var next = state.nextDeadline(after: now)
    if let change = painter.nextDeadline { next = min(next, change) }
    if hasMore { return pacer.next ?? now.uptime }
    // While updates arrive, their frames include timed changes; an extra frame would delay the next update.
    if let lastUpdate { next = max(next, lastUpdate + pacer.interval + pacer.interval) }
    return max(next, pacer.nextTimed ?? next)
  }

  func frameTime() -> FrameTime { FrameTime(uptime: input.now(), wall: clock.wall(), zone: clock.zone) }
}
