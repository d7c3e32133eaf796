import AccountModel
import OddsFeed

extension BoardState {
  /// The time during which an unrequested question ignores keys, because they may be meant for the previous screen.
  static let inputGuardInterval = Duration.milliseconds(700)

  /// Applies an account status. Acts on a phase only when it changes.
  mutating func apply(_ status: AccountStatus, at now: FrameTime) -> [Effect] {
    guard let before = account?.status.phase else { return [] }
    account!.apply(status, words)
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
      // NB: a second refusal for the same reason results in an equal phase.
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
    // The data shown came with the token of another session.
    if account!.hasUsedToken { return [.reauthenticate] }
    if canReconnect, case .failed = connection { return [.reconnect] }
    return []
  }

  private mutating func end() -> [Effect] {
    if case .question(let question) = dialog, case .logOut = question.subject { dialog = nil }
    defer { account!.hasUsedToken = false }
    return account!.hasUsedToken ? [.reauthenticate] : []
  }

  /// Opens the login form or the logout question. Without an account, opens the account pane, which explains how to
  /// configure one.
  mutating func logInOrOut() {
    switch account?.status.phase {
    case nil: overlay = Overlay(.account)
    case .loggedIn(let user): dialog = .question(Question(.logOut(user: user)))
    case .loggingIn(let user): dialog = .login(LoginForm(user: user, isBusy: true))
    case .loggedOut, .ended, .refused: dialog = .login(LoginForm(user: account?.user ?? ""))
    }
  }

  var canEndSession: Bool { account.map { $0.canEndSession && $0.status.isLoggedIn } ?? false }
}
