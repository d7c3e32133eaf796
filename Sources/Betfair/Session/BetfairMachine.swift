import AccountModel
import Localization
import OddsFeed
import OddsModel
import Platform

/// A session with Betfair as a state machine without a socket or a clock (Session.md).
///
/// It logs in, opens a connection for each topic, and asks for the names of the markets that arrive. Until
/// `.disconnect`, every event leads to another attempt, or to a state that states why there is none.
struct BetfairMachine: FeedMachine {
  enum Event: FeedMachineEvent {
    case start
    case subscribe(Subscription)
    case unsubscribe(Subscription)
    /// The login service answered a login or a keep-alive.
    case login(request: Int, Result<Secret, LoginError>)
    case catalogue(request: Int, Result<Catalogue, CatalogueError>)
    /// An event of a connection or of an attempt to open it. Ignored after the machine has requested its `close`.
    case stream(StreamEvent, link: Int)
    /// Time has passed, at `deadline` at the latest.
    case time
    /// A connection is not read because the reader lags behind, so its silence is not evidence that it is dead.
    case unread(link: Int)
    /// Retry now, because the user asks for it or the network is back.
    case reconnect
    case disconnect
  }

  enum StreamEvent {
    case opened
    case line([UInt8])
    /// Part of a line was received.
    case progress
    case closed(ConnectionError)
  }

  /// An action that the machine requests. Actions are performed in order.
  enum Action: Hashable {
    case logIn(request: Int)
    case keepAlive(Secret, request: Int)
    case connect(link: Int)
    /// Close the connection or abandon the attempt.
    case close(link: Int)
    case send([UInt8], link: Int)
    /// Request the markets that a subscription selects, at most `limit`.
    case fetch(MarketSubscription, limit: Int, Secret, request: Int)
    /// Deliver the current line to a subscription.
    case deliver(Subscription)
    /// Deliver a message of the session itself.
    case message(Subscription, [UInt8])
    case state(ConnectionState)
    case topic(Subscription, TopicState)
    /// Report that names cannot be requested; nil if they can again.
    case namesMissing(Subscription, FeedError?)
    /// Report a sign of life that carries no data.
    case alive
  }

  let appKey: Secret
  /// The time over which the provider merges the updates of a market, in milliseconds.
  let conflateMs: Int64
  private(set) var isStarted = false
  private(set) var isOver = false
  var login = Login.none
  /// The number of logins in a row whose token the provider has refused.
  var refusedLogins = 0
  /// The reason why no connection is tried again; nil while they are.
  var finalError: FeedError?
  var entries: [Entry] = []
  /// The number of further connections that the account can open, as last known.
  var connectionsAvailable: Int64?
  var lastNumber = 0
  private var reported = ConnectionState.idle
  private var idleSigns = IdleSigns(interval: BetfairSession.heartbeat)
  /// The actions so far, and the time of the current event.
  var actions: [Action] = []
  var now = SessionMoment(uptime: .zero, wall: 0, chance: 0)

  init(appKey: Secret, conflateMs: Int64 = 0) {
    self.appKey = appKey
    self.conflateMs = conflateMs
  }

  mutating func apply(_ event: Event, at now: SessionMoment) -> [Action] {
    self.now = now
    actions = []
    if isOver { return [] }
    switch event {
    case .start:
      isStarted = true
      logIn(attempt: 1)
    case .subscribe(let subscription): subscribe(subscription)
    case .unsubscribe(let subscription): unsubscribe(subscription)
    case .login(let request, let result): answered(request, result)
    case .catalogue(let request, let result): fetched(request, result)
    case .stream(let event, let link): apply(event, link)
    case .time: timePassed()
    case .unread(let link):
      if let index = entries.firstIndex(where: { $0.line.link == link }) {
        entries[index].stream.unread(at: now.uptime)
      }
    case .reconnect: reconnect()
    case .disconnect: return disconnect()
    }
    settle()
    return actions
  }

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// The time at which elapsed time next changes something; nil if it never does.
  var deadline: Duration? {
    let canRequest = login.token != nil
    return (entries.map { $0.deadline(canRequest: canRequest) } + [login.deadline, idleSigns.nextAt]).compactMap(\.self)
      .min()
  }

