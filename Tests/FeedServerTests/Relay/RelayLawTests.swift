import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

struct RelayLawTests {
  @Test(
    "A follower of a topic has the state of an upstream client, or is notified in time that the topic is lost",
    arguments: Laws.seeds(16))
  func followers(seed: UInt64) {
    var simulation = RelaySimulation(seed: seed)
    for step in 0..<400 {
      simulation.step()
      // NB: The check applies all messages again, which dominates the run time.
      guard step % 3 == 0, let problem = simulation.violation else { continue }
      Issue.record("seed \(seed), step \(step): \(problem)")
      return
    }
    #expect(simulation.checks > 0, "seed \(seed)")
  }
}

/// A relay between an upstream feed and followers, and the expected state of the followers: all messages of
/// the upstream feed, which each check applies from the beginning.
private struct RelaySimulation {
  /// The state of a subscription at the upstream feed.
  private struct Session {
    let subscription: Subscription
    var isRegistered: Bool
    /// The messages since the registration, or since the last dump that nobody requested.
    var sent: [FeedMessage] = []
    /// A dump that was made and is not delivered yet.
    var prepared: FeedMessage?
    /// The time after which an answer to a further request for a dump is dropped by the session.
    var preparedUntil = Duration.zero
    var dump: FeedMessage?

    /// The matches of a client that receives the dump and all messages that are not older (StoreRules.md, rule 1).
    var matches: [Match]? {
      guard let dump else { return nil }
      var replica = FeedReplica()
      replica.apply(Array(dump.text.utf8))
      for message in sent where message.version! >= dump.version! { replica.apply(Array(message.text.utf8)) }
      return replica.matches.map(\.withoutHistory)
    }
  }

  private static let topics = [Topic(path: "/a"), Topic(path: "/b")]

  private let limits: RelayLimits
  private var random: SeededRandom
  private var machine: RelayMachine
  private var models: [Topic: FeedModel] = [:]
  private var sessions: [Topic: Session] = [:]
  private var followers: [Topic: [FeedReplica]] = [:]
  private var requested: Set<Topic> = []
  private var now = Duration.zero
  private var isConnected = false
  private var lostAt = Duration.zero
  private var lastEventTime = Duration.zero
  /// The time of the last event before the followers of a topic missed messages, because the connection was lost.
  private var knownUntil: [Topic: Duration] = [:]
  /// The first event after a silence in which followers did not lose their topics.
  private var eventAfterSilence: TransportEvent?
  /// True if followers kept their topics after a frame that was too old.
  private var forwardsOutdated = false
  private(set) var checks = 0

  init(seed: UInt64) {
    var limits = RelayLimits()
    limits.auditInterval = .seconds(3)
    limits.dumpLossAge = .seconds(5)
    self.limits = limits
    random = SeededRandom(seed: seed)
    machine = RelayMachine(limits: limits) { 0.5 }
    for (index, topic) in Self.topics.enumerated() { models[topic] = FeedModel(seed: seed * 7 + UInt64(index)) }
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func step() {
    if !isConnected, chance(15) { connect() }
    let topic = Self.topics.randomElement(using: &random)!
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<12:
      guard !requested.contains(topic) else { return }
      requested.insert(topic)
      perform(machine.open(topic, now: now))
    case 12..<13:
      guard requested.remove(topic) != nil else { return }
      followers[topic] = nil
      perform(machine.close(topic))
    case 13..<20:
      guard let dump = machine.dump(of: topic) else { return }
      var follower = FeedReplica()
      follower.apply(dump())
      followers[topic] = followers[topic]!.suffix(3) + [follower]
      perform(machine.settle(topic))
    case 20..<50: update(topic)
    case 50..<68:
      guard sessions[topic]?.isRegistered == true, sessions[topic]!.dump == nil, sessions[topic]!.prepared == nil else {
        return
      }
      sessions[topic]!.prepared = models[topic]!.dump()
    case 68..<86:
      guard let dump = sessions[topic]?.prepared else { return }
      sessions[topic]!.prepared = nil
      if sessions[topic]!.dump != nil, now >= sessions[topic]!.preparedUntil { return }
      // An answer that is older than a dump that nobody requested is ignored.
      let isOlder = sessions[topic]!.dump.map { dump.version! < $0.version! } ?? false
      if !isOlder { sessions[topic]!.dump = dump }
      deliver(dump, topic, isAnswer: true)
    case 86..<88:
      // A dump that nobody requested. It includes all messages before it.
      guard sessions[topic]?.dump != nil else { return }
      let dump = models[topic]!.dump()
      sessions[topic]!.dump = dump
      sessions[topic]!.sent = []
      deliver(dump, topic)
    case 88..<89:
      guard let session = sessions[topic], session.isRegistered else { return }
      let refusal = TopicState.refused(FeedError("not today", remedy: "ask for another"))
      perform(machine.receive(.topic(session.subscription, chance(50) ? refusal : .late), now: now))
    case 89..<91: if isConnected { disconnect() }
    case 91..<92: pause()
    default: advance(by: .milliseconds(Int.random(in: 1...1500, using: &random)))
    }
  }

  private mutating func update(_ topic: Topic) {
    let message = models[topic]!.nextMessage()
    // One in twenty messages is lost without notice.
    guard sessions[topic]?.isRegistered == true, !chance(5) else { return }
    sessions[topic]!.sent.append(message)
    deliver(message, topic)
  }

