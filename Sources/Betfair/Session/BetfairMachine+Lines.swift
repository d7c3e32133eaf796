import AccountModel
import OddsFeed
import OddsModel
import Platform

// The connections of the topics.
extension BetfairMachine {
  mutating func openIdleLines() {
    for index in entries.indices where entries[index].needsLine {
      if case .idle = entries[index].line { open(index, attempt: 1) }
    }
  }

  /// Opens the connection of a topic. Without a login, it waits for it. The markets of a topic with a limit are
  /// requested first.
  mutating func open(_ index: Int, attempt: Int) {
    guard isStarted, finalError == nil, login.token != nil else { return entries[index].line = .idle }
    if entries[index].topic.limit != nil, entries[index].listed == nil { return list(index, attempt: attempt) }
    if attempt == 1, !hasConnectionLeft {
      let delay = RetryDelay.delay(beforeRetry: 0, atLeast: BetfairTiming.noConnection, chance: now.chance)
      return wait(index, attempt: 2, .tooManyConnections, delay: delay)
    }
    let link = nextNumber()
    entries[index].line = .connecting(link: link, attempt: attempt, deadline: now.uptime + BetfairTiming.connect)
    actions.append(.connect(link: link))
  }

  /// False if the account can open no further connection, as last known. Without a connection, that may be out of date.
  private var hasConnectionLeft: Bool { connectionsAvailable != 0 || !entries.contains(where: \.hasConnection) }

  /// Lets topics connect that wait because the account had no connection left: as many as it has now, in their order. To
  /// be called after a topic that may have had a connection needs none any more.
  mutating func openWaitingLines() {
    guard hasConnectionLeft else { return }
    let opening = entries.count { $0.line.link != nil && !$0.hasConnection }
    let count = Int(clamping: max(1, connectionsAvailable ?? .max)) - opening
    let waiting = entries.indices.filter { entries[$0].line.retry?.reason == FeedError.tooManyConnections }
    for index in waiting.prefix(max(0, count)) { wait(index, attempt: 2, .tooManyConnections) }
  }

  /// Closes the connection of a topic, if it has one. Its position in the stream is kept.
  mutating func closeLine(_ index: Int) {
    if let link = entries[index].line.link { actions.append(.close(link: link)) }
    // The account has room for another one then. NB: The provider's number can be the largest integer.
    if entries[index].hasConnection { connectionsAvailable? &+= 1 }
    entries[index].isCounted = false
    // NB: The next connection continues at the position of the last line, so no line may be dropped.
    release(index, isLast: false)
    entries[index].stream.disconnected()
    entries[index].imageAt = nil
    entries[index].line = .idle
  }

  mutating func apply(_ event: StreamEvent, _ link: Int) {
    guard let index = entries.firstIndex(where: { $0.line.link == link }) else { return }
    switch event {
    case .opened:
      guard case .connecting(_, let attempt, _) = entries[index].line else { return }
      // NB: The login is being renewed. Its answer opens the idle connections.
      guard let token = login.token else { return closeLine(index) }
      entries[index].line = .open(link: link, attempt: attempt, since: now.uptime, isSubscribed: false)
      entries[index].stream.connected(token: token.text, at: now.uptime)
      entries[index].token = token
    case .line(let bytes):
      let moment = now.uptime
      let steps = bytes.withUnsafeBufferPointer { entries[index].stream.receive($0, at: moment) }
      perform(steps, index, link, line: bytes)
      // NB: Only after the line, because the prices from before it may be old.
      reportSilence(index)
    case .progress: entries[index].stream.partArrived(at: now.uptime)
    case .closed(let error): lose(index, error.problem, isTerminal: error.isTerminal)
    }
  }

  /// Performs the actions that the session of a connection returns. `line` is the received line, if there is one.
  mutating func perform(
    _ steps: [MarketStreamSession.Action], _ index: Int, _ link: Int, line: [UInt8] = []
  ) {
    for step in steps {
      switch step {
      case .connectionsAvailable(let count):
        connectionsAvailable = count
        entries[index].isCounted = true
      case .send(let text): actions.append(.send(text, link: link))
      case .subscribed: subscribed(index)
      case .decode where entries[index].pendingLines.isWaiting:
        entries[index].pendingLines.append(line)
        if entries[index].pendingLines.isFull { release(index, isLast: true) }
      case .decode: actions.append(.deliver(entries[index].subscription))
      case .defined(let markets, let isImage):
        if isImage { entries[index].names.reset(knowing: entries[index].listed ?? []) }
        entries[index].names.add(markets)
      case .imaged: imaged(index)
      case .damaged: damaged(index)
      case .limited: limited(index)
      case .close(let failure): failed(index, failure)
      }
    }
    askForNames(index)
  }

  private mutating func subscribed(_ index: Int) {
    guard case .open(let link, let attempt, let since, _) = entries[index].line else { return }
    entries[index].line = .open(link: link, attempt: attempt, since: since, isSubscribed: true)
    refusedLogins = 0
  }

  /// Reports that a topic is live, at its first image together with its names: a reader of one state gets both.
  private mutating func imaged(_ index: Int) {
    if entries[index].isAwaitingNames {
      entries[index].pendingLines.wait(until: now.uptime + BetfairTiming.names)
    } else {
      release(index, isLast: true)
      report(index, .live)
    }
  }

