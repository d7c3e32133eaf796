import Localization
import TerminalCore

/// How the line is, as the header says it: what can be thought of the prices, and what is the matter where something is.
struct LineStatus: Equatable {
  enum Prices: Equatable {
    case live
    /// With the time since the line's last sign of life.
    case delayed(Age?)
    /// With the time since a pipe's last line.
    case silent(Age?)
    /// With how long already.
    case locked(Age?)
    case polling
    case cached(SavedAt)
  }

  /// When a board was saved.
  enum SavedAt: Equatable {
    /// At a minute since midnight.
    case today(minute: Int)
    /// On another day; nil where that is hardly ago.
    case ago(Age?)
  }

  enum ConnectionIssue: Equatable {
    case connecting(attempt: Int)
    case handshaking
    case recovering
    /// The line is up, and the channel's first dump on its way.
    case loading
    /// Nil where the attempt is due.
    case waiting(seconds: Int?, attempt: Int)
    case maintenance(seconds: Int?)
    case noAnswer
    /// The feed's answer for the topic was of no use; nil where the next question is due.
    case retrying(seconds: Int?)
    case refused
    case failed(Age?)
    case offline(Age?)
    case ended(Age?)
  }

  /// Nil where there are none.
  var prices: Prices?
  /// Nil where all is well with line and topic.
  var matter: ConnectionIssue?

  /// Both, in words.
  func text(_ words: Catalog) -> String { Self.joined(prices?.text(words), matter?.text(words), words) }

  /// Both, with the number that matters.
  func short(_ words: Catalog) -> String { Self.joined(prices?.text(words), matter?.brief(words), words) }

  /// The word that tells most of the prices, where there is room for no more.
  func brief(_ words: Catalog) -> String {
    switch prices {
    case .polling, .cached: prices!.text(words)
    case .live, .delayed, .silent, .locked, nil: matter?.brief(words) ?? prices?.text(words) ?? ""
    }
  }

  private static func joined(_ prices: String?, _ matter: String?, _ words: Catalog) -> String {
    guard let prices, let matter else { return prices ?? matter ?? "" }
    return words(.joinedWords, prices, matter)
  }

  var isLive: Bool { matter == nil && (prices == nil || prices == .live) }

  var isEnded: Bool { if case .ended = matter { true } else { false } }

  var isWell: Bool { isLive || isEnded }
}

extension LineStatus.Prices {
  func text(_ words: Catalog) -> String {
    switch self {
    case .live: words(.statusLive)
    case .delayed(let age): words(.statusDelayed) + age.spaced(words)
    case .silent(let age): words(.statusSilent) + age.spaced(words)
    case .locked(let age): words(.statusLocked) + age.spaced(words)
    case .polling: words(.statusPolling)
    case .cached(.today(let minute)): words(.statusCached, "\(ShortText(minuteOfDay: minute))")
    case .cached(.ago(let age)):
      words(.statusCached, words(.statusAgo, age?.text(words) ?? words(.ageSeconds, 0)))
    }
  }
}

extension LineStatus.ConnectionIssue {
  func text(_ words: Catalog) -> String {
    func both(_ first: MessageKey, _ second: LocalizedMessage) -> String { words(.joinedWords, first, second) }
    return switch self {
    case .connecting(1): words(.statusConnecting)
    case .connecting(let attempt): both(.statusConnecting, LocalizedMessage(.statusAttempt, attempt))
    case .handshaking: words(.statusHandshaking)
    case .recovering: words(.statusRecovering)
    case .loading: words(.statusLoading)
    case .waiting(_, let attempt): words(.joinedWords, brief(words), LocalizedMessage(.statusAttempt, attempt))
    case .maintenance(let seconds?): both(.statusMaintenance, LocalizedMessage(.statusAgainIn, seconds))
    case .maintenance(nil): words(.statusMaintenance)
    case .noAnswer: words(.statusNoAnswer)
    case .retrying(let seconds?): both(.statusTopicError, LocalizedMessage(.statusAgainIn, seconds))
    case .retrying(nil): words(.statusTopicError)
    case .refused: words(.statusRefused)
    case .failed(let age): words(.statusFailed) + age.spaced(words)
    case .offline(let age): words(.statusOffline) + age.spaced(words)
    case .ended(let age): words(.statusEnded) + age.spaced(words)
    }
  }

  /// True where nothing changes by itself any more.
  var isFinal: Bool {
    switch self {
    case .failed, .offline, .ended: true
    default: false
    }
  }

  fileprivate func brief(_ words: Catalog) -> String {
    switch self {
    case .connecting(let attempt) where attempt > 1: words(.statusAttempt, attempt)
    case .waiting(let seconds?, _): words(.statusWaitingFor, seconds)
    case .maintenance(let seconds?), .retrying(let seconds?): words(.statusAgainIn, seconds)
    case .waiting(nil, _): words(.statusWaiting)
    default: text(words)
    }
  }
}

extension Age? {
  fileprivate func spaced(_ words: Catalog) -> String { map { " \($0.text(words))" } ?? "" }
}
