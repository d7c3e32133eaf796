import AccountModel
import Platform

// The session, from login to end.
extension AccountMachine {
  mutating func resume(_ account: AccountSession, _ known: DatedWallet?) {
    guard case .loggedOut = phase else { return }
    reset(known)
    actions.append(.note(.resumed(account)))
    actions.append(.adopt(session: session.advance()))
    begin(account)
  }

  mutating func logIn(_ user: String, _ password: Secret, _ known: DatedWallet?) {
    leave()
    reset(known)
    phase = .loggingIn(user: user)
    actions.append(.note(.loggingIn(user: user)))
    publishStatus()
    actions.append(.logIn(user: user, password: password, session: session.advance()))
  }

  mutating func loggedIn(_ result: Result<AccountSession, AccountRequestError>) {
    guard case .loggingIn(let user) = phase else { return }
    switch result {
    case .success(let account):
      actions.append(.note(.loggedIn(account)))
      begin(account)
    case .failure(let trouble):
      // The password was not accepted, so the cached wallet must not be shown.
      if case .refused = trouble { wallet = nil }
      actions.append(.note(.notLoggedIn(trouble.problem)))
      phase = .refused(user: user, trouble.problem)
    }
  }

  private mutating func reset(_ known: DatedWallet?) {
    wallet = known
    events = ServerSentEvents()
    seen = RecentIDs()
    postings = []
  }

  private mutating func begin(_ account: AccountSession) {
    phase = .loggedIn(Login(account: account, renewal: .next(account, now)))
    connect(attempt: 1)
  }

  mutating func renewed(_ result: Result<AccountSession, AccountRequestError>) {
    guard case .loggedIn(var login) = phase else { return }
    switch result {
    case .success(let account):
      actions.append(.note(.renewed(account)))
      login.account = account
      login.renewal = .next(account, now)
    case .failure(.refused): return end(SessionEnd(.refused))
    case .failure(.lasting(let problem)):
      actions.append(.note(.notRenewed(problem)))
      login.renewal = .none
    case .failure(.passing(let problem)):
      actions.append(.note(.notRenewed(problem)))
      let left = (login.account.expiresAt ?? now.wall) - now.wall
      login.renewal = .due(at: now.uptime + AccountTiming.renewalRetry(left: left))
    }
    phase = .loggedIn(login)
  }

  /// Ends the session because of the feed. Publishes the reason before the logout (AccountStream.md).
  mutating func end(_ end: SessionEnd) {
    guard let login else { return }
    actions.append(.note(.ended(end)))
    phase = .ended(user: login.account.user, end)
    publishStatus()
    finish(login)
  }

  mutating func logOut() {
    let user = login?.account.user
    leave()
    reset(nil)
    if let user { actions.append(.save(nil, user: user)) }
  }

  mutating func acknowledge() {
    switch phase {
    case .ended, .refused:
      phase = .loggedOut
      reset(nil)
    case .loggedOut, .loggingIn, .loggedIn: break
    }
  }

  /// Ends the session or the login in progress, if any. The phase is `.loggedOut` afterwards.
  mutating func leave() {
    let login = login
    let isUnderWay = if case .loggingIn = phase { true } else { false }
    phase = .loggedOut
    if let login {
      actions.append(.note(.leaving))
      finish(login)
    } else if isUnderWay {
      actions.append(.logOut(session: session))
      session += 1
    }
  }

  /// Releases the resources of an ended session. Results of pending requests are ignored from here on.
  private mutating func finish(_ login: Login) {
    actions.append(.logOut(session: session))
    session += 1
    closeRequests()
    saveWallet(of: login)
  }
}

extension AccountMachine.Renewal {
  /// Returns the next renewal of a session whose token is new or was stored.
  static func next(_ account: AccountSession, _ now: SessionMoment) -> Self {
    guard let expiresAt = account.expiresAt else { return .none }
    let due = AccountTiming.renewal(ofLife: expiresAt - account.since)
    // The clock may have been set back since the token was issued.
    return .due(at: now.uptime + max(.zero, due - .milliseconds(max(0, now.wall - account.since))))
  }
}
