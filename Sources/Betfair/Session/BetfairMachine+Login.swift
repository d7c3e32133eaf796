import AccountModel
import OddsFeed
import OddsModel
import Platform

// The login session.
extension BetfairMachine {
  enum Login {
    case none
    case pending(request: Int, attempt: Int)
    /// Logged in. `request` is that of a keep-alive that is not answered.
    case valid(Secret, keepAliveAt: Duration, request: Int?)
    case waiting(Retry, until: Duration)
    /// Not tried again; with `isFinal`, not even at the user's wish, because that could lock the account.
    case failed(FeedError, isFinal: Bool)

    var token: Secret? { if case .valid(let token, _, _) = self { token } else { nil } }

    var deadline: Duration? {
      switch self {
      case .valid(_, let time, let request): request == nil ? time : nil
      case .waiting(_, let until): until
      case .none, .pending, .failed: nil
      }
    }

    /// The state of a topic that waits for the login; nil if none waits.
    var topicState: TopicState? {
      switch self {
      case .none, .valid: nil
      case .pending: .requested
      case .waiting(let retry, _): .retrying(retry.reason, at: retry.time)
      case .failed(let error, _): .refused(error)
      }
    }
  }

  mutating func logIn(attempt: Int) {
    let number = nextNumber()
    login = .pending(request: number, attempt: attempt)
    actions.append(.logIn(request: number))
  }

  mutating func answered(_ request: Int, _ result: Result<Secret, LoginError>) {
    switch (login, result) {
    case (.pending(request, _), .success(let token)):
      login = .valid(token, keepAliveAt: now.uptime + BetfairTiming.keepAlive, request: nil)
      openIdleLines()
      for index in entries.indices { catalogueTimePassed(index) }
    case (.pending(request, let attempt), .failure(let error)): loginFailed(error, attempt)
    case (.valid(_, _, request), .success(let token)):
      login = .valid(token, keepAliveAt: now.uptime + BetfairTiming.keepAlive, request: nil)
    case (.valid(_, _, request), .failure(let error)) where error.kind == .expired: logIn(attempt: 1)
    case (.valid(let token, _, request), .failure):
      // The session lasts longer than the time between two keep-alives.
      login = .valid(token, keepAliveAt: now.uptime + .seconds(60), request: nil)
    default: break
    }
  }

  private mutating func loginFailed(_ error: LoginError, _ attempt: Int) {
    switch error.kind {
    case .credentials: login = .failed(error.problem, isFinal: true)
    case .refused: login = .failed(error.problem, isFinal: false)
    case .banned: waitForLogin(error.problem, attempt + 1, BetfairTiming.ban)
    case .temporary, .expired:
      waitForLogin(error.problem, attempt + 1, RetryDelay.delay(beforeRetry: attempt - 1, chance: now.chance))
    }
  }

  private mutating func waitForLogin(_ why: FeedError, _ attempt: Int, _ delay: Duration) {
    login = .waiting(Retry(attempt: attempt, time: now.wall(after: delay), reason: why), until: now.uptime + delay)
  }

  /// Logs in again because the provider refuses the token. The first time at once, then with delays.
  mutating func renewLogin(_ token: Secret?, _ why: FeedError) {
    // NB: Another connection may have renewed it already.
    guard let token, login.token == token else { return }
    refusedLogins += 1
    if refusedLogins == 1 { return logIn(attempt: 1) }
    waitForLogin(why, refusedLogins, RetryDelay.delay(beforeRetry: refusedLogins, chance: now.chance))
  }

  /// Reports the login as the state of the topics that wait for it. An error is reported while other topics have open
  /// connections: the state of the connections has it otherwise.
  mutating func reportLogin(_ state: ConnectionState) {
    guard let answer = login.topicState, state.isUp || answer == .requested else { return }
    for index in entries.indices where entries[index].waitsForLogin { report(index, answer) }
  }

  mutating func loginTimePassed() {
    switch login {
    case .valid(let token, let time, nil) where now.uptime >= time:
      let number = nextNumber()
      login = .valid(token, keepAliveAt: time, request: number)
      actions.append(.keepAlive(token, request: number))
    case .waiting(let retry, let until) where now.uptime >= until: logIn(attempt: retry.attempt)
    case .none, .pending, .valid, .waiting, .failed: break
    }
  }
}
