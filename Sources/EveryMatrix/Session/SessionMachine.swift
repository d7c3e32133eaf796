import OddsFeed
import OddsModel

/// A session with a feed (Transport.md, Freshness.md, Reconnecting.md), as a state machine without a socket or a clock.
///
/// Each event is applied with its moment and yields the actions to perform. Until `.disconnect`, every event leads to
/// another attempt, or to a state that states why there is none.
struct SessionMachine {
  enum Event {
    case start
    /// An event of a connection or an attempt. Ignored after the machine has requested its `close`.
    case line(LineEvent, link: Int)
    /// Time has passed, at `deadline` at the latest.
    case time
    /// Received data is not read because the reader lags behind, so silence is not evidence of a dead connection.
    case unread
    case subscribe(Subscription)
    case unsubscribe(Subscription)
    /// Retry now, because the user asks for it or the network is back. Applies to waiting topics too.
    case reconnect
    /// The credentials have changed: an existing connection is replaced by a new one.
    case renew
    case disconnect
  }

  enum LineEvent {
    case opened
    case message(WAMPMessage)
    /// The answer to the call `request` is not a dump; `excerpt` is its beginning.
    case noDump(request: UInt64, excerpt: String)
    /// A text that is not a WAMP message.
    case garbage
    case pong
    /// Part of a message was received.
    case progress
    /// The attempt failed, or the connection ended.
    case closed(ConnectionError)
  }

  /// The state of the session. Attempts count from 1 since the start or the loss of a successful session.
  enum Phase: Hashable {
    case idle
    case connecting(attempt: Int, deadline: Duration)
    case handshaking(attempt: Int, deadline: Duration)
    case open(OpenLine)
    case waiting(Retry, until: Duration)
    case failed(FeedError)
    case over
  }

  /// A session after its WELCOME.
  struct OpenLine: Hashable {
    let attempt: Int
    /// The time of the WELCOME.
    let since: Duration
    var pingAt: Duration
    /// The number of pings since the last sign of life.
    var missed = 0
    /// True if part of a message was received and its end is outstanding.
    var isTaking = false
    /// True while topics are requested again after a loss.
    var isRecovering: Bool
  }

  let realm: String
  var phase = Phase.idle
  /// The number of the current connection or attempt; earlier ones have smaller numbers.
  private(set) var link = 0
  var counters = SessionCounters()
  var table = SubscriptionTable()
  /// True if a session was open before, so that the next one recovers.
  private var wasOpen = false

  init(realm: String) { self.realm = realm }

  /// The state of the connection.
  var state: ConnectionState {
    switch phase {
    case .idle, .over: .idle
    case .connecting(let attempt, _): .connecting(attempt: attempt)
    case .handshaking: .handshaking
    case .open(let line): line.isRecovering ? .recovering : .live
    case .waiting(let retry, _): .waiting(retry)
    case .failed(let why): .failed(why)
    }
  }

  /// The time at which elapsed time next changes something; nil if it never does.
  var deadline: Duration? {
    switch phase {
    case .idle, .failed, .over: nil
    case .connecting(_, let deadline), .handshaking(_, let deadline), .waiting(_, let deadline): deadline
    case .open(let line): table.deadline.map { min($0, line.pingAt) } ?? line.pingAt
    }
  }

  mutating func apply(_ event: Event, at now: SessionMoment) -> [SessionAction] {
    var actions: [SessionAction] = []
    switch event {
    case .start: if phase == .idle { connect(attempt: 1, now, &actions) }
    case .line(let event, let link): if link == self.link { apply(event, now, &actions) }
    case .time: timePassed(now, &actions)
    case .unread: signOfLife()
    case .subscribe(let subscription): if phase != .over { table.want(subscription, isOpen: isOpen, now, &actions) }
    case .unsubscribe(let subscription): table.giveUp(subscription, now, &actions)
    case .reconnect: reconnect(now, &actions)
    case .renew: renew(now, &actions)
    case .disconnect: disconnect(&actions)
    }
    settle(&actions)
    return actions
  }

  /// Requests a fresh dump of a topic whose first dump was received. Returns nil if that is not possible at present.
  mutating func requestDump(_ subscription: Subscription, at now: SessionMoment) -> [SessionAction]? {
    var actions: [SessionAction] = []
    guard state == .live, table.requestDump(subscription, now, &actions) else { return nil }
    return actions
  }

  private var isOpen: Bool { if case .open = phase { true } else { false } }

