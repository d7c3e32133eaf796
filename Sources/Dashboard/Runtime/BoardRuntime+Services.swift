import OddsHistory
import OddsModel
import TerminalCore

// The account and the machine besides feed and terminal.
extension BoardRuntime {
  /// The longest delay of a suspension, to close the account's connections.
  private static let suspendTimeout = Duration.milliseconds(500)

  /// Suspends the program after the account has closed its connections, or after `suspendTimeout`.
  func suspend() async {
    if let account {
      isSuspended = true
      isClosing = true
      let end = input.now() + Self.suspendTimeout
      account.suspend { Task { await self.accountClosed() } }
      while isClosing, input.now() < end { delayed += await input.wait(until: end) }
    }
    input.suspend()
  }

  private func accountClosed() {
    isClosing = false
    input.wake()
  }

  func resume() {
    mustRepaint = true
    // The release of the terminal reset its modes and title, and the program may resume on another terminal.
    sent.reports = []
    sent.title = ""
    queryTerminal()
    if isSuspended { account?.resume() }
    isSuspended = false
  }

  /// Stores the session for the next run if it differs from the one last stored.
  func saveSession() {
    guard let host else { return }
    let session = state.session
    if session == savedSession { return }
    savedSession = session
    host.save(session)
  }

  /// Writes the screen to a file, without the prompt that requested it. No frame waits for the disk.
  func write(to path: String) {
    guard let host else { return }
    let frame = view(state, now: frameTime(), glyphs: glyphs)
    Task {
      await send(.messageReceived(await host.write(frame, to: path)), now: frameTime())
      input.wake()
    }
  }
}

extension BoardRuntime {
  /// Reads the recorded prices of an outcome. No frame and no key waits for the disk.
  func readPrices(_ request: PriceRequest) {
    guard let history else { return }
    let request = history.epoch.map { request.moved(to: $0) } ?? request
    Task.detached { [input, weak self] in
      let outcome = request.outcome
      guard
        let record = await history.record(
          of: outcome.outcome, in: outcome.market, of: request.match, since: request.begin)
      else { return }
      await self?.received(RecordedPrices(record, for: request))
      input.wake()
    }
  }

  private func received(_ prices: RecordedPrices) async { await send(.pricesRead(prices), now: frameTime()) }

  /// Searches the history. No frame and no key waits for the disk.
  func searchHistory(_ search: HistorySearch) {
    guard let history,
      let query = try? MatchQuery(search.text, state.words, wall: frameTime().wall, hasPrices: false)
    else { return }
    Task.detached { [input, weak self] in
      let result = await history.pastMatches(query)
      await self?.received(result, of: search)
      input.wake()
    }
  }

  private func received(_ result: Result<[Match], HistoryError>, of search: HistorySearch) {
    searchResults.append(.historySearched(search, result))
  }

  /// Applies the results of searches in the history.
  ///
  /// NB: Not when they arrive. A result can open a match, and a key that is handled meanwhile can close or open one: the
  /// board would read the wrong match, or leave one open.
  func applySearchResults() async {
    let results = searchResults
    searchResults = []
    for result in results { await send(result, now: frameTime()) }
  }

  /// Reads a match of the history. No frame and no key waits for the disk.
  func readPastMatch(_ match: MatchID) {
    guard let history else { return }
    Task.detached { [input, weak self] in
      let result = await history.lastKnown(match)
      await self?.received(result, of: match)
      input.wake()
    }
  }

  private func received(_ result: Result<LastKnownMatch?, HistoryError>, of match: MatchID) async {
    await send(.pastMatchRead(match, result), now: frameTime())
  }

  /// Reads the recorded prices for alert rules. The answers arrive in parts, so the first do not wait for the last.
  func readAlertHistory(_ requests: [AlertHistoryRequest]) {
    guard let history else { return }
    Task.detached { [input] in
      await history.readPastPrices(requests) { [weak self] answers in
        await self?.received(answers)
        input.wake()
      }
    }
  }

  private func received(_ answers: [AlertHistoryAnswer]) async {
    await send(.alertHistoryRead(answers), now: frameTime())
  }
}

/// The topics that a board reads: one, and for a time a second one that replaces it.
extension BoardRuntime {
  /// The most matches outside the screen that may be applied in a second, so that visible matches do not wait.
  private static let unseenPerSecond = 30_000

  /// The most matches outside the screen that may be applied in one frame: the share of the time between two frames.
  var maxUnseen: Int { max(100, Int(pacer.interval / .seconds(1) * Double(Self.unseenPerSecond))) }

  func openChannel(_ topic: Topic) async {
    let old = (open, next)
    open = await service.open(topic) { [input] in input.wake() }
    next = nil
    hasMore = false
    await old.0?.close()
    await old.1?.close()
  }

  func openTopic(_ topic: Topic) async {
    let old = next
    next = await service.open(topic) { [input] in input.wake() }
    await old?.close()
  }

  /// Replaces the topic when the next one is loaded. Until then the old topic is read, so its prices stay live. A
  /// refused topic is closed, except for a watch list, where it replaces the old one. A frozen screen keeps its topic.
  func exchangeTopics(now: FrameTime) async {
    guard let next, !state.list.isFrozen else { return }
    switch next.status() {
    case .waiting: return
    case .refused where !state.list.isWatchList:
      self.next = nil
      await send(.topicRefused, now: now)
      return await next.close()
    case .refused, .loaded: break
    }
    guard let update = next.drain() else { return }
    let old = open
    open = next
    self.next = nil
    hasMore = false
    await send(.topicReplaced(update), now: now)
    await old?.close()
  }

  func openMatch(_ id: MatchID, of topic: Topic) async {
    let known = open?.match(id)
    await closeMatch()
    detail = await service.openMatch(id, of: topic) { [input] in input.wake() }
    await send(.matchOpened(id, known: known, hasTopic: detail != nil), now: frameTime())
  }

  func closeMatch() async { await detail.take()?.close() }
}

// Requests to the terminal besides frames, and its answers.
extension BoardRuntime {
  /// The time within which an answer can change the theme. A later change of colours would disturb the reader.
  private static let answerTimeout = Duration.seconds(1)

  /// Queries the terminal. The answers arrive as events, or not at all.
  func queryTerminal() {
    sent.queriedAt = input.now()
    screen.ask(.answers)
  }

  func apply(_ answer: TerminalAnswer, now: FrameTime) async {
    screen.apply(answer)
    if now.uptime <= sent.queriedAt + Self.answerTimeout { await send(.terminalAnswered(answer), now: now) }
  }

  /// Sets the terminal's modes, title and theme for the next frame. Sends only what has changed.
  func prepareTerminal(for state: BoardState, now: FrameTime) {
    if sent.reports != state.inputModes {
      sent.reports = state.inputModes
      screen.report(state.inputModes)
    }
    let title = state.title(now: now)
    if sent.title != title {
      sent.title = title
      screen.ask(.title(title))
    }
    if sent.theme != state.theme {
      mustRepaint = mustRepaint || sent.theme != nil
      sent.theme = state.theme
      screen.use(state.theme)
    }
  }
}

/// The modes, title and theme last sent to the terminal, so that each is sent only once.
struct TerminalOutputState {
  /// The reported inputs besides keys.
  var reports: InputModes = []
  var title = ""
  var theme: Theme?
  var queriedAt = Duration.zero
}
