import AccountModel
import Localization
import OddsModel

extension BoardState {
  /// The time during which an unrequested question ignores keys, because they may be meant for the previous screen.
  static let inputGuardInterval = Duration.milliseconds(700)

  /// Applies an account status. Acts on a phase only when it changes.
  mutating func apply(_ status: AccountStatus, now: FrameTime) -> [Effect] {
    guard let before = account?.status.phase else { return [] }
    account!.apply(status, words)
    switch status.phase {
    case .refused(let user, let problem): loginRefused(user, problem, isNew: before != status.phase)
    case .ended(let user, let end) where before != status.phase: showSessionEnd(end, of: user, now: now)
    case .loggedIn where before != status.phase: return loggedIn()
    case .loggedOut where before != status.phase: return loggedOut()
    case .loggingIn, .ended, .loggedIn, .loggedOut: break
    }
    return []
  }

  private mutating func loginRefused(_ user: String, _ problem: FeedError, isNew: Bool) {
    if case .login(var form) = dialog {
      // NB: a second refusal for the same reason results in an equal phase.
      guard isNew || form.isBusy else { return }
      form.fail(problem)
      dialog = .login(form)
    } else if isNew {
      dialog = .login(LoginForm(user: user, problem: problem))
    }
  }

  private mutating func showSessionEnd(_ end: SessionEnd, of user: String, now: FrameTime) {
    var question = Question(.sessionEnd(end, user: user))
    question.ignoresInputUntil = now.uptime + Self.inputGuardInterval
    dialog = .question(question)
  }

  private mutating func loggedIn() -> [Effect] {
    dialog = nil
    defer { account!.hasUsedToken = true }
    // The data shown came with the token of another session.
    if account!.hasUsedToken { return [.reauthenticate] }
    if canReconnect, case .failed = connection.state { return [.reconnect] }
    return []
  }

  private mutating func loggedOut() -> [Effect] {
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

/// The state of the account that the footer hints depend on.
struct AccountHints: Equatable {
  var isLoggedIn: Bool
  var canEndSession: Bool
}

extension BoardState {
  var accountHints: AccountHints? {
    account.map { AccountHints(isLoggedIn: $0.status.isLoggedIn, canEndSession: canEndSession) }
  }

  /// The uptime at which the account pane changes by itself, or nil if it is closed or static.
  func nextAccountDeadline(after now: FrameTime) -> Duration? {
    guard overlay?.content == .account, case .waiting(let retry) = account?.status.stream,
      let seconds = now.seconds(until: retry.at)
    else { return nil }
    return now.uptime + now.time(untilBelow: seconds, of: retry.at)
  }
}

/// The footer hints while a dialog is open.
enum DialogHints: Equatable {
  case question(escape: MessageKey)
  case form(isBusy: Bool)

  init(_ dialog: Dialog) {
    switch dialog {
    case .question(let question): self = .question(escape: question.answers[0].label)
    case .login(let form): self = .form(isBusy: form.isBusy)
    }
  }

  /// Returns the keys with their hints.
  func items(_ words: Catalog) -> [(key: String, hint: String)] {
    switch self {
    case .question(let escape):
      [
        ("Tab", words(.accountHintOther)), ("Enter", words(.accountHintChoose)), (words(.keyEscape), words(escape)),
        ("q", words(.hintQuit)),
      ]
    case .form(isBusy: true): [(words(.keyEscape), words(.accountHintCancel))]
    case .form(isBusy: false):
      [
        ("Enter", words(.accountHintLogIn)), (words(.keyEscape), words(.accountHintCancel)),
        ("Tab", words(.accountHintField)), ("Ctrl-U", words(.accountHintClear)),
      ]
    }
  }
}
