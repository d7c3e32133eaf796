import AccountModel
import Localization
import OddsModel
import TerminalCore

/// The account as the board shows it, with its dialog. Amounts are formatted when they change, not for every frame.
struct BoardAccount: Sendable {
  enum Action {
    case statusChanged(AccountStatus)
    /// A key was pressed while the dialog is open.
    case keyPressed(Key)
    /// A button of the dialog was clicked.
    case answered(Question.Answer)
    /// The user requested the login form, or the logout question.
    case logInOrOut
  }

  /// The total in the header.
  struct Balance: Hashable, Sendable {
    var text: String
    /// False if the balance may have changed since.
    var isCertain: Bool
  }

  /// The time during which an unrequested question ignores keys, because they may be meant for the previous screen.
  static let inputGuardInterval = Duration.milliseconds(700)

  /// True if the server can be made to end the session.
  let isDemo: Bool
  private(set) var status = AccountStatus()
  private(set) var dialog: Dialog?
  private(set) var balance: Balance?
  private(set) var postings: [PostingText] = []
  /// The last user name. Prefills the next login.
  private var user = ""
  /// True if the feed connection may use the token of a session of this account.
  private var hasUsedToken = false

  init(canEndSession: Bool) { isDemo = canEndSession }

  /// True if there is a session that the server can be made to end.
  var canEndSession: Bool { isDemo && status.isLoggedIn }

  mutating func reduce(_ action: Action, _ context: BoardContext) -> [Effect] {
    switch action {
    case .statusChanged(let new): return apply(new, context)
    case .keyPressed(let key): return press(key, context)
    case .answered(let answer): return apply(answer)
    case .logInOrOut:
      dialog =
        switch status.phase {
        case .loggedIn(let user): .question(Question(.logOut(user: user)))
        case .loggingIn(let user): .login(LoginForm(user: user, isBusy: true))
        case .loggedOut, .ended, .refused: .login(LoginForm(user: user))
        }
      return []
    }
  }

  /// Applies a status. Opens or closes dialogs only when the phase changes, or when a login in progress is refused.
  private mutating func apply(_ new: AccountStatus, _ context: BoardContext) -> [Effect] {
    let isNew = new.phase != status.phase
    update(new, context.words)
    switch new.phase {
    case .refused(let user, let problem):
      if case .login(var form) = dialog {
        // NB: a second refusal for the same reason results in an equal phase.
        guard isNew || form.isBusy else { return [] }
        form.fail(problem)
        dialog = .login(form)
      } else if isNew {
        dialog = .login(LoginForm(user: user, problem: problem))
      }
    case .ended(let user, let end) where isNew:
      var question = Question(.sessionEnd(end, user: user))
      question.ignoresInputUntil = context.now.uptime + Self.inputGuardInterval
      dialog = .question(question)
    case .loggedIn where isNew:
      dialog = nil
      defer { hasUsedToken = true }
      // The data shown came with the token of another session.
      if hasUsedToken { return [.reauthenticate] }
      if context.canReconnect, case .failed = context.connection.state { return [.reconnect] }
    case .loggedOut where isNew:
      if case .question(let question) = dialog, case .logOut = question.subject { dialog = nil }
      defer { hasUsedToken = false }
      return hasUsedToken ? [.reauthenticate] : []
    case .loggingIn, .ended, .loggedIn, .loggedOut: break
    }
    return []
  }

  private mutating func update(_ new: AccountStatus, _ words: Catalog) {
    if new.postings != status.postings || new.wallet?.currency != status.wallet?.currency {
      postings = new.postings.map { PostingText($0, wallet: new.wallet?.currency, words) }
    }
    status = new
    user = new.user ?? user
    balance = new.shownWallet.map { wallet in
      Balance(text: words.amount(wallet.total, wallet.currency), isCertain: new.isWalletCertain)
    }
  }

  /// Handles a key. Quits on Ctrl-C, and in a question also on the key bound to quit.
  private mutating func press(_ key: Key, _ context: BoardContext) -> [Effect] {
    if key == .control("c") { return [.quit] }
    switch dialog {
    case .question(var question):
      if context.settings.keys[key] == .quit { return [.quit] }
      if context.now.uptime < question.ignoresInputUntil { return [] }
      let answer = question.handle(key, context.words)
      dialog = .question(question)
      return answer.map { apply($0) } ?? []
    case .login(var form):
      let outcome = form.handle(key)
      dialog = .login(form)
      switch outcome {
      case .submitted(let user, let password): return [.logIn(user: user, password: password)]
      case .cancelled: return cancel(form)
      case nil: return []
      }
    // The menu of texts to copy is not a dialog of the account.
    case .copy, nil: return []
    }
  }

  private mutating func apply(_ answer: Question.Answer) -> [Effect] {
    dialog = answer == .logIn ? .login(LoginForm(user: user)) : nil
    switch answer {
    case .goHome: return [.goHome]
    case .logOut: return [.logOut]
    case .stay, .logIn: return []
    }
  }

  /// Closes the login form. Returns the effects that cancel a login in progress or continue without an account.
  private mutating func cancel(_ form: LoginForm) -> [Effect] {
    dialog = nil
    switch status.phase {
    case .ended, .refused: return form.isBusy ? [.logOut] : [.goHome]
    case .loggingIn: return [.logOut]
    case .loggedOut, .loggedIn: return form.isBusy ? [.logOut] : []
    }
  }

  /// Returns the uptime at which the account pane changes by itself, or nil if it is static.
  func nextDeadline(after now: FrameTime) -> Duration? {
    guard case .waiting(let retry) = status.stream, let seconds = now.seconds(until: retry.time) else { return nil }
    return now.uptime + now.time(untilBelow: seconds, of: retry.time)
  }
}
