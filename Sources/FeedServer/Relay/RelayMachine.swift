import OddsFeed
import OddsModel
import Platform

/// The topics of an upstream feed, as a state machine without a connection or a clock: events in, actions out.
///
/// It keeps the state of each topic, so that a dump never needs a request upstream, and always fits the messages before
/// and after it.
///
/// After a loss of the connection, clients keep the old state for `RelayLimits.grace`. A dump that arrives within that
/// time is sent to them as a message. After it, a topic without a dump is lost. After a silence, topics are lost at
/// once.
///
/// A topic whose first dump is awaited stays requested during a silence, because the dump may be what delays all else.
/// Clients get it with the next sign of life. So a topic is known to clients if its dump has arrived and the upstream
/// feed is available.
struct RelayMachine {
  enum Action: Hashable, Sendable {
    case subscribe(Subscription)
    case unsubscribe(Subscription)
    /// Request a fresh dump of an open topic. It arrives as a frame of the subscription, or not at all.
    case requestDump(Subscription)
    /// The first dump of a topic has arrived. Its messages follow.
    case opened(Topic)
    /// A topic that `open` requested cannot be opened.
    case failed(Topic, TopicError)
    /// Messages of an open topic, in order. An INITIAL_DUMP replaces the earlier state.
    case messages(Topic, [[UInt8]])
    /// An open topic is lost: the clients' state of it is out of date. It is closed.
    case lost(Topic)
    /// The upstream feed can be used, or not any more. False at first.
    case available(Bool)
  }

  /// The maximum number of characters of a reason from upstream.
  private static let maxReason = 300

  private let limits: RelayLimits
  private let chance: @Sendable () -> Double
  private var topics: [Topic: RelayedTopic] = [:]
  private var generation: UInt64 = 0
  private var lastMoment: UInt64 = 0
  private(set) var isAvailable = false
  /// The number of fresh dumps that differed from the state of their topic.
  private(set) var divergences = 0
  private var isConnected = false
  /// The time since which the upstream feed is not available; nil if it is, or has never been.
  private var unavailableSince: Duration?
  /// The time of the loss of the connection; nil while connected and before the first connection.
  private var lostAt: Duration?
  private var lastSign = Duration.zero
  /// The time before which the upstream feed sent nothing that has not arrived.
  private var completeUntil = Duration.zero
  private var openings: Double
  private var openingsAt = Duration.zero
  /// The topics that are requested as soon as `RelayLimits` allow it, in order.
  private var waiting: [Topic] = []
  private var refusals = RecentRefusals()
  private var dumpLosses: DumpLosses

  /// - Parameter chance: Returns a random number from 0 to 1.
  init(limits: RelayLimits = RelayLimits(), chance: @escaping @Sendable () -> Double = { .random(in: 0...1) }) {
    self.limits = limits
    self.chance = chance
    openings = limits.openBurst
    dumpLosses = DumpLosses(age: limits.dumpLossAge)
  }

  /// The number of topics that are requested upstream.
  var topicCount: Int { topics.count }

  /// True if no further topic can be opened.
  var isFull: Bool { topics.count + waiting.count >= limits.maxTopics }

  // MARK: Requests

  /// Opens a topic that is not open. `opened` or `failed` follows, now or later.
  mutating func open(_ topic: Topic, now: Duration) -> [Action] {
    precondition(!contains(topic), "the topic is open")
    if !isAvailable { return [.failed(topic, .lost)] }
    if let error = refusals.error(of: topic, now: now) ?? dumpLosses.error(of: topic, now: now) {
      return [.failed(topic, error)]
    }
    if isFull { return [.failed(topic, .tooMany(limits.maxTopics))] }
    waiting.append(topic)
    return requestWaiting(now)
  }

  /// Requests the topics that wait, as far as the limits allow it.
  private mutating func requestWaiting(_ now: Duration) -> [Action] {
    openings = min(limits.openBurst, openings + limits.openRate * max(0, (now - openingsAt) / .seconds(1)))
    openingsAt = now
    let count = min(waiting.count, Int(openings))
    openings -= Double(count)
    let requested = waiting.prefix(count)
    waiting.removeFirst(count)
    return requested.map { .subscribe(request($0, now)) }
  }

  private mutating func request(_ topic: Topic, _ now: Duration) -> Subscription {
    generation += 1
    let subscription = Subscription(topic: topic, generation: generation)
    topics[topic] = RelayedTopic(
      subscription, staleSince: isConnected ? nil : now, moment: nextMoment(),
      auditTime: now + limits.auditInterval.jittered(chance: chance()))
    return subscription
  }

