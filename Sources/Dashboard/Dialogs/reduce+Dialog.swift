import AccountModel
import TerminalCore

extension BoardState {
  /// Handles a key while a dialog is open. Quits on Ctrl-C, and in a question also on the key bound to quit.
  mutating func press(_ key: Key, in dialog: Dialog, now: FrameTime) -> [Effect] {
    if key == .control("c") { return [.quit] }
    switch dialog {
    case .question(var question):
      if settings.keys[key] == .quit { return [.quit] }
      if now.uptime < question.ignoresInputUntil { return [] }
      let answer = question.handle(key, words)
      self.dialog = .question(question)
      return answer.map { apply($0, to: question) } ?? []
    case .login(var form):
      let outcome = form.handle(key)
      self.dialog = .login(form)
      switch outcome {
      case .submitted(let user, let password): return [.logIn(user: user, password: password)]
      case .cancelled: return cancel(form)
      case nil: return []
      }
    }
  }

  mutating func press(_ mouse: MousePress) -> [Effect] {
    guard case .question(let question) = dialog, mouse.button == .left,
      let answer = DialogBox(of: self)?.answer(at: mouse)
    else { return [] }
    return apply(answer, to: question)
  }

  private mutating func apply(_ answer: Question.Answer, to question: Question) -> [Effect] {
    dialog = nil
    switch answer {
    case .goHome: return [.goHome]
    case .logIn:
      dialog = .login(LoginForm(user: account?.user ?? ""))
      return []
    case .stay: return []
    case .logOut: return [.logOut]
    }
  }

  /// Closes the login form. Returns the effects that cancel a login in progress or continue without an account.
  private mutating func cancel(_ form: LoginForm) -> [Effect] {
    dialog = nil
    switch account?.status.phase {
    case .ended, .refused: return form.isBusy ? [.logOut] : [.goHome]
    case .loggingIn: return [.logOut]
    case .loggedOut, .loggedIn, nil: return form.isBusy ? [.logOut] : []
    }
  }
}
