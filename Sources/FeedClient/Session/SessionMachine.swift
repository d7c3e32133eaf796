import OddsFeed

/// A session with a feed (Transport.md, §5, §6), without a socket or a clock: what happens goes in with its moment, what is
/// to be done comes out. It goes on until it is ended: whatever else happens, it tries again or says why it does not.
struct SessionMachine {
  enum Event {
    case start
    /// What happens on a connection, or on the way to one; once its `close` was asked for, nobody listens.
    case line(LineEvent, link: Int)
    /// Nothing but time, when `deadline` is over.
    case time
    /// What has come is not read, as nobody takes it: silence says nothing.
    case unread
    case subscribe(Subscription)
    case unsubscribe(Subscription)
    /// The user, or the network's return, says that waiting is over, for a topic too.
    case reconnect
    /// What we show to the feed for ourselves is another: a line that has shown the old is given up for one with the new.
    case renew
    case disconnect
  }

  enum LineEvent {
    case opened
    case message(WAMPMessage)
    /// An answer to the call of that number that is no dump, and how it begins.
    case noDump(request: UInt64, excerpt: String)
    /// A text that is no message.
    case garbage
    case pong
    /// Bytes of a message that is not whole yet.
    case progress
    /// The connection could not be had, or is over.
    case closed(ConnectionError)
  }

  /// Attempts count from 1 since the start or the loss of a session that was a success.
  enum Phase: Hashable {
    case idle
    case connecting(attempt: Int, deadline: Duration)
    case handshaking(attempt: Int, deadline: Duration)
    case open(OpenLine)
    case waiting(Retry, until: Duration)
    case failed(FeedError)
    case over
  }

  /// A session that the feed has welcomed.
  struct OpenLine: Hashable {
    let attempt: Int
    /// When the WELCOME came.
    let since: Duration
    var pingAt: Duration
    /// Pings since the last sign of life.
    var missed = 0
    /// A message is on its way: bytes came, and nothing whole since.
    var isTaking = false
    /// Topics are being asked for anew after a loss.
    var isRecovering: Bool
  }

  let realm: String
  var phase = Phase.idle
  /// The connection, or the attempt, that is listened to; those before have smaller numbers.
  private(set) var link = 0
  var counters = SessionCounters()
  var table = SubscriptionTable()
  /// A session was open before: the next one recovers.
  private var wasOpen = false

  init(realm: String) { self.realm = realm }

  /// How the line is.
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

  /// When time alone changes something next.
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

  /// Asks for a fresh dump of a topic whose first one is in. False where it cannot be asked for now.
  mutating func requestDump(_ subscription: Subscription, at now: SessionMoment) -> [SessionAction]? {
    var actions: [SessionAction] = []
    guard state == .live, table.requestDump(subscription, now, &actions) else { return nil }
    return actions
  }

  private var isOpen: Bool { if case .open = phase { true } else { false } }

  // MARK: Ways from phase to phase

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

  /// The line is lost, or was not to be had.
  ///
  /// NB: what counts as success is a session that lasted, not the WELCOME nor the dump: a server that falls over whatever
  /// it has just sent would otherwise be asked for both again at once, by everybody, for ever. A line that is cut now and
  /// then is had again at once.
  mutating func lose(
    _ why: FeedError, isToBeHadAtOnce: Bool, _ now: SessionMoment, _ actions: inout [SessionAction]
  ) {
    let attempt: Int
    switch phase {
    case .connecting(let number, _), .handshaking(let number, _): attempt = number + 1
    case .open(let line) where now.uptime - line.since < SessionTiming.stableAfter: attempt = line.attempt + 1
    case .open: attempt = isToBeHadAtOnce ? 1 : 2
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
    // What is silent need not be waited for until it counts as dead.
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

  /// A line has recovered when the feed has answered for every topic, or is known to be late.
  private mutating func settle(_ actions: inout [SessionAction]) {
    guard case .open(var line) = phase, line.isRecovering, table.isSettled else { return }
    line.isRecovering = false
    enter(.open(line), &actions)
  }
}
