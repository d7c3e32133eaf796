import AccountModel
import OddsModel
import Platform

// Opening, losing and reopening the stream (Reconnecting.md).
extension AccountMachine {
  mutating func connect(attempt: Int) {
    guard case .loggedIn(var login) = phase, !isSuspended else { return }
    actions.append(.note(.connecting(attempt: attempt)))
    login.stream = login.hasWallet ? .opening(attempt: attempt) : .asking(attempt: attempt)
    phase = .loggedIn(login)
    if login.hasWallet { open(login) } else { askForWallet(login) }
  }

  private mutating func open(_ login: Login) {
    events = ServerSentEvents(lastEventID: events.lastEventID)
    let id = events.lastEventID
    actions.append(.openStream(userID: login.account.userID, lastEventID: id.isEmpty ? nil : id, link: link.advance()))
  }

  mutating func apply(_ event: StreamEvent) {
    guard case .loggedIn(var login) = phase else { return }
    switch (event, login.stream) {
    case (.opened, .opening):
      actions.append(.note(.open))
      // The wallet is requested again, because a posting between its answer and the start of the stream is in neither.
      login.stream = .open(.fetching(updated: [], retry: 0))
      phase = .loggedIn(login)
      askForWallet(login)
    case (.bytes(let bytes), .open):
      dateWallet()
      read(bytes)
    case (.closed(let trouble), .opening(let attempt)): handleLoss(trouble, after: attempt)
    case (.closed(let trouble), .open): handleLoss(trouble, after: 0)
    case (.opened, _), (.bytes, _), (.closed, _): break
    }
  }

  /// Handles a lost stream or a failed attempt. `attempt` is the number of the failed attempt, 0 for an open stream.
  private mutating func handleLoss(_ trouble: AccountRequestError?, after attempt: Int) {
    if case .refused? = trouble { return end(SessionEnd(.refused)) }
    let why = trouble?.problem ?? .streamEnded
    let next = max(attempt, 1) + 1
    let number = next - 2
    let isLasting = if case .lasting? = trouble { true } else { false }
    if isLasting || number >= AccountTiming.maxRetries {
      actions.append(.note(.givenUp(why)))
      return closeStream(.failed(isLasting ? why : .givenUp(why)))
    }
    let delay = AccountTiming.delay(beforeRetry: number)
    actions.append(.note(.lost(why, delay)))
    let retry = Retry(attempt: next, time: now.wall(after: delay), reason: why)
    closeStream(.waiting(retry, until: now.uptime + delay))
  }

  /// Ends the stream, the attempt to open it or the wait for the next attempt. Later results are ignored.
  mutating func closeStream(_ next: Stream) {
    guard case .loggedIn(var login) = phase else { return }
    saveWallet(of: login)
    switch login.stream {
    case .asking, .opening, .open: closeRequests()
    case .closed, .waiting, .failed: break
    }
    login.stream = next
    phase = .loggedIn(login)
  }

  /// Closes the stream and cancels the requests for the stream and the wallet. Their results are ignored.
  mutating func closeRequests() {
    link += 1
    fetch += 1
    actions.append(.close)
  }

  mutating func retry() {
    guard case .loggedIn(let login) = phase else { return }
    switch login.stream {
    case .closed, .failed: connect(attempt: 1)
    case .waiting(let retry, _): connect(attempt: retry.attempt)
    case .open(.waiting), .open(.unknown): askAgain(retry: 0)
    case .asking, .opening, .open(.fetching), .open(.current): break
    }
  }

  mutating func timePassed() {
    guard !isSuspended, case .loggedIn(var login) = phase else { return }
    if case .due(let at) = login.renewal, now.uptime >= at {
      login.renewal = .underWay
      phase = .loggedIn(login)
      actions.append(.renew(session: session))
    }
    switch login.stream {
    case .waiting(let retry, let until) where now.uptime >= until: connect(attempt: retry.attempt)
    case .open(.waiting(let retry, let until)) where now.uptime >= until: askAgain(retry: retry)
    default: break
    }
  }

  private mutating func askForWallet(_ login: Login) {
    actions.append(.fetchWallet(userID: login.account.userID, fetch: fetch.advance()))
  }

  /// Requests the wallet again while the stream stays open. The answer to an earlier request is ignored.
  mutating func askAgain(retry: Int) {
    guard case .loggedIn(var login) = phase, case .open = login.stream else { return }
    login.stream = .open(.fetching(updated: [], retry: retry))
    phase = .loggedIn(login)
    askForWallet(login)
  }

  mutating func answered(_ result: Result<Wallet, AccountRequestError>) {
    guard case .loggedIn(var login) = phase else { return }
    switch (result, login.stream) {
    case (.failure(let trouble), .asking(let attempt)): handleLoss(trouble, after: attempt)
    case (.success(let answer), .asking(let attempt)):
      apply(answer, besides: [])
      login.hasWallet = true
      login.stream = .opening(attempt: attempt)
      phase = .loggedIn(login)
      open(login)
    // An update in the old currency has come meanwhile, so the answer may be older than it.
    case (.success(let answer), .open(.fetching(let updated, let retry)))
    where !updated.isEmpty && answer.currency != wallet?.wallet.currency:
      askAgain(retry: retry)
    case (.success(let answer), .open(.fetching(let updated, _))):
      apply(answer, besides: updated)
      login.stream = .open(.current)
      phase = .loggedIn(login)
    case (.failure(.refused), .open(.fetching)): end(SessionEnd(.refused))
    case (.failure(let trouble), .open(.fetching(_, let retry))):
      actions.append(.note(.noWallet(trouble.problem)))
      let isLast = if case .lasting = trouble { true } else { retry >= AccountTiming.maxRetries }
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
  private mutating func apply(_ answer: Wallet, besides updated: Set<WalletPart>) {
    var new = answer
    if let old = wallet?.wallet, old.currency == new.currency {
      if updated.contains(.real) { new.real = old.real }
      if updated.contains(.bonus) { new.bonus = old.bonus }
    }
    wallet = DatedWallet(wallet: new, asOf: now.wall)
    actions.append(.note(.wallet))
  }

  /// Updates the wallet's time. While the stream reports every change, each sign of life confirms the wallet.
  mutating func dateWallet() {
    if case .open(.current)? = login?.stream { wallet?.asOf = now.wall }
  }
}
