import AccountModel
import Localization
import TerminalCore

/// A dialog over the board that receives all keys while it is open.
enum Dialog: Hashable, Sendable {
  case question(Question)
  case login(LoginForm)
  case copy(CopyMenu)

  /// The input modes that the terminal needs for the dialog, besides those that are already on.
  var inputModes: InputModes { if case .login = self { .paste } else { [] } }

  /// Returns the hints for the footer.
  func hints(_ keys: KeyMap, _ words: Catalog) -> [KeyHint] {
    func hint(_ key: Key, _ hint: MessageKey) -> KeyHint { KeyHint(key: key.label(words), hint: words(hint)) }
    switch self {
    case .question(let question):
      return [
        hint(.tab, .accountHintOther), hint(.enter, .accountHintChoose), hint(.escape, question.answers[0].label),
      ] + keys.keys(of: .quit).prefix(1).map { hint($0, .hintQuit) }
    case .copy:
      return [hint(.enter, .hintCopy), hint(.escape, .hintClose)]
        + keys.keys(of: .quit).prefix(1).map { hint($0, .hintQuit) }
    case .login(let form) where form.isBusy: return [hint(.escape, .accountHintCancel)]
    case .login:
      return [
        hint(.enter, .accountHintLogIn), hint(.escape, .accountHintCancel), hint(.tab, .accountHintField),
        hint(.control("u"), .accountHintClear),
      ]
    }
  }
}

/// A key with its effect, for the footer.
struct KeyHint: Equatable {
  let key: String
  let hint: String
}

/// A question with two buttons.
struct Question: Hashable, Sendable {
  enum Subject: Hashable, Sendable {
    /// The session has ended without a request from the user.
    case sessionEnd(SessionEnd, user: String)
    case logOut(user: String)
  }

  enum Answer: Hashable, Sendable { case goHome, logIn, stay, logOut }

  let subject: Subject
  /// The index of the selected answer, 0 or 1.
  private(set) var chosen = 0
  /// The uptime until which keys are ignored, because they may be meant for the previous screen.
  var ignoresInputUntil = Duration.zero

  init(_ subject: Subject) { self.subject = subject }

  /// The two answers. The first is the one with less effect.
  var answers: [Answer] {
    switch subject {
    case .sessionEnd: [.goHome, .logIn]
    case .logOut: [.stay, .logOut]
    }
  }

  /// Handles a key. Returns the answer that the key gives, if any.
  mutating func handle(_ key: Key, _ words: Catalog) -> Answer? {
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
  var label: MessageKey { messages.label }
  /// The letter that gives this answer.
  var key: MessageKey { messages.key }

  private var messages: (label: MessageKey, key: MessageKey) {
    switch self {
    case .goHome: (.accountGoHome, .accountGoHomeKey)
    case .logIn: (.accountLogin, .accountLoginKey)
    case .stay: (.accountStay, .accountStayKey)
    case .logOut: (.accountLogOut, .accountLogOutKey)
    }
  }
}
