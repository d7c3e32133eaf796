import AccountModel
import OddsFeed

extension BoardState {
  /// How long keys that were on their way to what stood there before do not answer a question that nobody has asked for.
  static let inputGuardInterval = Duration.milliseconds(700)

  /// Takes in how the account does. A phase that is the same as before has been acted upon.
  mutating func take(_ status: AccountStatus, at now: FrameTime) -> [Effect] {
    guard let before = account?.status.phase else { return [] }
    account!.take(status, words)
    switch status.phase {
    case .refused(let user, let problem): refuse(user, problem, isNew: before != status.phase)
    case .ended(let user, let end) where before != status.phase: tell(end, of: user, at: now)
    case .loggedIn where before != status.phase: return begin()
    case .loggedOut where before != status.phase: return end()
    case .loggingIn, .ended, .loggedIn, .loggedOut: break
    }
    return []
  }

  private mutating func refuse(_ user: String, _ problem: FeedError, isNew: Bool) {
    if case .login(var form) = dialog {
      // NB: refused again for the same reason is the same phase.
      guard isNew || form.isBusy else { return }
      form.fail(problem)
      dialog = .login(form)
    } else if isNew {
      dialog = .login(LoginForm(user: user, problem: problem))
    }
  }

  private mutating func tell(_ end: SessionEnd, of user: String, at now: FrameTime) {
    var question = Question(.sessionEnd(end, user: user))
    question.ignoresInputUntil = now.uptime + Self.inputGuardInterval
    dialog = .question(question)
  }

  private mutating func begin() -> [Effect] {
    dialog = nil
    defer { account!.hasUsedToken = true }
    // What the line showed was another session's.
    if account!.hasUsedToken { return [.renewLine] }
    if canReconnect, case .failed = connection { return [.reconnect] }
    return []
  }

  private mutating func end() -> [Effect] {
    if case .question(let question) = dialog, case .logOut = question.subject { dialog = nil }
    defer { account!.hasUsedToken = false }
    return account!.hasUsedToken ? [.renewLine] : []
  }

  /// Opens what logs in or out; where there is no account, what says how to have one.
  mutating func logInOrOut() {
    switch account?.status.phase {
    case nil: overlay = .account(scroll: 0)
    case .loggedIn(let user): dialog = .question(Question(.logOut(user: user)))
    case .loggingIn(let user): dialog = .login(LoginForm(user: user, isBusy: true))
    case .loggedOut, .ended, .refused: dialog = .login(LoginForm(user: account?.user ?? ""))
    }
  }

  var canEndSession: Bool { account.map { $0.canEndSession && $0.status.isLoggedIn } ?? false }
}