  /// Closes a topic. Has no effect if it is not open.
  mutating func close(_ topic: Topic) -> [Action] {
    waiting.removeAll { $0 == topic }
    return topics.removeValue(forKey: topic).map { [.unsubscribe($0.subscription)] } ?? []
  }

  /// True if a topic is open or is being opened.
  func contains(_ topic: Topic) -> Bool { topics[topic] != nil || waiting.contains(topic) }

  /// The number of the last change of a topic that is current; nil if it is not.
  func moment(of topic: Topic) -> UInt64? {
    guard isAvailable, let topic = topics[topic], topic.isCurrent else { return nil }
    return topic.moment
  }

  /// The age of what clients have of the open topics: they lack nothing that the upstream feed sent longer ago.
  func age(now: Duration) -> Duration { now - topics.values.reduce(completeUntil) { min($0, $1.knownUntil ?? $0) } }

  /// Returns a function that builds a dump of a topic; nil if the topic is not current. It can be called on any thread.
  /// `settle` must follow before any other event.
  mutating func dump(of topic: Topic) -> (@Sendable () -> [UInt8])? {
    guard isAvailable, topics[topic]?.isCurrent == true else { return nil }
    return topics[topic]!.dump()
  }

  /// Returns the messages that a client needs after a dump of a topic, if there are any.
  mutating func settle(_ topic: Topic) -> [Action] {
    let messages = topics[topic]?.takePending() ?? []
    return messages.isEmpty ? [] : [.messages(topic, messages)]
  }

  // MARK: Events

  mutating func receive(_ event: TransportEvent, now: Duration) -> [Action] {
    // NB: After a silence, events that waited in a socket arrive first, because this process was paused or a link was
    // cut. They can be too old to be shown.
    let losses = endAfterSilence(now)
    switch event {
    case .state(let state): return losses + connectionChanged(state, now)
    case .alive(let time, let completeUntil):
      dumpLosses.connectionWorked()
      return losses + noteSign(time ?? now, completeUntil: completeUntil, now)
    // NB: No sign of life: the client reports `late` by its own clock.
    case .topic(let subscription, let state): return losses + topicChanged(subscription, state, now)
    case .frame(let frame):
      // Data that has waited on its way is a sign of life of that time ago.
      let age = frame.age(at: now)
      let isRecent = age < limits.maxAge
      let change = isRecent ? noteSign(now - age, completeUntil: frame.completeUntil, now) : loseOpenTopics(now)
      return losses + change + receive(frame)
    case .records, .api, .apiLost: return losses
    }
  }

  /// Notes that time has passed.
  mutating func advance(to now: Duration) -> [Action] {
    let losses = endAfterSilence(now)
    if !losses.isEmpty { return losses }
    if let lostAt, isAvailable, now - lostAt >= limits.grace { return loseAllTopics(now) }
    if let unavailableSince, now - unavailableSince >= limits.pendingTimeout, !topics.isEmpty {
      return loseAllTopics(now)
    }
    let stale = topics.filter { $0.value.isExpired(now: now, limits) }
    return lose(stale.keys.sorted { $0.path < $1.path }) + audit(now) + requestWaiting(now)
  }

  /// Requests a fresh dump of each topic whose time has come.
  private mutating func audit(_ now: Duration) -> [Action] {
    var actions: [Action] = []
    for topic in topics.keys {
      guard isConnected, isAvailable, topics[topic]!.isCurrent, topics[topic]!.auditTime <= now else { continue }
      topics[topic]!.auditTime = now + limits.auditInterval.jittered(chance: chance())
      actions.append(.requestDump(topics[topic]!.subscription))
    }
    return actions
  }

  private mutating func connectionChanged(_ state: ConnectionState, _ now: Duration) -> [Action] {
    if state.isUp {
      // NB: Only a new connection is a sign of life, and not the end of its recovery.
      if isConnected { return [] }
      isConnected = true
      lostAt = nil
      dumpLosses.connectionBegan()
      refusals.removeAll()
      // The session requests all topics again, which counts at the upstream server too.
      openings = min(openings, max(0, limits.openBurst - Double(topics.count)))
      for topic in topics.keys { topics[topic]!.connected() }
      return noteSign(now, now)
    }
    guard isConnected else { return [] }
    isConnected = false
    lostAt = now
    let ended = endLostDump(now)
    for topic in topics.keys { topics[topic]!.connectionLost(completeUntil: completeUntil, now: now) }
    if case .failed = state { return ended + loseAllTopics(now) }
    return ended
  }

  /// Ends the topic whose dump was awaited when the connection was lost, if that dump may be the cause.
  ///
  /// NB: Only the topic that was requested first: the session sends the calls in that order, and servers usually answer
  /// in order.
  private mutating func endLostDump(_ now: Duration) -> [Action] {
    let awaited = topics.values.filter { !$0.isCurrent }
    guard let first = awaited.min(by: { $0.subscription.generation < $1.subscription.generation }),
      let error = dumpLosses.handleLoss(of: first.subscription.topic, isOpen: first.isOpen, now: now)
    else { return [] }
    return end(first.subscription.topic, error)
  }

