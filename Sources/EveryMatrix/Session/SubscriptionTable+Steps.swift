import OddsFeed
import OddsModel
import Platform

// Phase changes of a topic.
extension SubscriptionTable {
  /// The number of unanswered requests remembered per topic. Answers to older ones count as unknown.
  private static let maxRemembered = 8

  mutating func setState(_ index: Int, _ state: TopicState, _ step: inout SessionStep) {
    guard let subscription = entries[index].wanted, entries[index].published != state else { return }
    entries[index].published = state
    step.actions.append(.topic(subscription, state))
  }

  mutating func register(_ index: Int, _ step: inout SessionStep) {
    let request = nextRequest()
    Self.remember(request, &entries[index].registers)
    step.actions.append(.send(.register(request: request, procedure: entries[index].topic.path)))
    entries[index].phase = .registering(request, call: nil, deadline: step.now.uptime + SessionTiming.requestTimeout)
    let needsCall = entries[index].published != .requested || isMaintained
    entries[index].waitingSince = needsCall ? entries[index].waitingSince ?? step.now.uptime : nil
  }

  /// Requests a dump of a registered topic when its turn comes.
  mutating func awaitTurn(_ index: Int, _ registration: Registration, _ now: SessionMoment) {
    entries[index].phase = .registered(registration)
    entries[index].waitingSince = entries[index].waitingSince ?? now.uptime
  }

  /// Sends calls that wait, as far as the window allows it. The one that has waited for the longest time is the first,
  /// so that no topic waits for ever.
  mutating func callWaiting(_ step: inout SessionStep) {
    while window.hasRoom, let index = nextInTurn {
      let request = sendCall(index, &step)
      entries[index].waitingSince = nil
      switch entries[index].phase {
      case .registering(let register, _, let deadline):
        entries[index].phase = .registering(register, call: request, deadline: deadline)
      case .registered(let registration): called(index, registration, request, step.now)
      default: break
      }
    }
  }

  private var nextInTurn: Int? {
    var next: (index: Int, since: Duration)?
    for index in entries.indices {
      guard let turn = entries[index].turn, next.map({ turn < $0.since }) ?? true else { continue }
      next = (index, turn)
    }
    return next?.index
  }

  private mutating func called(
    _ index: Int, _ registration: Registration, _ request: Request, _ now: SessionMoment
  ) {
    Self.remember(request, &entries[index].calls)
    entries[index].phase = .calling(registration, deadline: now.uptime + SessionTiming.requestTimeout)
  }

  /// Assigns the registration to the topic's subscription and requests a dump, unless `call` already did.
  mutating func assign(_ index: Int, _ registration: Registration, asked call: Request?, _ step: inout SessionStep) {
    owners[registration] = entries[index].wanted
    guard let call else { return awaitTurn(index, registration, step.now) }
    called(index, registration, call, step.now)
  }

  mutating func unregister(_ index: Int, _ registration: Registration, _ step: inout SessionStep) {
    let request = sendUnregister(registration, &step)
    entries[index].calls = []
    entries[index].phase = .unregistering(request, deadline: step.now.uptime + SessionTiming.requestTimeout)
  }

  @discardableResult
  mutating func sendUnregister(_ registration: Registration, _ step: inout SessionStep) -> Request {
    owners[registration] = nil
    let request = nextRequest()
    step.actions.append(.send(.unregister(request: request, registration: registration)))
    return request
  }

  /// Handles the end of a registration: the feed's confirmation, or the deadline for it.
  mutating func unregistered(_ index: Int, _ step: inout SessionStep) {
    if entries[index].wanted == nil { entries.remove(at: index) } else { register(index, &step) }
  }

  /// Handles a missing answer: the feed did not answer in time.
  mutating func late(_ index: Int, _ registration: Registration?, _ step: inout SessionStep) {
    _ = backOff(index, registration, step.now)
    setState(index, .late, &step)
  }

  /// Handles an unusable answer: the request is repeated after a delay, and the problem is reported.
  mutating func retry(_ index: Int, _ registration: Registration?, _ problem: FeedError, _ step: inout SessionStep) {
    let delay = backOff(index, registration, step.now)
    setState(index, .retrying(problem, at: step.now.wall(after: delay)), &step)
  }

  /// Suspends requests for a topic, for longer with each consecutive failure. Returns the delay.
  private mutating func backOff(_ index: Int, _ registration: Registration?, _ now: SessionMoment) -> Duration {
    let delay = RetryDelay.delay(beforeRetry: entries[index].delays, chance: now.chance)
    entries[index].delays += 1
    entries[index].phase = .backingOff(registration, until: now.uptime + delay)
    return delay
  }

  /// True if the feed reported maintenance for a wanted topic.
  private var isMaintained: Bool {
    entries.contains { if case .maintenance = $0.published { $0.wanted != nil } else { false } }
  }

  mutating func sendCall(_ index: Int, _ step: inout SessionStep) -> Request {
    let request = nextRequest()
    let topic = entries[index].topic.path
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
