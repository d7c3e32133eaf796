import AccountModel
import OddsFeed
import OddsModel
import Platform

// The connections of the topics.
extension BetfairMachine {
  mutating func openIdleLines() {
    for place in entries.indices where entries[place].needsLine {
      if case .idle = entries[place].line { open(place, attempt: 1) }
    }
  }

  /// Opens the connection of a topic. Without a login, it waits for it.
  mutating func open(_ place: Int, attempt: Int) {
    guard isStarted, finalError == nil, login.token != nil else { return entries[place].line = .idle }
    if attempt == 1, connectionsAvailable == 0, entries.contains(where: { $0.line.isSubscribed }) {
      return wait(place, attempt: 2, .tooManyConnections)
    }
    let link = nextNumber()
    entries[place].line = .connecting(link: link, attempt: attempt, deadline: now.uptime + BetfairTiming.connect)
    actions.append(.connect(link: link))
  }

  /// Closes the connection of a topic, if it has one. Its position in the stream is kept.
  mutating func closeLine(_ place: Int) {
    if let link = entries[place].line.link { actions.append(.close(link: link)) }
    // The account has room for another one then.
    if entries[place].line.isSubscribed { connectionsAvailable? += 1 }
    // NB: The next connection continues at the position of the last line, so no line may be dropped.
    release(place, isLast: false)
    entries[place].stream.disconnected()
    entries[place].imageAt = nil
    entries[place].line = .idle
  }

  mutating func apply(_ event: StreamEvent, _ link: Int) {
    guard let place = entries.firstIndex(where: { $0.line.link == link }) else { return }
    switch event {
    case .opened:
      guard case .connecting(_, let attempt, _) = entries[place].line else { return }
      // NB: The login is being renewed. Its answer opens the idle connections.
      guard let token = login.token else { return closeLine(place) }
      entries[place].line = .open(link: link, attempt: attempt, since: now.uptime, isSubscribed: false)
      entries[place].stream.connected(token: token.text, at: now.uptime)
      entries[place].token = token
    case .line(let bytes):
      let moment = now.uptime
      let steps = bytes.withUnsafeBufferPointer { entries[place].stream.receive($0, at: moment) }
      perform(steps, place, link, line: bytes)
    case .progress: entries[place].stream.partArrived(at: now.uptime)
    case .closed(let error): lose(place, error.problem, isTerminal: error.isTerminal)
    }
  }

  /// Performs the actions that the session of a connection returns. `line` is the received line, if there is one.
  mutating func perform(
    _ steps: [MarketStreamSession.Action], _ place: Int, _ link: Int, line: [UInt8] = []
  ) {
    for step in steps {
      switch step {
      case .connectionsAvailable(let count): connectionsAvailable = count
      case .send(let text): actions.append(.send(text, link: link))
      case .subscribed: subscribed(place)
      case .decode where entries[place].pendingLines.isWaiting:
        entries[place].pendingLines.append(line)
        if entries[place].pendingLines.isFull { release(place, isLast: true) }
      case .decode: actions.append(.deliver(entries[place].subscription))
      case .defined(let markets, let isImage):
        if isImage { entries[place].names.reset(knowing: entries[place].listed ?? []) }
        entries[place].names.add(markets)
      case .imaged: imaged(place)
      case .damaged: damaged(place)
      case .limited: limited(place)
      case .close(let failure): failed(place, failure)
      }
    }
    askForNames(place)
  }

  private mutating func subscribed(_ place: Int) {
    guard case .open(let link, let attempt, let since, _) = entries[place].line else { return }
    entries[place].line = .open(link: link, attempt: attempt, since: since, isSubscribed: true)
    refusedLogins = 0
  }

  /// Reports that a topic is live, at its first image together with its names: a reader of one state gets both.
  private mutating func imaged(_ place: Int) {
    if entries[place].isAwaitingNames {
      entries[place].pendingLines.wait(until: now.uptime + BetfairTiming.names)
    } else {
      release(place, isLast: true)
      report(place, .live)
    }
  }

  /// Ends the wait of a topic for its first names, if its image is complete.
  mutating func stopAwaitingNames(_ place: Int) {
    if entries[place].pendingLines.deadline != nil { release(place, isLast: true) }
  }