  /// Notes a sign of life, also one after a silence. Has no effect if it is too old.
  ///
  /// - Parameter completeUntil: See `TransportFrame.completeUntil`.
  private mutating func noteSign(_ time: Duration, completeUntil: Duration? = nil, _ now: Duration) -> [Action] {
    guard isConnected, now - time < limits.maxAge else { return [] }
    lastSign = max(lastSign, time)
    // NB: The begin of a connection may have waited in this process. Then the first message states an earlier time.
    self.completeUntil = completeUntil ?? max(self.completeUntil, time)
    if isAvailable || now - self.completeUntil >= limits.maxDataAge { return [] }
    isAvailable = true
    unavailableSince = nil
    return [.available(true)] + openTopics.map { Action.opened($0) }
  }

  /// Loses all open topics if there was no sign of life for too long, or no answer to a ping.
  private mutating func endAfterSilence(_ now: Duration) -> [Action] {
    let isOld = now - lastSign >= limits.silence || now - completeUntil >= limits.maxDataAge
    return isConnected && isOld ? loseOpenTopics(now) : []
  }

  /// Loses what clients have, because it may be too old.
  private mutating func loseOpenTopics(_ now: Duration) -> [Action] {
    isAvailable ? becomeUnavailable(losing: openTopics, now) : []
  }

  private mutating func loseAllTopics(_ now: Duration) -> [Action] {
    becomeUnavailable(losing: topics.keys.sorted { $0.path < $1.path }, now)
  }

  private mutating func becomeUnavailable(losing lost: [Topic], _ now: Duration) -> [Action] {
    let change: [Action] = isAvailable ? [.available(false)] : []
    let losses = lose(lost) + waiting.map { Action.failed($0, .lost) }
    waiting = []
    if isAvailable { unavailableSince = now }
    isAvailable = false
    return losses + change
  }

  /// The topics whose first dump has arrived.
  private var openTopics: [Topic] { topics.filter { $0.value.isOpen }.keys.sorted { $0.path < $1.path } }

  /// Handles the upstream feed's answer for a topic. One that does not serve a topic, for now or for good, may leave
  /// the connection alive.
  private mutating func topicChanged(
    _ subscription: Subscription, _ state: TopicState, _ now: Duration
  ) -> [Action] {
    let topic = subscription.topic
    guard topics[topic]?.subscription == subscription else { return [] }
    switch state {
    case .requested, .live, .overdue: return []
    case .maintenance, .late: return end(topic, .lost)
    case .retrying(let error, _), .refused(let error):
      let reason = String(error.message.prefix(Self.maxReason))
      guard state.isPermanent else { return end(topic, .failed(reason)) }
      let refusal = TopicError.refused(reason)
      if topics[topic]?.isOpen == false {
        refusals.add(refusal, of: topic, until: now + limits.refusalAge, now: now)
      }
      return end(topic, refusal)
    }
  }

  private mutating func receive(_ frame: TransportFrame) -> [Action] {
    dumpLosses.connectionWorked()
    let topic = frame.subscription.topic
    guard topics[topic]?.subscription == frame.subscription else { return [] }
    let moment = nextMoment()
    let bytes = Array(frame.bytes[frame.range])
    let known = topics[topic]!.divergences
    defer { divergences += (topics[topic]?.divergences ?? known) - known }
    let wasCurrent = topics[topic]!.isCurrent
    let outcome = topics[topic]!.receive(bytes, isAnswer: frame.isAnswer, moment: moment, limits: limits)
    if !wasCurrent, topics[topic]!.isCurrent { dumpLosses.dumpArrived(topic) }
    switch outcome {
    case .waits: return []
    case .opens: return isAvailable ? [.opened(topic)] : []
    case .sends(let messages): return isAvailable ? [.messages(topic, messages)] : []
    case .overflows: return end(topic, .lost)
    }
  }

  // MARK: Steps

  private mutating func lose(_ topics: [Topic]) -> [Action] { topics.flatMap { end($0, .lost) } }

  private mutating func end(_ topic: Topic, _ error: TopicError) -> [Action] {
    guard let ended = topics.removeValue(forKey: topic) else { return [] }
    let isKnown = ended.isOpen && isAvailable
    return [.unsubscribe(ended.subscription), isKnown ? .lost(topic) : .failed(topic, error)]
  }

  private mutating func nextMoment() -> UInt64 {
    lastMoment += 1
    return lastMoment
  }
}