  private mutating func deliver(_ message: FeedMessage, _ topic: Topic, isAnswer: Bool = false) {
    // Wraps the message in the envelope of the connection.
    let bytes = Array("[68,".utf8) + Array(message.text.utf8) + Array("]".utf8)
    let delay = chance(2) ? Duration.seconds(Int.random(in: 1...12, using: &random)) : .zero
    var frame = TransportFrame(
      subscription: sessions[topic]!.subscription, bytes: bytes, range: 4..<bytes.count - 1, delay: delay)
    frame.isAnswer = isAnswer
    receive(.frame(frame))
    if delay >= limits.maxAge, hasFollowers { forwardsOutdated = true }
  }

  /// Delivers an event of the connection. After a silence, the relay must lose all topics.
  private mutating func receive(_ event: TransportEvent) {
    let isLate = now - lastEventTime >= limits.silence
    lastEventTime = now
    perform(machine.receive(event, now: now))
    if isLate, hasFollowers, eventAfterSilence == nil { eventAfterSilence = event }
  }

  private var hasFollowers: Bool { followers.values.contains { !$0.isEmpty } }

  private mutating func connect() {
    isConnected = true
    lastEventTime = now
    for topic in sessions.keys { sessions[topic]!.isRegistered = true }
    perform(machine.receive(.state(.recovering), now: now))
  }

  private mutating func disconnect() {
    isConnected = false
    lostAt = now
    for topic in sessions.keys where machine.moment(of: topic) != nil { knownUntil[topic] = lastEventTime }
    for (topic, session) in sessions {
      sessions[topic] = Session(subscription: session.subscription, isRegistered: false)
    }
    receive(.state(.connecting(attempt: 1)))
  }

  /// Pauses the process. It receives pending events before it notices that time has passed.
  private mutating func pause() {
    now += .milliseconds(Int.random(in: 1...12_000, using: &random))
    for topic in Self.topics where chance(50) { update(topic) }
    if isConnected, chance(50) { receive(.alive()) }
    if isConnected, chance(20) { disconnect() }
    perform(machine.advance(to: now))
  }

  private mutating func advance(by time: Duration) {
    let end = now + time
    while now < end {
      now = min(end, now + FeedRelay.interval)
      if isConnected, chance(40) { receive(.alive()) }
      perform(machine.advance(to: now))
    }
  }

  private mutating func perform(_ actions: [RelayMachine.Action]) {
    for action in actions {
      switch action {
      case .subscribe(let subscription):
        sessions[subscription.topic] = Session(subscription: subscription, isRegistered: isConnected)
      case .unsubscribe(let subscription):
        if sessions[subscription.topic]?.subscription == subscription { sessions[subscription.topic] = nil }
      case .requestDump(let subscription):
        sessions[subscription.topic]!.prepared = models[subscription.topic]!.dump()
        sessions[subscription.topic]!.preparedUntil = now + .seconds(10)
      case .opened(let topic): followers[topic] = []
      case .failed(let topic, _): requested.remove(topic)
      case .lost(let topic):
        followers[topic] = nil
        requested.remove(topic)
      case .messages(let topic, let messages):
        for index in followers[topic]!.indices {
          for message in messages { followers[topic]![index].apply(message) }
        }
      case .available: break
      }
    }
  }

  /// The current violation of the expectations, or nil.
  var violation: String? {
    mutating get {
      if forwardsOutdated { return "topics survive an outdated frame" }
      if let eventAfterSilence { return "topics survive a silence before \(eventAfterSilence)" }
      for (topic, all) in followers where !all.isEmpty {
        if isConnected, now - lastEventTime >= limits.silence + FeedRelay.interval {
          return "\(topic) survives a silence"
        }
        if machine.moment(of: topic) == nil {
          if now - lostAt >= limits.grace + FeedRelay.interval { return "\(topic) is stale for too long" }
          if let known = knownUntil[topic], machine.age(now: now) < now - known { return "\(topic) is older" }
          continue
        }
        guard let truth = sessions[topic]?.matches else { return "\(topic) is current without a dump" }
        checks += 1
        if let index = all.indices.first(where: { all[$0].matches.map(\.withoutHistory) != truth }) {
          return "follower \(index) of \(topic) differs"
        }
      }
      return nil
    }
  }
}

extension Match {
  /// The match without the last prices of outcomes that have none now, which depend on when a client joined.
  fileprivate var withoutHistory: Match {
    let markets = markets.map { market in
      let outcomes = market.outcomes.map { outcome in
        var outcome = outcome
        outcome.lastOdds = nil
        return outcome
      }
      return Market(
        id: market.id, name: market.name, handicap: market.handicap, bettingTypeID: market.bettingTypeID,
        isAvailable: market.isAvailable, isClosed: market.isClosed, isMatchOver: market.isMatchOver,
        isMainLine: market.isMainLine, statedOutcomeCount: market.statedOutcomeCount,
        mainMarketRank: market.mainMarketRank, outcomes: outcomes)
    }
    return Match(
      id: id, labels: labels, sportID: sportID, startTime: startTime, status: status, score: score, minute: minute,
      serving: serving, redCards: redCards, markets: markets)
  }
}
