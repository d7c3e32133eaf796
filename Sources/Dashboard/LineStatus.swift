/// How the line is, as the header says it: what can be thought of the prices, and what is the matter where something is.
struct LineStatus: Equatable {
  enum Prices: Equatable {
    case live
    /// With the time since the line's last sign of life.
    case delayed(Age?)
    /// With how long already.
    case locked(Age?)
    case polling
    /// With when they were saved.
    case cached(String)
  }

  enum Matter: Equatable {
    case connecting(attempt: Int)
    case handshaking
    case recovering
    /// The line is up, and the channel's first dump on its way.
    case loading
    /// Nil where the attempt is due.
    case waiting(seconds: Int?, attempt: Int)
    case maintenance(seconds: Int?)
    case noAnswer
    case refused
    case failed(Age?)
    case offline(Age?)
    case ended(Age?)
  }

  /// Nil where there are none.
  var prices: Prices?
  /// Nil where all is well with line and topic.
  var matter: Matter?

  /// Both, in words.
  var text: String { [prices?.text, matter?.text].compactMap { $0 }.joined(separator: ", ") }

  /// Both, with the number that matters.
  var short: String { [prices?.text, matter?.brief].compactMap { $0 }.joined(separator: ", ") }

  /// The word that tells most of the prices, where there is room for no more.
  var brief: String {
    switch prices {
    case .polling, .cached: prices!.text
    case .live, .delayed, .locked, nil: matter?.brief ?? prices?.text ?? ""
    }
  }

  var isLive: Bool { matter == nil && (prices == nil || prices == .live) }

  var isEnded: Bool { if case .ended = matter { true } else { false } }

  var isWell: Bool { isLive || isEnded }
}

extension LineStatus.Prices {
  var text: String {
    switch self {
    case .live: "live"
    case .delayed(let age): "delayed\(age.spaced)"
    case .locked(let age): "locked\(age.spaced)"
    case .polling: "polling"
    case .cached(let time): "cached \(time)"
    }
  }
}

extension LineStatus.Matter {
  var text: String {
    switch self {
    case .connecting(1): "connecting"
    case .connecting(let attempt): "connecting, attempt \(attempt)"
    case .handshaking: "handshaking"
    case .recovering: "recovering"
    case .loading: "loading"
    case .waiting(let seconds?, let attempt): "waiting \(seconds) s, attempt \(attempt)"
    case .waiting(nil, let attempt): "waiting, attempt \(attempt)"
    case .maintenance(let seconds?): "maintenance, again in \(seconds) s"
    case .maintenance(nil): "maintenance"
    case .noAnswer: "no answer"
    case .refused: "refused"
    case .failed(let age): "failed\(age.spaced)"
    case .offline(let age): "offline\(age.spaced)"
    case .ended(let age): "feed ended\(age.spaced)"
    }
  }

  /// True where nothing changes by itself any more.
  var isFinal: Bool {
    switch self {
    case .failed, .offline, .ended: true
    default: false
    }
  }

  fileprivate var brief: String {
    switch self {
    case .connecting(let attempt) where attempt > 1: "attempt \(attempt)"
    case .waiting(let seconds?, _): "waiting \(seconds) s"
    case .maintenance(let seconds?): "again in \(seconds) s"
    case .waiting(nil, _): "waiting"
    default: text
    }
  }
}

extension Age? {
  fileprivate var spaced: String { map { " \($0.text)" } ?? "" }
}