  /// Reports that the prices of a topic are delayed while its own connection is silent, or that they no longer are.
  /// Other connections may be active meanwhile.
  private mutating func reportSilence(_ index: Int) {
    guard let time = entries[index].stream.overdueAt else { return }
    switch entries[index].reported {
    case .live where now.uptime >= time:
      report(index, .overdue(lastSign: now.wall(after: entries[index].stream.lastSign - now.uptime)))
    case .overdue where now.uptime < time: report(index, .live)
    case .live, .overdue, .requested, .maintenance, .late, .retrying, .refused: break
    }
  }

  /// Ends the wait of a topic for its first names, if its image is complete.
  mutating func stopAwaitingNames(_ index: Int) {
    if entries[index].pendingLines.deadline != nil { release(index, isLast: true) }
  }

  /// Delivers the pending lines, and reports that the topic is live if its image is complete.
  private mutating func release(_ index: Int, isLast: Bool) {
    guard entries[index].pendingLines.isWaiting else { return }
    let subscription = entries[index].subscription
    let hasImage = entries[index].pendingLines.deadline != nil
    actions += entries[index].pendingLines.release(isLast: isLast).map { .message(subscription, $0) }
    // NB: So that the loss that may follow is a change, and is reported. Otherwise its old prices look live.
    if hasImage { report(index, .live) }
  }

  /// Asks for an image after some time, because only an image restores the values of a change that cannot be read.
  private mutating func damaged(_ index: Int) {
    if entries[index].imageAt != nil { return }
    let sinceLast = now.uptime - entries[index].lastImageRequest
    if sinceLast >= BetfairTiming.imageBackoffReset { entries[index].imageRequests = 0 }
    let delay = RetryDelay.delay(beforeRetry: entries[index].imageRequests, chance: now.chance)
    entries[index].imageAt = now.uptime + delay
    entries[index].imageRequests += 1
  }

  // MARK: Loss

  /// Handles the end of a connection, or of the attempt to open it. A connection that had lasted is replaced at once.
  private mutating func lose(_ index: Int, _ why: FeedError, isTerminal: Bool = false) {
    let line = entries[index].line
    closeLine(index)
    if isTerminal { return giveUp(why) }
    if isStable(line) {
      report(index, .requested)
      return open(index, attempt: 1)
    }
    wait(index, attempt: nextAttempt(after: line), why)
  }

  /// Returns true for a connection that has had its subscription for some time.
  private func isStable(_ line: Line) -> Bool {
    if case .open(_, _, let since, true) = line { now.uptime - since >= RetryDelay.stableAfter } else { false }
  }

  /// Returns the number of the attempt after a line. After a stable connection the count starts again.
  private func nextAttempt(after line: Line) -> Int { isStable(line) ? 2 : (line.attempt ?? 1) + 1 }

  private mutating func failed(_ index: Int, _ failure: MarketStreamSession.Failure) {
    let attempt = nextAttempt(after: entries[index].line)
    let error = failure.error(of: entries[index].subscription.topic)
    switch failure.reaction {
    case .retry where failure == .silence: lose(index, error)
    case .retry, .startOver:
      closeLine(index)
      wait(index, attempt: attempt, error)
    case .logIn:
      closeLine(index)
      report(index, .requested)
      renewLogin(entries[index].token, error)
      // NB: If the login is renewed already, the connection is opened with it.
      if login.token != nil { wait(index, attempt: attempt, error) }
    case .giveUp where failure.concernsAll:
      closeLine(index)
      giveUp(error)
    case .giveUp where error == .tooManyMarkets && entries[index].listed == nil:
      closeLine(index)
      list(index, attempt: attempt)
    case .giveUp:
      closeLine(index)
      entries[index].line = .refused(error)
      report(index, .refused(error))
      openWaitingLines()
    }
  }

  /// Ends all attempts until the user asks for another.
  private mutating func giveUp(_ why: FeedError) {
    finalError = why
    for index in entries.indices { closeLine(index) }
  }

  /// Waits before the next attempt: for `delay`, or for the usual time.
  mutating func wait(_ index: Int, attempt: Int, _ why: FeedError, delay: Duration? = nil) {
    let delay = delay ?? RetryDelay.delay(beforeRetry: attempt - 2, chance: now.chance)
    let retry = Retry(attempt: attempt, time: now.wall(after: delay), reason: why)
    entries[index].line = .waiting(retry, until: now.uptime + delay)
    report(index, .retrying(why, at: retry.time))
  }

  mutating func lineTimePassed(_ index: Int) {
    reportSilence(index)
    if let time = entries[index].pendingLines.deadline, now.uptime >= time { stopAwaitingNames(index) }
    if let time = entries[index].imageAt, now.uptime >= time, let link = entries[index].line.link {
      entries[index].imageAt = nil
      entries[index].lastImageRequest = now.uptime
      perform(entries[index].stream.askForImage(), index, link)
    }
    switch entries[index].line {
    case .connecting(_, _, let deadline) where now.uptime >= deadline: lose(index, .noGreeting)
    case .waiting(let retry, let until) where now.uptime >= until:
      report(index, .requested)
      open(index, attempt: retry.attempt)
    case .open(let link, _, _, _): perform(entries[index].stream.checkSilence(at: now.uptime), index, link)
    case .idle, .connecting, .waiting, .listing, .refused: break
    }
  }
}
