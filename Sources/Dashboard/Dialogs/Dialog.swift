import AccountModel
import Localization
import TerminalCore

/// What stands over the board and has the keys until it is done with.
enum Dialog: Hashable, Sendable {
  case question(Question)
  case login(LoginForm)

  /// What the terminal is to tell besides keys while it is open.
  var reports: InputModes {
    switch self {
    // The mouse is told anyway, unless it is the terminal's.
    case .question: []
    case .login: .paste
    }
  }
}

/// A question with two buttons.
struct Question: Hashable, Sendable {
  enum Subject: Hashable, Sendable {
    /// The session is over, and not because its user asked for that.
    case sessionEnd(SessionEnd, user: String)
    case logOut(user: String)
  }

  enum Answer: Hashable, Sendable { case goHome, logIn, stay, logOut }

  let subject: Subject
  /// Which of the answers is chosen, 0 or 1.
  private(set) var chosen = 0
  /// Uptime until which keys are meant for what stood here before, and are ignored.
  var ignoresInputUntil = Duration.zero

  init(_ subject: Subject) { self.subject = subject }

  /// The first is the one that changes least.
  var answers: [Answer] {
    switch subject {
    case .sessionEnd: [.goHome, .logIn]
    case .logOut: [.stay, .logOut]
    }
  }

  /// What a key answers, if it does.
  mutating func take(_ key: Key, _ words: Catalog) -> Answer? {
    switch key {
    case .tab, .backTab, .left, .right: chosen = 1 - chosen
    case .enter, .character(" "): return answers[chosen]
    case .escape: return answers[0]
    case .character(let character): return answers.first { words($0.key) == character.lowercased() }
    default: break
    }
    return nil
  }
}

extension Question.Answer {
  var label: MessageKey {
    switch self {
    case .goHome: .accountGoHome
    case .logIn: .accountLogin
    case .stay: .accountStay
    case .logOut: .accountLogOut
    }
  }

  /// The letter that answers so.
  var key: MessageKey {
    switch self {
    case .goHome: .accountGoHomeKey
    case .logIn: .accountLoginKey
    case .stay: .accountStayKey
    case .logOut: .accountLogOutKey
    }
  }
}
