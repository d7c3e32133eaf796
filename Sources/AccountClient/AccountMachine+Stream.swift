import AccountModel
import OddsModel

// Opening, losing and reopening the stream (Reconnecting.md).
extension AccountMachine {
  mutating func connect(attempt: Int, _ now: AccountMoment, _ actions: inout [AccountAction]) {
    guard case .loggedIn(var login) = phase, !isSuspended else { return }
    actions.append(.note(.connecting(attempt: attempt)))
    login.stream = login.hasWallet ? .opening(attempt: attempt) : .asking(attempt: attempt)
    phase = .loggedIn(login)
    if login.hasWallet { open(login, &actions) } else { askForWallet(login, &actions) }
  }

  private mutating func open(_ login: Login, _ actions: inout [AccountAction]) {
    events = ServerSentEvents(lastEventID: events.lastEventID)
    let id = events.lastEventID
    actions.append(
      .openStream(userID: login.account.userID, lastEventID: id.isEmpty ? nil : id, link: nextLink()))
  }

  mutating func apply(_ event: StreamEvent, _ now: AccountMoment, _ actions: inout [AccountAction]) {
    guard case .loggedIn(var login) = phase else { return }
    switch (event, login.stream) {
    case (.opened, .opening):
      actions.append(.note(.open))
      // A posting between the wallet's answer and the start of the stream is in neither, so the wallet is requested
      // again.
      login.stream = .open(.fetching(told: [], retry: 0))
      phase = .loggedIn(login)
      askForWallet(login, &actions)
    case (.bytes(let bytes), .open):
      dateWallet(now)
      read(bytes, now, &actions)
    case (.closed(let trouble), .opening(let attempt)): lose(trouble, after: attempt, now, &actions)
    case (.closed(let trouble), .open): lose(trouble, after: 0, now, &actions)
    case (.opened, _), (.bytes, _), (.closed, _): break
    }
  }

  /// Handles a lost stream or a failed attempt. `attempt` is the number of the failed attempt, 0 for an open stream.
  private mutating func lose(
    _ trouble: AccountTrouble?, after attempt: Int, _ now: AccountMoment, _ actions: inout [AccountAction]
  ) {
    if case .refused? = trouble { return end(SessionEnd(.refused), now, &actions) }
    let why = trouble?.problem ?? .streamEnded
    let next = max(attempt, 1) + 1
    let number = next - 2
    if case .lasting? = trouble {
      actions.append(.note(.givenUp(why)))
      return closeStream(.failed(why), now, &actions)
    }
    guard number < AccountTiming.mostRetries else {
      actions.append(.note(.givenUp(why)))
      return closeStream(.failed(.givenUp(why)), now, &actions)
    }
    let delay = AccountTiming.delay(beforeRetry: number)
    actions.append(.note(.lost(why, delay)))
    let retry = Retry(attempt: next, at: now.wall(after: delay), why: why)
    closeStream(.waiting(retry, until: now.uptime + delay), now, &actions)
  }

  /// Ends the stream, the attempt to open it or the wait for the next attempt. Later results are ignored.
  mutating func closeStream(_ next: Stream, _ now: AccountMoment, _ actions: inout [AccountAction]) {
    guard case .loggedIn(var login) = phase else { return }
    keepWallet(of: login, &actions)
    switch login.stream {
    case .asking, .opening, .open:
      _ = (nextLink(), nextFetch())
      actions.append(.close)
    case .closed, .waiting, .failed: break
    }
    login.stream = next
    phase = .loggedIn(login)
  }

  mutating func retry(_ now: AccountMoment, _ actions: inout [AccountAction]) {
    guard case .loggedIn(let login) = phase else { return }
    switch login.stream {
    case .closed, .failed: connect(attempt: 1, now, &actions)
    case .waiting(let retry, _): connect(attempt: retry.attempt, now, &actions)
    case .open(.waiting), .open(.unknown): askAgain(retry: 0, &actions)
    case .asking, .opening, .open(.fetching), .open(.current): break
    }
  }

  mutating func timePassed(_ now: AccountMoment, _ actions: inout [AccountAction]) {
    guard !isSuspended, case .loggedIn(var login) = phase else { return }
    if case .due(let at) = login.renewal, now.uptime >= at {
      login.renewal = .underWay
      phase = .loggedIn(login)
      actions.append(.renew(session: session))
    }
    switch login.stream {
    case .waiting(let retry, let until) where now.uptime >= until: connect(attempt: retry.attempt, now, &actions)
    case .open(.waiting(let retry, let until)) where now.uptime >= until: askAgain(retry: retry, &actions)
    default: break
    }
  }

  // MARK: The wallet

  private mutating func askForWallet(_ login: Login, _ actions: inout [AccountAction]) {
    actions.append(.fetchWallet(userID: login.account.userID, fetch: nextFetch()))
  }

  /// Requests the wallet again while the stream stays open.
  mutating func askAgain(retry: Int, _ actions: inout [AccountAction]) {
    guard case .loggedIn(var login) = phase, case .open = login.stream else { return }
    login.stream = .open(.fetching(told: [], retry: retry))
    phase = .loggedIn(login)
    askForWallet(login, &actions)
  }

  mutating func answered(
    _ result: Result<Wallet, AccountTrouble>, _ now: AccountMoment, _ actions: inout [AccountAction]
  ) {
    guard case .loggedIn(var login) = phase else { return }
    switch (result, login.stream) {
    case (.failure(let trouble), .asking(let attempt)): lose(trouble, after: attempt, now, &actions)
    case (.success(let answer), .asking(let attempt)):
      apply(answer, besides: [], now, &actions)
      login.hasWallet = true
      login.stream = .opening(attempt: attempt)
      phase = .loggedIn(login)
      open(login, &actions)
    case (.success(let answer), .open(.fetching(let told, _))):
      apply(answer, besides: told, now, &actions)
      login.stream = .open(.current)
      phase = .loggedIn(login)
    case (.failure(.refused), .open(.fetching)): end(SessionEnd(.refused), now, &actions)
    case (.failure(let trouble), .open(.fetching(_, let retry))):
      actions.append(.note(.noWallet(trouble.problem)))
      let isLast = if case .lasting = trouble { true } else { retry >= AccountTiming.mostRetries }
      login.stream = .open(
        isLast
          ? .unknown
          : .waiting(retry: retry + 1, until: now.uptime + AccountTiming.delay(beforeRetry: retry)))
      phase = .loggedIn(login)
    default: break
    }
  }

  /// Applies a wallet answer, except for the parts that the stream has updated since the request. The answer may be
  /// older than those updates; if it is newer, the stream will report the difference.
  private mutating func apply(
    _ answer: Wallet, besides told: Set<WalletPart>, _ now: AccountMoment, _ actions: inout [AccountAction]
  ) {
    var new = answer
    if let old = wallet?.wallet, old.currency == new.currency {
      if told.contains(.real) { new.real = old.real }
      if told.contains(.bonus) { new.bonus = old.bonus }
    }
    wallet = DatedWallet(wallet: new, asOf: now.wall)
    actions.append(.note(.wallet))
  }

  /// Updates the time at which the wallet was known to be correct. While the stream reports every change, each sign of
  /// life confirms the wallet.
  mutating func dateWallet(_ now: AccountMoment) {
    if case .open(.current)? = login?.stream { wallet?.asOf = now.wall }
  }
}