  /// Delivers the pending lines, and reports that the topic is live if its image is complete.
  private mutating func release(_ place: Int, isLast: Bool) {
    guard entries[place].pendingLines.isWaiting else { return }
    let subscription = entries[place].subscription
    let hasImage = entries[place].pendingLines.deadline != nil
    actions += entries[place].pendingLines.release(isLast: isLast).map { .message(subscription, $0) }
    // NB: So that the loss that may follow is a change, and is reported. Otherwise its old prices look live.
    if hasImage { report(place, .live) }
  }

  /// Asks for an image after some time, because only an image restores the values of a change that cannot be read.
  private mutating func damaged(_ place: Int) {
    if entries[place].imageAt != nil { return }
    let sinceLast = now.uptime - entries[place].lastImageRequest
    if sinceLast >= BetfairTiming.imageBackoffReset { entries[place].imageRequests = 0 }
    let delay = RetryDelay.delay(beforeRetry: entries[place].imageRequests, chance: now.chance)
    entries[place].imageAt = now.uptime + delay
    entries[place].imageRequests += 1
  }

  // MARK: Loss

  /// Handles the end of a connection, or of the attempt to open it. A connection that had lasted is replaced at once.
  private mutating func lose(_ place: Int, _ why: FeedError, isTerminal: Bool = false) {
    let line = entries[place].line
    closeLine(place)
    if isTerminal { return giveUp(why) }
    if case .open(_, _, let since, true) = line, now.uptime - since >= RetryDelay.stableAfter {
      report(place, .requested)
      return open(place, attempt: 1)
    }
    wait(place, attempt: (line.attempt ?? 1) + 1, why)
  }

  private mutating func failed(_ place: Int, _ failure: MarketStreamSession.Failure) {
    let line = entries[place].line
    let attempt = (line.attempt ?? 1) + 1
    switch failure.reaction {
    case .retry where failure == .silence: lose(place, failure.error)
    case .retry, .startOver:
      closeLine(place)
      wait(place, attempt: attempt, failure.error)
    case .logIn:
      closeLine(place)
      report(place, .requested)
      renewLogin(entries[place].token, failure.error)
      // NB: If the login is renewed already, the connection is opened with it.
      if login.token != nil { wait(place, attempt: attempt, failure.error) }
    case .giveUp where failure.concernsAll:
      closeLine(place)
      giveUp(failure.error)
    case .giveUp where failure.error == .tooManyMarkets && entries[place].listed == nil:
      closeLine(place)
      list(place, attempt: attempt)
    case .giveUp:
      closeLine(place)
      entries[place].line = .refused(failure.error)
      report(place, .refused(failure.error))
    }
  }

  /// Ends all attempts until the user asks for another.
  private mutating func giveUp(_ why: FeedError) {
    finalError = why
    for place in entries.indices { closeLine(place) }
  }

  mutating func wait(_ place: Int, attempt: Int, _ why: FeedError) {
    let delay = RetryDelay.delay(beforeRetry: attempt - 2, chance: now.chance)
    let retry = Retry(attempt: attempt, time: now.wall(after: delay), reason: why)
    entries[place].line = .waiting(retry, until: now.uptime + delay)
    report(place, .retrying(why, at: retry.time))
  }

  mutating func lineTimePassed(_ place: Int) {
    if let time = entries[place].pendingLines.deadline, now.uptime >= time { stopAwaitingNames(place) }
    if let time = entries[place].imageAt, now.uptime >= time, let link = entries[place].line.link {
      entries[place].imageAt = nil
      entries[place].lastImageRequest = now.uptime
      perform(entries[place].stream.askForImage(), place, link)
    }
    switch entries[place].line {
    case .connecting(_, _, let deadline) where now.uptime >= deadline: lose(place, .noGreeting)
    case .waiting(let retry, let until) where now.uptime >= until:
      report(place, .requested)
      open(place, attempt: retry.attempt)
    case .open(let link, _, _, _): perform(entries[place].stream.checkSilence(at: now.uptime), place, link)
    case .idle, .connecting, .waiting, .listing, .refused: break
    }
  }
}
