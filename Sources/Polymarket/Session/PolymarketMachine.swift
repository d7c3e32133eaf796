import Localization
import OddsFeed
import OddsModel
import Platform

/// A session with Polymarket as a state machine without a socket or a clock (Session.md).
///
/// It requests the events of each topic from Gamma, divides their tokens among sockets of the market channel, and asks
/// again for images that do not come. Until `.disconnect`, every event leads to another attempt, or to a state that
/// states why there is none.
struct PolymarketMachine: FeedMachine {
  enum Event: FeedMachineEvent {
    case start
    case subscribe(Subscription)
    case unsubscribe(Subscription)
    /// Gamma answered a request.
    case fetched(request: Int, Result<[GammaEvent], FeedError>)
    /// An event of a socket or of an attempt to open it. Ignored after the machine has requested its `close`.
    case socket(SocketEvent, link: Int)
    /// Time has passed, at `deadline` at the latest.
    case time
    /// A socket is not read because the reader lags behind, so its silence is not evidence that it is dead.
    case unread(link: Int)
    /// Retry now, because the user asks for it or the network is back.
    case reconnect
    case disconnect
  }

  enum SocketEvent {
    case opened
    /// A frame of the market channel.
    case market(MarketSummary)
    /// A frame of the sports channel with the state of a game, or with something else.
    case sports(game: UInt64?, text: [UInt8])
    /// The text `PONG`.
    case pong
    /// The text `ping`, which the server wants answered.
    case ping
    /// A frame that cannot be read.
    case garbage
    /// Part of a frame was received.
    case progress
    case closed(ConnectionError)
  }

  /// A socket of Polymarket.
  enum Channel: Hashable, Sendable { case market, sports }

  /// An action that the machine requests. Actions are performed in order.
  enum Action: Hashable {
    case connect(Channel, link: Int)
    /// Close the socket or abandon the attempt.
    case close(link: Int)
    case send([UInt8], link: Int)
    case fetch(PolymarketTopic, request: Int)
    /// Deliver the current frame to a subscription.
    case deliver(Subscription)
    /// Deliver a message of the session itself, or a stored one.
    case message(Subscription, [UInt8])
    case state(ConnectionState)
    case topic(Subscription, TopicState)
    /// Report a sign of life that carries no data.
    case alive
  }

  /// A topic, its events and their state.
  struct Entry {
    let subscription: Subscription
    let query: PolymarketTopic
    /// The events as the subscription has them; nil until Gamma answers.
    var events: [GammaEvent]?
    /// The number of the request that is not answered.
    var request: Int?
    /// The time of the next request; nil while one is not answered.
    var nextRequest: Duration?
    /// The number of failed requests since the last answer.
    var failures = 0
    var error: FeedError?
    var tokens: Set<TokenID> = []
    /// The time of Gamma's last answer.
    var answeredAt: Duration?
    /// True if Gamma has not answered for `PolymarketTiming.catalogueLimit`, so that markets can have closed without
    /// notice.
    var isStale = false

    /// The time from which the events count as out of date without an answer; nil if they do already, or have not come.
    var staleAt: Duration? { isStale ? nil : answeredAt.map { $0 + PolymarketTiming.catalogueLimit } }
  }

  private(set) var isStarted = false
  private(set) var isOver = false
  var entries: [Entry] = []
  var shards: [Shard] = []
  /// The shard of each token, by its number.
  var shardNumbers: [TokenID: Int] = [:]
  var sports: Socket?
  /// The last state of each game on the sports channel.
  var scores: [UInt64: [UInt8]] = [:]
  var resolved = ResolvedTokens()
  var lastNumber = 0
  private var reported = ConnectionState.idle
  private var idleSigns = IdleSigns(interval: PolymarketTiming.ping)
  /// True if the market channel was lost as a whole, so that all events must be delivered again.
  var needsEvents = false
  /// The actions so far, and the time of the current event.
  var actions: [Action] = []
  var now = SessionMoment(uptime: .zero, wall: 0, chance: 0)

