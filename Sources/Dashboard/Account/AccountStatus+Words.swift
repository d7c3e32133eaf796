import AccountModel
import Localization
import OddsModel

extension AccountStatus {
  /// The wallet of a user who is logged in or is logging in.
  var shownWallet: Wallet? {
    switch phase {
    case .loggedOut, .ended: nil
    case .loggingIn, .refused, .loggedIn: wallet
    }
  }

  /// True while every change of the wallet is received immediately.
  var isWalletCertain: Bool { walletAsOf == nil && stream == .live }

  var isLoggedIn: Bool { if case .loggedIn = phase { true } else { false } }

  var user: String? {
    switch phase {
    case .loggedOut: nil
    case .loggingIn(let user), .refused(let user, _), .loggedIn(let user), .ended(let user, _): user
    }
  }

  var problems: [FeedError] {
    var problems: [FeedError] = []
    if case .refused(_, let problem) = phase { problems.append(problem) }
    switch stream {
    case .failed(let problem): problems.append(problem)
    case .waiting(let retry): problems.append(retry.reason)
    case .closed, .connecting, .live: break
    }
    return problems
  }

  /// Returns the time of the wallet shown. Empty if it is not known.
  func asOf(_ words: Catalog, now: FrameTime) -> String {
    walletAsOf.map { now.local.stamp($0, withDay: !now.isToday($0), words) }
      ?? (stream == .live ? words(.accountNow) : "")
  }
}

extension AccountStatus.Phase {
  /// Returns the text of the phase. `isWrong` is true if the phase needs the attention of the user.
  func words(_ words: Catalog) -> (text: String, isWrong: Bool) {
    switch self {
    case .loggedOut: (words(.accountStateOut), false)
    case .loggingIn: (words(.accountStateLoggingIn), false)
    case .refused: (words(.accountStateRefused), true)
    case .loggedIn: (words(.accountStateIn), false)
    case .ended(_, let end): (words(.accountStateEnded, end.cause.sentence), true)
    }
  }
}

extension AccountStatus.Stream {
  /// Returns the text of the state. `isWrong` is true if the state needs the attention of the user.
  func words(_ words: Catalog, now: FrameTime) -> (text: String, isWrong: Bool) {
    switch self {
    case .closed: return (words(.accountStreamClosed), false)
    case .connecting: return (words(.accountStreamConnecting), false)
    case .live: return (words(.accountStreamLive), false)
    case .waiting(let retry):
      let text = now.seconds(until: retry.time).map { words(.accountStreamWaiting, $0, retry.attempt) }
      return (text ?? words(.accountStreamDue, retry.attempt), true)
    case .failed: return (words(.accountStreamFailed), true)
    }
  }
}
