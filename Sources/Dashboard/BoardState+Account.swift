import AccountFeed
import OddsFeed
import Wording

/// What the footer says of the account.
struct AccountHints: Equatable {
  var isLoggedIn: Bool
  var canEndSession: Bool
}

extension BoardState {
  var accountHints: AccountHints? {
    account.map { AccountHints(isLoggedIn: $0.status.isLoggedIn, canEndSession: canEndSession) }
  }

  func accountTitle(_ scroll: Int, at now: Moment) -> Line {
    let count = AccountTable(of: self, at: now).count
    let shown = accountLines(scroll, of: count)
    return .accountTitle(shown, of: count)
  }

  func accountLine(_ scroll: Int, _ at: Int, at now: Moment) -> Line {
    let table = AccountTable(of: self, at: now)
    let shown = accountLines(scroll, of: table.count)
    return shown.lowerBound + at < shown.upperBound ? .account(table.row(shown.lowerBound + at)) : .blank
  }

  private func accountLines(_ scroll: Int, of count: Int) -> Range<Int> {
    let first = min(scroll, max(0, count - visibleRows))
    return first..<min(first + visibleRows, count)
  }

  /// Uptime at which the account pane changes by itself; nil where it is not open, or rests.
  func nextAccountStep(after now: Moment) -> Duration? {
    guard case .account = overlay, case .waiting(let retry) = account?.status.stream,
      let seconds = now.seconds(until: retry.at)
    else { return nil }
    return now.uptime + now.time(untilBelow: seconds, of: retry.at)
  }
}

/// What the footer says while a dialog is open.
enum DialogHints: Equatable {
  case question(escape: Phrase)
  case form(isBusy: Bool)

  init(_ dialog: Dialog) {
    switch dialog {
    case .question(let question): self = .question(escape: question.answers[0].label)
    case .login(let form): self = .form(isBusy: form.isBusy)
    }
  }

  /// Keys, and what they do.
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
        ("Enter", words(.accountHintLogIn)), ("Tab", words(.accountHintField)), ("Ctrl-U", words(.accountHintClear)),
        (words(.keyEscape), words(.accountHintCancel)),
      ]
    }
  }
}
