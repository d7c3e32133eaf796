import OddsFeed

/// What a session is to bring, and how far each topic has come (Transport.md, §4 rule 1): registered first, then its dump
/// asked for.
///
/// A topic is registered once, whoever wants it: whoever wants it anew takes the registration over and gets a dump of his
/// own. Whatever the feed answers late, or twice, ends in one registration for each topic that is wanted and none for
/// others.
struct SubscriptionTable {
  /// Requests are numbered in a session from 1.
  typealias Request = UInt64
  typealias Registration = UInt64

  enum Phase: Hashable {
    /// There is no session.
    case idle
    /// A topic that was late, or worked on, is called for besides: where REGISTER is silently ignored, the call alone is
    /// answered.
    case registering(Request, call: Request?, deadline: Duration)
    case calling(Registration, deadline: Duration)
    case live(Registration, audit: Audit?)
    /// To be asked again at that time.
    case backingOff(Registration?, until: Duration)
    /// Not to be asked again in this session.
    case refused
    case unregistering(Request, deadline: Duration)
  }

  /// A fresh dump that was asked for.
  struct Audit: Hashable {
    let request: Request
    let deadline: Duration
  }

  struct Entry {
    let topic: Topic
    /// Nil where nobody wants it any more and the feed has still to be told, or to say so.
    var wanted: Subscription?
    var phase = Phase.idle
    /// What whoever wants it was told.
    var told = TopicState.requested
    /// How often in a row the feed was late.
    var delays = 0
    /// Requests that were not answered, some of them too late by now; the newest is last.
    var registers: [Request] = []
    var calls: [Request] = []
  }

  // In the order of subscription, which is the order of requests.
  var entries: [Entry] = []
  var owners: [Registration: Subscription] = [:]
  var lastRequest: Request = 0

  /// Whose updates those of a registration are.
  func owner(of registration: Registration) -> Subscription? { owners[registration] }

  var isEmpty: Bool { entries.isEmpty }

  /// True where the feed has answered for each topic, or is known not to.
  var isSettled: Bool { entries.allSatisfy { $0.wanted == nil || $0.told != .requested } }

  /// When time alone changes something next.
  var deadline: Duration? { entries.lazy.compactMap(\.phase.deadline).min() }

  // MARK: What is wanted

  mutating func want(
    _ subscription: Subscription, isOpen: Bool, _ now: SessionMoment, _ actions: inout [SessionAction]
  ) {
    guard let place = entries.firstIndex(where: { $0.topic == subscription.topic }) else {
      entries.append(Entry(topic: subscription.topic, wanted: subscription))
      if isOpen { register(entries.count - 1, now, &actions) }
      return
    }
    guard entries[place].wanted != subscription else { return }
    entries[place].wanted = subscription
    entries[place].told = .requested
    entries[place].delays = 0
    switch entries[place].phase {
    // The dump that is on its way may lack updates that went to whoever wanted it before.
    case .calling(let registration, _), .live(let registration, _), .backingOff(let registration?, _):
      entries[place].calls = []
      owners[registration] = subscription
      call(place, registration, now, &actions)
    case .backingOff(nil, _), .refused: register(place, now, &actions)
    case .idle, .registering, .unregistering: break
    }
  }

  mutating func giveUp(_ subscription: Subscription, _ now: SessionMoment, _ actions: inout [SessionAction]) {
    guard let place = entries.firstIndex(where: { $0.wanted == subscription }) else { return }
    entries[place].wanted = nil
    switch entries[place].phase {
    case .idle, .refused, .backingOff(nil, _): entries.remove(at: place)
    case .calling(let registration, _), .live(let registration, _), .backingOff(let registration?, _):
      unregister(place, registration, now, &actions)
    // Told once it is known what by.
    case .registering, .unregistering: break
    }
  }

  /// False where the topic's first dump is not in, or a fresh one is on its way.
  mutating func requestDump(
    _ subscription: Subscription, _ now: SessionMoment, _ actions: inout [SessionAction]
  ) -> Bool {
    guard let place = entries.firstIndex(where: { $0.wanted == subscription }),
      case .live(let registration, nil) = entries[place].phase
    else { return false }
    let request = sendCall(place, &actions)
    let audit = Audit(request: request, deadline: now.uptime + SessionTiming.patience)
    entries[place].phase = .live(registration, audit: audit)
    return true
  }

  /// What was refused is asked for anew, and what rests is asked for at once.
  mutating func askAgain(_ now: SessionMoment, _ actions: inout [SessionAction]) {
    for place in entries.indices {
      switch entries[place].phase {
      case .refused:
        entries[place].delays = 0
        tell(place, .requested, &actions)
        register(place, now, &actions)
      case .backingOff(let registration?, _): call(place, registration, now, &actions)
      case .backingOff(nil, _): register(place, now, &actions)
      case .idle, .registering, .calling, .live, .unregistering: break
      }
    }
  }

  // MARK: The session

  /// The feed has welcomed us: everything that is wanted is asked for.
  mutating func begin(_ now: SessionMoment, _ actions: inout [SessionAction]) {
    lastRequest = 0
    for place in entries.indices {
      tell(place, .requested, &actions)
      register(place, now, &actions)
    }
  }

  /// The feed has forgotten everything.
  mutating func lineLost() {
    entries.removeAll { $0.wanted == nil }
    owners = [:]
    for place in entries.indices {
      entries[place].phase = .idle
      entries[place].delays = 0
      entries[place].registers = []
      entries[place].calls = []
    }
  }

  /// A long message is on its way, perhaps a dump that was asked for: asking again would only make it longer.
  mutating func answerIsOnItsWay(_ now: SessionMoment) {
    let deadline = now.uptime + SessionTiming.patience
    for place in entries.indices {
      switch entries[place].phase {
      case .calling(let registration, _): entries[place].phase = .calling(registration, deadline: deadline)
      case .live(let registration, let audit?):
        entries[place].phase = .live(registration, audit: Audit(request: audit.request, deadline: deadline))
      default: break
      }
    }
  }

  mutating func timePassed(_ now: SessionMoment, _ actions: inout [SessionAction]) {
    // NB: from the last on, as some are removed.
    for place in entries.indices.reversed() where entries[place].phase.deadline.map({ $0 <= now.uptime }) ?? false {
      switch entries[place].phase {
      case .registering: if entries[place].wanted == nil { remove(place) } else { late(place, nil, now, &actions) }
      case .calling(let registration, _): late(place, registration, now, &actions)
      case .live(let registration, _): entries[place].phase = .live(registration, audit: nil)
      case .backingOff(let registration?, _): call(place, registration, now, &actions)
      case .backingOff(nil, _): register(place, now, &actions)
      case .unregistering: unregistered(place, now, &actions)
      case .idle, .refused: break
      }
    }
  }
}

extension SubscriptionTable.Phase {
  var deadline: Duration? {
    switch self {
    case .idle, .refused: nil
    case .registering(_, _, let deadline), .calling(_, let deadline), .unregistering(_, let deadline): deadline
    case .live(_, let audit): audit?.deadline
    case .backingOff(_, let until): until
    }
  }
}
