import Localization
import TerminalCore

/// The connection's status as shown in the header: the freshness of the prices, and the issue if there is one.
struct LineStatus: Equatable {
  enum Prices: Equatable {
    case live
    /// Prices of a delayed connection, with the time since its last sign of life.
    case delayed(Age?)
    /// Prices of a silent pipe, with the time since its last line.
    case silent(Age?)
    /// Prices that may be out of date, with the time since they were locked.
    case locked(Age?)
    case polling
    case cached(SavedAt)
  }

  /// The time at which a board was saved.
  enum SavedAt: Equatable {
    /// Today, at a minute since midnight.
    case today(minute: Int)
    /// On another day, with the age; nil for an age below 15 seconds.
    case ago(Age?)
  }

  enum ConnectionIssue: Equatable {
    case connecting(attempt: Int)
    case handshaking
    case recovering
    /// The connection is up, and the channel's first dump is pending.
    case loading
    /// The next attempt is pending; `seconds` is nil if it is due.
    case waiting(seconds: Int?, attempt: Int)
    case maintenance(seconds: Int?)
    case noAnswer
    /// The feed's answer for the topic was unusable; `seconds` is nil if the next request is due.
    case retrying(seconds: Int?)
    case refused
    case failed(Age?)
    case offline(Age?)
    case ended(Age?)
  }

  /// The status of the prices; nil if none is to be shown.
  var prices: Prices?
  /// The issue of connection or topic; nil if there is none.
  var matter: ConnectionIssue?

  /// Returns the text of both parts.
  func text(_ words: Catalog) -> String { Self.joined(prices?.text(words), matter?.text(words), words) }

  /// Returns the text of both parts, with the issue shortened to its number.
  func short(_ words: Catalog) -> String { Self.joined(prices?.text(words), matter?.brief(words), words) }

  /// Returns the most important part alone, for a narrow header.
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

  /// True for a state that does not change by itself any more.
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
