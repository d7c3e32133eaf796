import OddsFeed

/// How the line is, as the header says it, and for how long it has been so where that is not live.
struct LineStatus: Equatable {
  enum Word: String {
    case offline, connecting, live, delayed, locked, failed
    case ended = "feed ended"
  }

  var word: Word
  /// In steps so coarse that the screen rests; nil where the word is news, or good.
  var age: Age?

  var text: String { age.map { "\(word.rawValue) \($0.text)" } ?? word.rawValue }

  var isWell: Bool { word == .live || word == .ended }
}

extension LineStatus.Word {
  init(_ connection: ConnectionState, _ grade: Staleness.Grade, hasPrices: Bool) {
    switch connection {
    case .idle: self = .offline
    case .connecting, .handshaking, .waiting: self = .connecting
    case .ended: self = .ended
    case .failed: self = .failed
    case .live, .recovering:
      switch grade {
      // Where no price is there yet, none can be locked: the rows say that the dump is awaited.
      case .locked where hasPrices: self = .locked
      case .live, .locked, .suspended: self = .live
      case .delayed: self = .delayed
      case .closed: self = .ended
      }
    }
  }

  /// What lasts for seconds is told by the second.
  var isBrief: Bool { self == .connecting || self == .delayed }
}

extension BoardState {
  /// True where every price of the channel may be dead.
  var isLocked: Bool { !staleness.grade.isTrusted }

  func lineStatus(at now: Moment) -> LineStatus {
    let word = LineStatus.Word(connection, staleness.grade, hasPrices: isLoaded || rows.count > 0)
    return LineStatus(word: word, age: age(of: word, at: now).flatMap { Age($0, finely: word.isBrief) })
  }

  /// Uptime at which the line's status takes its next step; nil where it stays as it is.
  func nextLineStatus(after now: Moment) -> Duration? {
    let status = lineStatus(at: now)
    return age(of: status.word, at: now).map {
      now.uptime + Age.end(of: status.age, finely: status.word.isBrief) - $0
    }
  }

  /// Nil where it is live. What is delayed counts from the line's last sign of life.
  private func age(of word: LineStatus.Word, at now: Moment) -> Duration? {
    if word == .live { return nil }
    let since = word == .delayed ? lastSign ?? staleness.since : staleness.since
    return .milliseconds(max(0, now.wall - since))
  }
}

extension Staleness.Grade {
  /// False where a price that looks as if it could be bet on may be dead.
  var isTrusted: Bool { self != .locked && self != .closed }
}