  mutating func apply(_ event: Event, at now: SessionMoment) -> [Action] {
    self.now = now
    actions = []
    if isOver { return [] }
    switch event {
    case .start:
      isStarted = true
      for index in entries.indices { request(index) }
    case .subscribe(let subscription): subscribe(subscription)
    case .unsubscribe(let subscription): unsubscribe(subscription)
    case .fetched(let request, let result): fetched(request, result)
    case .socket(let event, let link): apply(event, link)
    case .time: timePassed()
    case .unread(let link):
      for index in shards.indices where shards[index].socket.link == link {
        shards[index].socket.unread(at: now.uptime)
        shards[index].unread(at: now.uptime)
      }
      if sports?.link == link { sports?.unread(at: now.uptime) }
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
    let deadlines = entries.compactMap(\.nextRequest) + entries.compactMap(\.staleAt) + shards.compactMap(\.deadline)
    return (deadlines + [sports?.deadline, idleSigns.nextAt].compactMap(\.self)).min()
  }

  /// Returns the time for which data that arrives now may have waited on its way, by the slowest socket: the sockets
  /// share the link to the server.
  func delay(at now: Duration) -> Duration { shards.compactMap { $0.socket.pings?.delay(at: now) }.max() ?? .zero }

  // MARK: State

  /// True if prices can arrive: a socket of the market channel is open, or none is needed.
  var isUp: Bool { reported.isUp }

  /// The state of the connection. While some but not all sockets are open, it is recovering: the prices on the others
  /// are withdrawn.
  var state: ConnectionState {
    if isOver || !isStarted { return .idle }
    let sockets = shards.map(\.socket)
    let isOpen = sockets.contains(where: \.isOpen)
    if isOpen { return sockets.allSatisfy(\.isOpen) ? .live : .recovering }
    if sockets.isEmpty {
      if entries.contains(where: { $0.events != nil }) { return .live }
      let failed = entries.filter { $0.error != nil }
      guard let first = failed.min(by: { ($0.nextRequest ?? .zero) < ($1.nextRequest ?? .zero) }),
        let next = first.nextRequest, let error = first.error
      else { return .connecting(attempt: 1 + (entries.map(\.failures).max() ?? 0)) }
      return .waiting(Retry(attempt: first.failures + 1, time: now.wall(after: next - now.uptime), reason: error))
    }
    if let attempt = sockets.compactMap(\.attempt).min() { return .connecting(attempt: attempt) }
    if let retry = sockets.compactMap(\.retry).min(by: { $0.time < $1.time }) { return .waiting(retry) }
    return sockets.compactMap(\.error).first.map { .failed($0) } ?? .idle
  }

  /// Reports the state if it has changed, with all events after a loss.
  private mutating func settle() {
    var state = state
    idleSigns.update(isNeeded: state == .live && shards.isEmpty, at: now.uptime)
    // NB: The time of a retry is computed again for each event, so two times that differ by at most 1 ms are equal.
    if case .waiting(let new) = state, case .waiting(let old) = reported, new.attempt == old.attempt,
      new.reason == old.reason, abs(new.time - old.time) <= 1
    {
      state = reported
    }
    if state == reported { return }
    if reported.isUp, !state.isUp { needsEvents = true }
    if state.isUp, needsEvents {
      needsEvents = false
      for index in entries.indices { deliverEvents(index) }
    }
    reported = state
    actions.append(.state(state))
  }

  private mutating func reconnect() {
    guard isStarted else { return }
    for index in entries.indices where entries[index].request == nil { request(index) }
    for index in shards.indices {
      switch shards[index].socket.phase {
      case .waiting, .failed: open(index)
      case .open(let connection) where connection.pongBy != nil:
        actions.append(.close(link: shards[index].socket.link))
        lose(index, .silent)
      case .open: askForImages(index, all: true)
      case .connecting: break
      }
    }
    if sports?.retry != nil || sports?.error != nil { openSports(attempt: 1) }
  }

  private mutating func disconnect() -> [Action] {
    for shard in shards where shard.socket.isCurrent { actions.append(.close(link: shard.socket.link)) }
    if let sports, sports.isCurrent { actions.append(.close(link: sports.link)) }
    isOver = true
    entries = []
    shards = []
    sports = nil
    idleSigns.update(isNeeded: false, at: now.uptime)
    if reported != .idle { actions.append(.state(.idle)) }
    return actions
  }

  private mutating func timePassed() {
    for index in entries.indices where entries[index].nextRequest.map({ $0 <= now.uptime }) ?? false { request(index) }
    for index in entries.indices where entries[index].staleAt.map({ $0 <= now.uptime }) ?? false { expire(index) }
    for index in shards.indices { timePassed(ofShard: index) }
    sportsTimePassed()
    if idleSigns.isDue(at: now.uptime) { actions.append(.alive) }
  }
}

extension FeedError {
  static let silent = FeedError(.sessionSilent, remedy: .remedyWaitOrNetwork)
  static let noHandshake = FeedError(.sessionUnanswered, remedy: .remedyWaitOrNetworkAndAddress)
  static let unreadable = FeedError(
    .sessionBreaksProtocol, MessageKey.polymarketUnreadable, remedy: .remedyWaitOrAddress)
}