  // MARK: State

  /// The state of the connections together. While some but not all are open, it is recovering: the topics of the others
  /// are not live.
  var state: ConnectionState {
    if isOver || !isStarted { return .idle }
    if let finalError { return .failed(finalError) }
    let lines = entries.filter(\.needsLine).map(\.line)
    if lines.contains(where: \.isSubscribed) { return lines.allSatisfy(\.isSubscribed) ? .live : .recovering }
    switch login {
    case .none: return .idle
    case .pending(_, let attempt): return .connecting(attempt: attempt)
    case .waiting(let retry, _): return .waiting(retry)
    case .failed(let error, _): return .failed(error)
    case .valid: break
    }
    if lines.isEmpty { return .live }
    if lines.contains(where: \.isOpen) { return .handshaking }
    if let retry = lines.compactMap(\.retry).min(by: { $0.time < $1.time }), lines.allSatisfy({ $0.retry != nil }) {
      return .waiting(retry)
    }
    return .connecting(attempt: lines.compactMap(\.attempt).min() ?? 1)
  }

  private mutating func settle() {
    let state = state
    reportLogin(state)
    idleSigns.update(isNeeded: state == .live && !entries.contains { $0.line.isSubscribed }, at: now.uptime)
    if state == reported { return }
    reported = state
    actions.append(.state(state))
  }

  // MARK: Topics

  private mutating func subscribe(_ subscription: Subscription) {
    guard !entries.contains(where: { $0.subscription == subscription }) else { return }
    if let index = entries.firstIndex(where: { $0.subscription.topic == subscription.topic }) { remove(index) }
    guard let topic = BetfairTopic(subscription.topic) else {
      let error = FeedError(.betfairNoTopic, subscription.topic.path, remedy: .remedyBetfairTopic)
      return actions.append(.topic(subscription, .refused(error)))
    }
    entries.append(Entry(subscription, topic, appKey: appKey, conflateMs: conflateMs))
    let index = entries.count - 1
    if entries[index].needsLine {
      open(index, attempt: 1)
    } else {
      actions.append(.message(subscription, SessionMessage.noMarkets))
      report(index, .live)
    }
  }

  private mutating func unsubscribe(_ subscription: Subscription) {
    guard let index = entries.firstIndex(where: { $0.subscription == subscription }) else { return }
    remove(index)
    openWaitingLines()
  }

  private mutating func remove(_ index: Int) {
    _ = entries[index].pendingLines.release(isLast: true)
    closeLine(index)
    entries.remove(at: index)
  }

  /// Reports the state of a topic if it has changed.
  mutating func report(_ index: Int, _ state: TopicState) {
    guard entries[index].reported != state else { return }
    entries[index].reported = state
    actions.append(.topic(entries[index].subscription, state))
  }

  // MARK: Time and the user

  private mutating func timePassed() {
    loginTimePassed()
    for index in entries.indices { lineTimePassed(index) }
    for index in entries.indices { catalogueTimePassed(index) }
    if idleSigns.isDue(at: now.uptime) { actions.append(.alive) }
  }

  private mutating func reconnect() {
    // The user may have closed another program's connections.
    connectionsAvailable = nil
    switch login {
    case .waiting, .failed(_, isFinal: false): logIn(attempt: 1)
    case .none, .pending, .valid, .failed: break
    }
    if finalError != nil {
      finalError = nil
      for index in entries.indices { entries[index].line = .idle }
    }
    for index in entries.indices {
      switch entries[index].line {
      case .waiting, .refused: entries[index].line = .idle
      case .idle, .connecting, .open, .listing: break
      }
    }
    openIdleLines()
  }

  private mutating func disconnect() -> [Action] {
    for index in entries.indices { closeLine(index) }
    isOver = true
    entries = []
    idleSigns.update(isNeeded: false, at: now.uptime)
    if reported != .idle { actions.append(.state(.idle)) }
    return actions
  }
}
