import OddsFeed
import OddsModel
import Platform

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
    /// The answer to the ping with this number; nil if it has none.
    case pong(UInt64?)
    /// Part of a message was received.
    case progress
    /// The attempt failed, or the connection ended.
    case closed(ConnectionError)
  }

  /// The state of the session. Attempts count from 1 since the start or the loss of a successful session, over all
  /// addresses.
  enum Phase: Hashable {
    case idle
    case connecting(attempt: Int, deadline: Duration)
    case handshaking(attempt: Int, deadline: Duration)
    case open(OpenConnection)
    case waiting(Retry, until: Duration)
    case failed(FeedError)
    case over
  }

  /// A session after its WELCOME.
  struct OpenConnection: Hashable {
    let attempt: Int
    /// The time of the WELCOME.
    let since: Duration
    var pings: PingLog
    /// The number of pings since the last sign of life.
    var missed = 0
    /// The message of which a part was received and whose end is outstanding. A long dump takes a minute on a slow
    /// connection.
    var unfinished = UnfinishedMessage(limit: .seconds(120))
    /// True while topics are requested again after a loss.
    var isRecovering: Bool
  }

  /// An address of the feed.
  struct Address: Hashable {
    /// The realm to join there.
    let realm: String
    /// The address in errors.
    let name: String
  }

  let addresses: [Address]
  var rotation: AddressRotation
  /// The errors of the current round by address. Those of rejected addresses stay.
  var failures: [FeedError?]
  /// The shortest time after which an address of the current round wants to be asked again. An address that gave none
  /// counts as zero. Nil until an address fails that is not rejected.
  var retryAfter: Duration?
  var phase = Phase.idle
  /// The number of the current connection or attempt; earlier ones have smaller numbers.
  var link = 0
  var counters = SessionCounters()
  var table = SubscriptionTable()
  /// True if a session was open before, so that the next one recovers.
  private var wasOpen = false
  /// False if the server has answered no ping of a connection for too long. The next connection does not wait again.
  var answersPings = true

  /// Creates a machine that connects to the addresses of one feed. `chance`, a random number from 0 to 1, selects the
  /// first.
  init(addresses: [Address], chance: Double) {
    self.addresses = addresses
    rotation = AddressRotation(count: addresses.count, chance: chance)
    failures = Array(repeating: nil, count: addresses.count)
  }

  /// The realm at the current address.
  var realm: String { addresses[rotation.current].realm }

  var state: ConnectionState {
    switch phase {
    case .idle, .over: .idle
    case .connecting(let attempt, _): .connecting(attempt: attempt)
    case .handshaking: .handshaking
    case .open(let connection): connection.isRecovering ? .recovering : .live
    case .waiting(let retry, _): .waiting(retry)
    case .failed(let why): .failed(why)
    }
  }

  /// The time at which elapsed time next changes something; nil if it never does.
  var deadline: Duration? {
    switch phase {
    case .idle, .failed, .over: nil
    case .connecting(_, let deadline), .handshaking(_, let deadline), .waiting(_, let deadline): deadline
    case .open(let connection): table.deadline.map { min($0, connection.pings.nextAt) } ?? connection.pings.nextAt
    }
  }

  mutating func apply(_ event: Event, at now: SessionMoment) -> [SessionAction] {
    var step = SessionStep(now: now)
    switch event {
    case .start: if phase == .idle { open(attempt: 1, &step) }
    case .line(let event, let link): if link == self.link { apply(event, &step) }
    case .time: timePassed(&step)
    case .unread: unread(at: now.uptime)
    case .subscribe(let subscription): if phase != .over { table.want(subscription, isOpen: isOpen, &step) }
    case .unsubscribe(let subscription): table.giveUp(subscription, &step)
    case .reconnect: reconnect(&step)
    case .renew: renew(&step)
    case .disconnect: disconnect(&step)
    }
    // An update changes no call.
    if case .line(.message(.invocation), _) = event {} else { table.callWaiting(&step) }
    settle(&step)
    return step.actions
  }

  /// Requests a fresh dump of a topic whose first dump was received. Returns nil if that is not possible at present.
  mutating func requestDump(_ subscription: Subscription, at now: SessionMoment) -> [SessionAction]? {
    var step = SessionStep(now: now)
    guard state == .live, table.requestDump(subscription, &step) else { return nil }
    return step.actions
  }

  private var isOpen: Bool { if case .open = phase { true } else { false } }

  // MARK: Phase changes

  mutating func enter(_ next: Phase, _ step: inout SessionStep) {
    let old = state
    phase = next
    if state != old { step.actions.append(.line(state)) }
  }

  func isCurrent(_ link: Int) -> Bool {
    switch phase {
    case .connecting, .handshaking, .open: link == self.link
    case .idle, .waiting, .failed, .over: false
    }
  }

  /// Records a pause of the reader: silence in this time says nothing about the connection.
  private mutating func unread(at now: Duration) {
    guard case .open(var connection) = phase else { return }
    connection.unfinished.reset()
    connection.pings.unread(at: now)
    phase = .open(connection)
    signOfLife()
  }

  private mutating func reconnect(_ step: inout SessionStep) {
    switch phase {
    case .waiting(let retry, _):
      rotation.readmit()
      connect(attempt: retry.attempt, &step)
    case .failed:
      rotation.restart()
      connect(attempt: 1, &step)
    // The user asks to retry, so a connection without recent signs of life is replaced before it counts as dead.
    case .open(let connection) where connection.missed > 1: silent(&step)
    case .open: table.askAgain(&step)
    case .idle, .connecting, .handshaking, .over: break
    }
  }

  private mutating func renew(_ step: inout SessionStep) {
    guard isCurrent(link) else { return reconnect(&step) }
    if isOpen { step.actions.append(.send(.goodbye(reason: WAMPMessage.URI.closeRealm))) }
    step.actions.append(.close(code: CloseCode.normal))
    table.lineLost()
    rotation.restart(triesCurrent: true)
    retryAfter = nil
    open(attempt: 1, &step)
  }

  private mutating func disconnect(_ step: inout SessionStep) {
    if isOpen { step.actions.append(.send(.goodbye(reason: WAMPMessage.URI.closeRealm))) }
    if isCurrent(link) { step.actions.append(.close(code: CloseCode.normal)) }
    table = SubscriptionTable()
    enter(.over, &step)
  }

  // MARK: The handshake

  mutating func shakeHands(_ step: inout SessionStep) {
    guard case .connecting(let attempt, let deadline) = phase else { return }
    enter(.handshaking(attempt: attempt, deadline: deadline), &step)
    step.actions.append(.send(.hello(realm: realm)))
  }

  mutating func welcome(_ step: inout SessionStep) {
    guard case .handshaking(let attempt, _) = phase else { return }
    counters.sessions += 1
    let connection = OpenConnection(
      attempt: attempt, since: step.now.uptime,
      pings: PingLog(
        interval: SessionTiming.heartbeat, requiresAnswers: false, isAwaited: answersPings, at: step.now.uptime),
      isRecovering: wasOpen && !table.entries.isEmpty)
    enter(.open(connection), &step)
    wasOpen = true
    table.begin(&step)
  }

  /// Ends recovery once the feed has answered for every topic, or is known to be late.
  private mutating func settle(_ step: inout SessionStep) {
    guard case .open(var connection) = phase, connection.isRecovering, table.isSettled else { return }
    connection.isRecovering = false
    enter(.open(connection), &step)
  }
}