  // MARK: Phase changes

  private mutating func enter(_ next: Phase, _ actions: inout [SessionAction]) {
    let old = state
    phase = next
    if state != old { actions.append(.line(state)) }
  }

  mutating func connect(attempt: Int, _ now: SessionMoment, _ actions: inout [SessionAction]) {
    link += 1
    counters.attempts += 1
    enter(.connecting(attempt: attempt, deadline: now.uptime + SessionTiming.patience), &actions)
    actions.append(.connect(link: link))
  }

  func isCurrent(_ link: Int) -> Bool {
    switch phase {
    case .connecting, .handshaking, .open: link == self.link
    case .idle, .waiting, .failed, .over: false
    }
  }

  /// Handles the loss of the connection or the failure of an attempt.
  ///
  /// NB: A session is a success if it lasted, not because it received a WELCOME or a dump. Otherwise all clients would
  /// reconnect at once, without end, to a server that fails right after sending them. A lost connection is retried at
  /// once if `retriesAtOnce` is true and the session was a success.
  mutating func connectionEnded(
    _ why: FeedError, retriesAtOnce: Bool, _ now: SessionMoment, _ actions: inout [SessionAction]
  ) {
    let attempt: Int
    switch phase {
    case .connecting(let number, _), .handshaking(let number, _): attempt = number + 1
    case .open(let line) where now.uptime - line.since < SessionTiming.stableAfter: attempt = line.attempt + 1
    case .open: attempt = retriesAtOnce ? 1 : 2
    case .idle, .waiting, .failed, .over: return
    }
    table.lineLost()
    if attempt == 1 { return connect(attempt: 1, now, &actions) }
    let delay = SessionTiming.delay(beforeRetry: attempt - 2, chance: now.chance)
    let retry = Retry(attempt: attempt, at: now.wall(after: delay), why: why)
    enter(.waiting(retry, until: now.uptime + delay), &actions)
  }

  mutating func fail(_ why: FeedError, _ actions: inout [SessionAction]) {
    table.lineLost()
    enter(.failed(why), &actions)
  }

  private mutating func reconnect(_ now: SessionMoment, _ actions: inout [SessionAction]) {
    switch phase {
    case .waiting(let retry, _): connect(attempt: retry.attempt, now, &actions)
    case .failed: connect(attempt: 1, now, &actions)
    // The user asks to retry, so a connection without recent signs of life is replaced before it counts as dead.
    case .open(let line) where line.missed > 1: silent(now, &actions)
    case .open: table.askAgain(now, &actions)
    case .idle, .connecting, .handshaking, .over: break
    }
  }

  private mutating func renew(_ now: SessionMoment, _ actions: inout [SessionAction]) {
    guard isCurrent(link) else { return reconnect(now, &actions) }
    if isOpen { actions.append(.send(.goodbye(reason: WAMPMessage.URI.closeRealm))) }
    actions.append(.close(code: CloseCode.normal))
    table.lineLost()
    connect(attempt: 1, now, &actions)
  }

  private mutating func disconnect(_ actions: inout [SessionAction]) {
    if isOpen { actions.append(.send(.goodbye(reason: WAMPMessage.URI.closeRealm))) }
    if isCurrent(link) { actions.append(.close(code: CloseCode.normal)) }
    table = SubscriptionTable()
    enter(.over, &actions)
  }

  // MARK: The handshake

  mutating func shakeHands(_ actions: inout [SessionAction]) {
    guard case .connecting(let attempt, let deadline) = phase else { return }
    enter(.handshaking(attempt: attempt, deadline: deadline), &actions)
    actions.append(.send(.hello(realm: realm)))
  }

  mutating func welcome(_ now: SessionMoment, _ actions: inout [SessionAction]) {
    guard case .handshaking(let attempt, _) = phase else { return }
    counters.sessions += 1
    let line = OpenLine(
      attempt: attempt, since: now.uptime, pingAt: now.uptime + SessionTiming.heartbeat,
      isRecovering: wasOpen && !table.isEmpty)
    enter(.open(line), &actions)
    wasOpen = true
    table.begin(now, &actions)
  }

  /// Ends recovery once the feed has answered for every topic, or is known to be late.
  private mutating func settle(_ actions: inout [SessionAction]) {
    guard case .open(var line) = phase, line.isRecovering, table.isSettled else { return }
    line.isRecovering = false
    enter(.open(line), &actions)
  }
}
