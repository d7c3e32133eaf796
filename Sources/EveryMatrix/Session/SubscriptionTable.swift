import OddsFeed
import OddsModel
import Platform

/// The wanted topics of a session and the phase of each (Transport.md; StoreRules.md, rule 1): a topic is registered
/// first, then its dump is requested as soon as `CallWindow` allows it.
///
/// A topic is registered once. A new subscription to it takes over the registration and requests its own dump. Late or
/// repeated answers of the feed still lead to one registration per wanted topic and none for others.
struct SubscriptionTable {
  /// A session counts its requests from 1.
  typealias Request = UInt64
  typealias Registration = UInt64

  enum Phase: Hashable {
    /// There is no session.
    case idle
    /// REGISTER was sent. A call is sent too if the topic failed before, or if the feed is under maintenance: it then
    /// ignores REGISTER and answers only the call (Transport.md).
    case registering(Request, call: Request?, deadline: Duration)
    /// The call for the dump waits for its turn.
    case registered(Registration)
    case calling(Registration, deadline: Duration)
    case live(Registration, audit: Audit?)
    /// Asked again at the time `until`.
    case backingOff(Registration?, until: Duration)
    /// Not asked again in this session.
    case refused
    case unregistering(Request, deadline: Duration)
  }

  /// A request for a fresh dump.
  struct Audit: Hashable {
    let request: Request
    let deadline: Duration
  }

  struct Entry {
    let topic: Topic
    /// The current subscription; nil if the topic is no longer wanted but UNREGISTER is not yet sent or confirmed.
    var wanted: Subscription?
    var phase = Phase.idle
    /// The state last reported to the subscriber.
    var published = TopicState.requested
    /// The number of delays since the last dump. The bound of the next delay grows with it.
    var delays = 0
    /// The time since which a call waits for its turn, also while the topic is backing off. Nil if none is to be sent.
    var waitingSince: Duration?
    /// Unanswered requests, including expired ones, oldest first.
    var registers: [Request] = []
    var calls: [Request] = []

    /// The time since which a call waits that can be sent now; nil if there is none.
    var turn: Duration? {
      guard wanted != nil else { return nil }
      switch phase {
      case .registering(_, nil, _), .registered: return waitingSince
      case .idle, .registering, .calling, .live, .backingOff, .refused, .unregistering: return nil
      }
    }
  }

  // In order of subscription, which is the order of requests.
  var entries: [Entry] = []
  /// The subscriptions that receive the updates of registrations.
  var owners: [Registration: Subscription] = [:]
  var window = CallWindow()
  var lastRequest: Request = 0

  /// True if the feed has answered for each wanted topic, or is known to be late.
  var isSettled: Bool { entries.allSatisfy { $0.wanted == nil || $0.published != .requested } }

  /// The time at which elapsed time next changes something; nil if it never does.
  var deadline: Duration? {
    let deadline = entries.lazy.compactMap(\.phase.deadline).min()
    guard let first = window.deadline else { return deadline }
    return deadline.map { min($0, first) } ?? first
  }

  // MARK: Wanted topics

  mutating func want(_ subscription: Subscription, isOpen: Bool, _ step: inout SessionStep) {
    guard let index = entries.firstIndex(where: { $0.topic == subscription.topic }) else {
      entries.append(Entry(topic: subscription.topic, wanted: subscription))
      if isOpen { register(entries.count - 1, &step) }
      return
    }
    guard entries[index].wanted != subscription else { return }
    entries[index].wanted = subscription
    entries[index].published = .requested
    entries[index].delays = 0
    switch entries[index].phase {
    // A dump already requested may lack updates that were delivered to the previous subscription.
    case .registered(let registration), .calling(let registration, _), .live(let registration, _),
      .backingOff(let registration?, _):
      entries[index].calls = []
      owners[registration] = subscription
      awaitTurn(index, registration, step.now)
    case .backingOff(nil, _), .refused: register(index, &step)
    case .idle, .registering, .unregistering: break
    }
  }

  mutating func giveUp(_ subscription: Subscription, _ step: inout SessionStep) {
    guard let index = entries.firstIndex(where: { $0.wanted == subscription }) else { return }
    entries[index].wanted = nil
    switch entries[index].phase {
    case .idle, .refused, .backingOff(nil, _): entries.remove(at: index)
    case .registered(let registration), .calling(let registration, _), .live(let registration, _),
      .backingOff(let registration?, _):
      unregister(index, registration, &step)
    // UNREGISTER needs the registration's id, which is not known yet, or was already sent.
    case .registering, .unregistering: break
    }
  }

  /// Requests a fresh dump. Returns false if the first dump is missing, a fresh one is already requested, or too many
  /// calls are open.
  mutating func requestDump(_ subscription: Subscription, _ step: inout SessionStep) -> Bool {
    guard window.hasRoom, let index = entries.firstIndex(where: { $0.wanted == subscription }),
      case .live(let registration, nil) = entries[index].phase
    else { return false }
    let request = sendCall(index, &step)
    let audit = Audit(request: request, deadline: step.now.uptime + SessionTiming.requestTimeout)
    entries[index].phase = .live(registration, audit: audit)
    return true
  }

  /// Requests refused topics again, and retries at once those that are backing off.
  mutating func askAgain(_ step: inout SessionStep) {
    for index in entries.indices {
      switch entries[index].phase {
      case .refused:
        entries[index].delays = 0
        setState(index, .requested, &step)
        register(index, &step)
      case .backingOff(let registration?, _): awaitTurn(index, registration, step.now)
      case .backingOff(nil, _): register(index, &step)
      case .idle, .registering, .registered, .calling, .live, .unregistering: break
      }
    }
  }

  // MARK: The session

  /// Requests all wanted topics after the WELCOME.
  mutating func begin(_ step: inout SessionStep) {
    lastRequest = 0
    for index in entries.indices {
      setState(index, .requested, &step)
      register(index, &step)
    }
  }

  /// Resets all topics: the feed keeps no registrations after the end of a session.
  mutating func lineLost() {
    entries.removeAll { $0.wanted == nil }
    owners = [:]
    window.reset()
    for index in entries.indices {
      entries[index].phase = .idle
      entries[index].delays = 0
      entries[index].waitingSince = nil
      entries[index].registers = []
      entries[index].calls = []
    }
  }

  mutating func timePassed(_ step: inout SessionStep) {
    // NB: In reverse order, because entries are removed.
    let now = step.now.uptime
    window.expire(at: now)
    for index in entries.indices.reversed() where entries[index].phase.deadline.map({ $0 <= now }) ?? false {
      switch entries[index].phase {
      case .registering: if entries[index].wanted == nil { entries.remove(at: index) } else { late(index, nil, &step) }
      case .calling(let registration, _): late(index, registration, &step)
      case .live(let registration, _): entries[index].phase = .live(registration, audit: nil)
      case .backingOff(let registration?, _): awaitTurn(index, registration, step.now)
      case .backingOff(nil, _): register(index, &step)
      case .unregistering: unregistered(index, &step)
      case .idle, .registered, .refused: break
      }
    }
  }
}

extension SubscriptionTable.Phase {
  var deadline: Duration? {
    switch self {
    case .idle, .registered, .refused: nil
    case .registering(_, _, let deadline), .calling(_, let deadline), .unregistering(_, let deadline): deadline
    case .live(_, let audit): audit?.deadline
    case .backingOff(_, let until): until
    }
  }
}
