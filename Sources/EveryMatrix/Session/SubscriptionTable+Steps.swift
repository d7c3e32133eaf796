import OddsFeed
import OddsModel
import Platform

// Phase changes of a topic.
extension SubscriptionTable {
  /// The number of unanswered requests remembered per topic. Answers to older ones count as unknown.
  private static let maxRemembered = 8

  mutating func setState(_ place: Int, _ state: TopicState, _ step: inout SessionStep) {
    guard let subscription = entries[place].wanted, entries[place].published != state else { return }
    entries[place].published = state
    step.actions.append(.topic(subscription, state))
  }

  mutating func register(_ place: Int, _ step: inout SessionStep) {
    let request = nextRequest()
    Self.remember(request, &entries[place].registers)
    step.actions.append(.send(.register(request: request, procedure: entries[place].topic.path)))
    entries[place].phase = .registering(request, call: nil, deadline: step.now.uptime + SessionTiming.requestTimeout)
    let needsCall = entries[place].published != .requested || isMaintained
    entries[place].waitingSince = needsCall ? entries[place].waitingSince ?? step.now.uptime : nil
  }

  /// Requests a dump of a registered topic when its turn comes.
  mutating func awaitTurn(_ place: Int, _ registration: Registration, _ now: SessionMoment) {
    entries[place].phase = .registered(registration)
    entries[place].waitingSince = entries[place].waitingSince ?? now.uptime
  }

  /// Sends calls that wait, as far as the window allows it. The one that has waited for the longest time is the first,
  /// so that no topic waits for ever.
  mutating func callWaiting(_ step: inout SessionStep) {
    while window.hasRoom, let place = nextInTurn {
      let request = sendCall(place, &step)
      entries[place].waitingSince = nil
      switch entries[place].phase {
      case .registering(let register, _, let deadline):
        entries[place].phase = .registering(register, call: request, deadline: deadline)
      case .registered(let registration): called(place, registration, request, step.now)
      default: break
      }
    }
  }

  private var nextInTurn: Int? {
    var next: (place: Int, since: Duration)?
    for place in entries.indices {
      guard let turn = entries[place].turn, next.map({ turn < $0.since }) ?? true else { continue }
      next = (place, turn)
    }
    return next?.place
  }

  private mutating func called(
    _ place: Int, _ registration: Registration, _ request: Request, _ now: SessionMoment
  ) {
    Self.remember(request, &entries[place].calls)
    entries[place].phase = .calling(registration, deadline: now.uptime + SessionTiming.requestTimeout)
  }

  /// Assigns the registration to the topic's subscription and requests a dump, unless `call` already did.
  mutating func assign(_ place: Int, _ registration: Registration, asked call: Request?, _ step: inout SessionStep) {
    owners[registration] = entries[place].wanted
    guard let call else { return awaitTurn(place, registration, step.now) }
    called(place, registration, call, step.now)
  }

  mutating func unregister(_ place: Int, _ registration: Registration, _ step: inout SessionStep) {
    let request = sendUnregister(registration, &step)
    entries[place].calls = []
    entries[place].phase = .unregistering(request, deadline: step.now.uptime + SessionTiming.requestTimeout)
  }

  @discardableResult
  mutating func sendUnregister(_ registration: Registration, _ step: inout SessionStep) -> Request {
    owners[registration] = nil
    let request = nextRequest()
    step.actions.append(.send(.unregister(request: request, registration: registration)))
    return request
  }

  /// Handles the end of a registration: the feed's confirmation, or the deadline for it.
  mutating func unregistered(_ place: Int, _ step: inout SessionStep) {
    if entries[place].wanted == nil { entries.remove(at: place) } else { register(place, &step) }
  }

  /// Handles a missing answer: the feed did not answer in time.
  mutating func late(_ place: Int, _ registration: Registration?, _ step: inout SessionStep) {
    _ = backOff(place, registration, step.now)
    setState(place, .late, &step)
  }

  /// Handles an unusable answer: the request is repeated after a delay, and the problem is reported.
  mutating func retry(_ place: Int, _ registration: Registration?, _ problem: FeedError, _ step: inout SessionStep) {
    let delay = backOff(place, registration, step.now)
    setState(place, .retrying(problem, at: step.now.wall(after: delay)), &step)
  }

  /// Suspends requests for a topic, for longer with each consecutive failure. Returns the delay.
  private mutating func backOff(_ place: Int, _ registration: Registration?, _ now: SessionMoment) -> Duration {
    let delay = RetryDelay.delay(beforeRetry: entries[place].delays, chance: now.chance)
    entries[place].delays += 1
    entries[place].phase = .backingOff(registration, until: now.uptime + delay)
    return delay
  }

  /// True if the feed reported maintenance for a wanted topic.
  private var isMaintained: Bool {
    entries.contains { if case .maintenance = $0.published { $0.wanted != nil } else { false } }
  }

  mutating func sendCall(_ place: Int, _ step: inout SessionStep) -> Request {
    let request = nextRequest()
    let topic = entries[place].topic.path
    step.actions.append(.send(.call(request: request, procedure: WAMPMessage.dumpProcedure, topic: topic)))
    window.sent(request, at: step.now.uptime)
    return request
  }

  private mutating func nextRequest() -> Request {
    lastRequest += 1
    return lastRequest
  }

  private static func remember(_ request: Request, _ requests: inout [Request]) {
    if requests.count == maxRemembered { requests.removeFirst() }
    requests.append(request)
  }
}
