import AccountModel
import Localization
import OddsFeed

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
