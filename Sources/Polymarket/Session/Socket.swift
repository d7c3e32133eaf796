import OddsFeed
import OddsModel
import Platform

/// A socket of the session: its attempts, and its signs of life.
struct Socket {
  enum Phase {
    case connecting(attempt: Int, deadline: Duration)
    case open(Connection)
    case waiting(Retry, until: Duration)
    /// Not tried again, because another attempt cannot succeed.
    case failed(FeedError)
  }

  struct Connection {
    let attempt: Int
    /// The time of opening.
    let since: Duration
    /// The texts `PING` of a market socket; nil for the sports channel, whose server sends `ping`.
    var pings: PingLog?
    /// The time limit for a sign of life; nil if none is due.
    var pongBy: Duration?
    /// The time of the last sign of life: a frame, a part of one, or frames that are not read.
    var lastSign: Duration
    var unfinished = UnfinishedMessage(limit: PolymarketTiming.frame)
  }

  /// The number of the current connection or attempt.
  var link: Int
  var phase: Phase

  /// Creates a socket that is being opened.
  init(link: Int, attempt: Int, at now: Duration) {
    self.link = link
    phase = .connecting(attempt: attempt, deadline: now + PolymarketTiming.connect)
  }

  var isOpen: Bool { if case .open = phase { true } else { false } }

  /// True if events of the link are expected.
  var isCurrent: Bool {
    switch phase {
    case .connecting, .open: true
    case .waiting, .failed: false
    }
  }

  var attempt: Int? { if case .connecting(let attempt, _) = phase { attempt } else { nil } }
  var retry: Retry? { if case .waiting(let retry, _) = phase { retry } else { nil } }
  var error: FeedError? { if case .failed(let error) = phase { error } else { nil } }

  mutating func opened(at now: Duration, pings: PingLog? = nil) {
    guard case .connecting(let attempt, _) = phase else { return }
    phase = .open(Connection(attempt: attempt, since: now, pings: pings, lastSign: now))
  }

  /// Records a text `PONG`.
  mutating func answered(at now: Duration) {
    signOfLife(at: now)
    guard case .open(var connection) = phase else { return }
    connection.pings?.answerNext(at: now)
    phase = .open(connection)
  }

  /// Records that frames are not read.
  mutating func unread(at now: Duration) {
    signOfLife(at: now)
    guard case .open(var connection) = phase else { return }
    connection.pings?.unread(at: now)
    phase = .open(connection)
  }

  /// The pings of an open market socket.
  var pings: PingLog? { if case .open(let connection) = phase { connection.pings } else { nil } }

  /// Records a whole frame.
  mutating func signOfLife(at now: Duration) {
    guard case .open(var connection) = phase else { return }
    connection.pongBy = nil
    connection.lastSign = now
    connection.unfinished.reset()
    phase = .open(connection)
  }

  /// Records that a part of a frame has arrived, which is a sign of life unless the frame takes too long.
  mutating func partArrived(at now: Duration) {
    guard case .open(var connection) = phase else { return }
    if connection.unfinished.partArrived(at: now) {
      connection.pongBy = nil
      connection.lastSign = now
    }
    phase = .open(connection)
  }

  /// Begins the wait after a loss or a failed attempt. Returns true if the next attempt is made at once, because the
  /// connection had lasted.
  mutating func lost(_ why: FeedError, isTerminal: Bool, at now: SessionMoment) -> Bool {
    if isTerminal {
      phase = .failed(why)
      return false
    }
    let attempt: Int
    switch phase {
    case .connecting(let number, _): attempt = number + 1
    case .open(let connection) where now.uptime - connection.since < RetryDelay.stableAfter:
      attempt = connection.attempt + 1
    case .open: return true
    case .waiting, .failed: return false
    }
    let delay = RetryDelay.delay(beforeRetry: attempt - 2, chance: now.chance)
    phase = .waiting(Retry(attempt: attempt, time: now.wall(after: delay), reason: why), until: now.uptime + delay)
    return false
  }

  var deadline: Duration? {
    switch phase {
    case .connecting(_, let deadline): deadline
    case .open(let connection):
      if let pings = connection.pings {
        min(pings.nextAt, connection.pongBy ?? pings.nextAt)
      } else {
        connection.lastSign + PolymarketTiming.sportsSilence
      }
    case .waiting(_, let until): until
    case .failed: nil
    }
  }
}
