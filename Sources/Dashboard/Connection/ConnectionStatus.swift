package import Localization
package import OddsModel
import TerminalCore

/// The connection's status as shown in the header: the freshness of the prices, and the issue if there is one.
struct ConnectionStatus: Equatable {
  enum Prices: Equatable {
    case live
    /// Prices of a delayed connection, with the time since its last sign of life.
    case delayed(Age?)
    /// Prices that the provider itself calls not live, with its reason.
    case impaired(Freshness.Cause)
    /// Prices of a silent pipe, with the time since its last line.
    case silent(Age?)
    /// Prices that may be out of date, with the time since they were locked.
    case locked(Age?)
    case polling
    case cached(SavedAt)
  }

  enum SavedAt: Equatable {
    /// Today, at a minute since midnight.
    case today(minute: Int)
    /// On another day, with the age; nil for an age below 15 seconds.
    case ago(Age?)
  }

  enum Issue: Equatable {
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

  var prices: Prices?
  var issue: Issue?

  func text(_ words: Catalog) -> String { Self.joined(prices?.text(words), issue?.text(words), words) }

  /// Returns the text of both parts, with the issue shortened to its number.
  func short(_ words: Catalog) -> String { Self.joined(prices?.text(words), issue?.brief(words), words) }

  /// Returns the most important part alone, for a narrow header.
  func brief(_ words: Catalog) -> String {
    switch prices {
    case .polling, .cached: prices?.text(words) ?? ""
    case .live, .delayed, .impaired, .silent, .locked, nil: issue?.brief(words) ?? prices?.text(words) ?? ""
    }
  }

  private static func joined(_ prices: String?, _ issue: String?, _ words: Catalog) -> String {
    guard let prices, let issue else { return prices ?? issue ?? "" }
    return words(.joinedWords, prices, issue)
  }

  var isLive: Bool { issue == nil && (prices == nil || prices == .live) }

  var isEnded: Bool { if case .ended = issue { true } else { false } }

  var isWell: Bool { isLive || isEnded }
}

extension ConnectionStatus {
  /// Returns the text of a problem that is likely to last; nil if there is none.
  func lastingProblem(_ words: Catalog) -> String? {
    switch issue {
    case .connecting, .handshaking, .recovering, .loading, nil: break
    case let issue?: return words(issue.name)
    }
    switch prices {
    case .delayed, .impaired, .silent, .locked: return prices.map { words($0.name) }
    case .polling, .cached: return prices?.text(words)
    case .live, nil: return nil
    }
  }
}

extension ConnectionStatus.Prices {
  fileprivate var name: MessageKey {
    switch self {
    case .live: .statusLive
    case .delayed: .statusDelayed
    case .impaired(let cause): cause.name
    case .silent: .statusSilent
    case .locked: .statusLocked
    case .polling: .statusPolling
    case .cached: .statusCached
    }
  }

  func text(_ words: Catalog) -> String {
    switch self {
    case .live, .polling, .impaired: words(name)
    case .delayed(let age), .silent(let age), .locked(let age): words(name) + age.spaced(words)
    case .cached(.today(let minute)): words(name, "\(ShortText(minuteOfDay: minute))")
    case .cached(.ago(let age)): words(name, words(.statusAgo, age?.text(words) ?? words(.ageSeconds, 0)))
    }
  }
}

extension ConnectionStatus.Issue {
  fileprivate var name: MessageKey {
    switch self {
    case .connecting: .statusConnecting
    case .handshaking: .statusHandshaking
    case .recovering: .statusRecovering
    case .loading: .statusLoading
    case .waiting: .statusWaiting
    case .maintenance: .statusMaintenance
    case .noAnswer: .statusNoAnswer
    case .retrying: .statusTopicError
    case .refused: .statusRefused
    case .failed: .statusFailed
    case .offline: .statusOffline
    case .ended: .statusEnded
    }
  }

  func text(_ words: Catalog) -> String {
    func and(_ second: LocalizedMessage) -> String { words(.joinedWords, name, second) }
    return switch self {
    case .connecting(let attempt) where attempt > 1: and(LocalizedMessage(.statusAttempt, attempt))
    case .waiting(_, let attempt): words(.joinedWords, brief(words), LocalizedMessage(.statusAttempt, attempt))
    case .maintenance(let seconds?), .retrying(let seconds?): and(LocalizedMessage(.statusAgainIn, seconds))
    case .failed(let age), .offline(let age), .ended(let age): words(name) + age.spaced(words)
    case .connecting, .handshaking, .recovering, .loading, .maintenance, .noAnswer, .retrying, .refused: words(name)
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
    case .waiting(nil, _): words(name)
    default: text(words)
    }
  }
}

extension Age? {
  fileprivate func spaced(_ words: Catalog) -> String { map { " \($0.text(words))" } ?? "" }
}

extension TopicState {
  var name: MessageKey {
    switch self {
    case .requested: .topicRequested
    case .live: .statusLive
    case .overdue: .statusDelayed
    case .maintenance: .statusMaintenance
    case .late: .topicLate
    case .retrying: .statusTopicError
    case .refused: .statusRefused
    }
  }

  /// The reason why the topic has no content; nil if it has, or has only been requested.
  var problem: LocalizedMessage? {
    switch self {
    case .requested, .live, .overdue: nil
    case .maintenance: LocalizedMessage(.boardMaintenance)
    case .late: LocalizedMessage(.boardNotAnswered)
    case .retrying(let why, _), .refused(let why): why.sentence
    }
  }
}

extension DataSource {
  var name: MessageKey {
    switch self {
    case .none: .sourceNone
    case .cache: .sourceCache
    case .api, .polling: .sourceREST
    case .stream: .sourceStream
    }
  }
}

extension Freshness {
  /// True if prices can be shown as live: the grade allows it, and the provider does not say that they are late.
  var isTrusted: Bool { grade.isTrusted && cause == nil }
}

extension Freshness.Cause {
  package var name: MessageKey {
    switch self {
    case .sourceStale: .statusSourceStale
    case .delayedAccess: .statusDelayedAccess
    case .updatesMerged: .statusUpdatesMerged
    case .catalogueStale: .statusCatalogueStale
    }
  }
}

extension Freshness.Grade {
  package var name: MessageKey {
    switch self {
    case .live: .statusLive
    case .delayed: .statusDelayed
    case .locked: .statusLocked
    case .suspended: .statusSuspended
    case .closed: .statusClosed
    }
  }
}
