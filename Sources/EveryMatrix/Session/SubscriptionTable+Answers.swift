import OddsFeed
import OddsModel
import Platform

// Answers of the feed.
extension SubscriptionTable {
  /// The content of an ERROR message.
  struct Refusal: Hashable {
    let uri: String
    let text: String
  }

  mutating func registered(_ request: Request, _ registration: Registration, _ step: inout SessionStep) {
    guard let place = entries.firstIndex(where: { $0.registers.contains(request) }) else {
      // The topic is no longer wanted, or the request was forgotten. A leftover registration would block the next one.
      sendUnregister(registration, &step)
      return
    }
    entries[place].registers.removeAll { $0 == request }
    switch entries[place].phase {
    case .registering where entries[place].wanted == nil: unregister(place, registration, &step)
    case .registering(_, let call, _): assign(place, registration, asked: call, &step)
    case .backingOff(nil, _): assign(place, registration, asked: nil, &step)
    case .idle, .registered, .calling, .live, .backingOff, .refused, .unregistering:
      sendUnregister(registration, &step)
    }
  }

  mutating func unregistered(_ request: Request, _ step: inout SessionStep) {
    for place in entries.indices {
      if case .unregistering(request, _) = entries[place].phase { return unregistered(place, &step) }
    }
  }

  mutating func result(_ request: Request, _ payload: Range<Int>, _ step: inout SessionStep) {
    window.answered(request, isDump: true, at: step.now.uptime)
    for place in entries.indices {
      guard let subscription = entries[place].wanted else { continue }
      switch entries[place].phase {
      case .registered(let registration), .calling(let registration, _), .backingOff(let registration?, _):
        guard entries[place].calls.contains(request) else { continue }
        entries[place].calls = []
        entries[place].delays = 0
        entries[place].waitingSince = nil
        entries[place].phase = .live(registration, audit: nil)
        step.actions.append(.deliver(subscription, payload))
        return setState(place, .live, &step)
      case .live(let registration, let audit?) where audit.request == request:
        entries[place].phase = .live(registration, audit: nil)
        return step.actions.append(.deliver(subscription, payload))
      // NB: A dump received before REGISTERED may lack updates that are never sent, so another one is requested.
      case .registering(let register, request, let deadline):
        return entries[place].phase = .registering(register, call: nil, deadline: deadline)
      default: continue
      }
    }
  }

  mutating func error(_ type: UInt64, _ request: Request, _ refusal: Refusal, _ step: inout SessionStep) {
    switch type {
    case WAMPMessage.Code.register: registerRefused(request, refusal, &step)
    case WAMPMessage.Code.call: callRefused(request, refusal, &step)
    case WAMPMessage.Code.unregister: unregistered(request, &step)
    default: break
    }
  }

  private mutating func registerRefused(_ request: Request, _ refusal: Refusal, _ step: inout SessionStep) {
    guard let place = entries.firstIndex(where: { $0.registers.contains(request) }) else { return }
    entries[place].registers.removeAll { $0 == request }
    guard case .registering(request, _, _) = entries[place].phase else { return }
    if entries[place].wanted == nil { entries.remove(at: place) } else { handle(refusal, of: place, nil, &step) }
  }

  /// Handles an ERROR for a topic that is not live yet. Only an authentication error is final.
  private mutating func handle(
    _ refusal: Refusal, of place: Int, _ registration: Registration?, _ step: inout SessionStep
  ) {
    if refusal.uri == WAMPMessage.URI.noBackend { return underMaintenance(place, registration, &step) }
    guard FeedError.isAuthentication(refusal.uri) else {
      return retry(place, registration, .failed(entries[place].topic, refusal), &step)
    }
    if let registration { sendUnregister(registration, &step) }
    refuse(place, refusal, &step)
  }

  /// Handles an answer to a request for a dump that is not a dump: the request is repeated.
  mutating func noDump(_ request: Request, _ excerpt: String, _ step: inout SessionStep) {
    window.answered(request, isDump: false, at: step.now.uptime)
    for place in entries.indices where entries[place].wanted != nil {
      switch entries[place].phase {
      case .registered(let registration), .calling(let registration, _), .backingOff(let registration?, _):
        guard entries[place].calls.contains(request) else { continue }
        entries[place].calls.removeAll { $0 == request }
        return retry(place, registration, .noDump(entries[place].topic, excerpt), &step)
      case .live(let registration, let audit?) where audit.request == request:
        return entries[place].phase = .live(registration, audit: nil)
      case .registering(let register, request, let deadline):
        return entries[place].phase = .registering(register, call: nil, deadline: deadline)
      default: continue
      }
    }
  }

  private mutating func callRefused(_ request: Request, _ refusal: Refusal, _ step: inout SessionStep) {
    window.answered(request, isDump: false, at: step.now.uptime)
    let isMaintenance = refusal.uri == WAMPMessage.URI.noBackend
    for place in entries.indices where entries[place].wanted != nil {
      switch entries[place].phase {
      case .registered(let registration), .calling(let registration, _), .backingOff(let registration?, _):
        guard entries[place].calls.contains(request) else { continue }
        entries[place].calls.removeAll { $0 == request }
        return handle(refusal, of: place, registration, &step)
      case .registering(_, request, _): return handle(refusal, of: place, nil, &step)
      case .live(let registration, let audit?) where audit.request == request:
        // A failed audit leaves the topic live; maintenance does not.
        if isMaintenance { return underMaintenance(place, registration, &step) }
        return entries[place].phase = .live(registration, audit: nil)
      default: continue
      }
    }
  }

  /// Extends the deadlines while a long message is received. It may be a requested dump, and another request would only
  /// increase the delay.
  mutating func answerIsOnItsWay(_ now: SessionMoment) {
    window.extend(at: now.uptime)
    let deadline = now.uptime + SessionTiming.requestTimeout
    for place in entries.indices {
      switch entries[place].phase {
      case .calling(let registration, _): entries[place].phase = .calling(registration, deadline: deadline)
      case .live(let registration, let audit?):
        entries[place].phase = .live(registration, audit: Audit(request: audit.request, deadline: deadline))
      default: break
      }
    }
  }

  private mutating func underMaintenance(_ place: Int, _ registration: Registration?, _ step: inout SessionStep) {
    let delay = SessionTiming.maintenanceDelay(chance: step.now.chance)
    entries[place].phase = .backingOff(registration, until: step.now.uptime + delay)
    setState(place, .maintenance(retryAt: step.now.wall(after: delay)), &step)
  }

  private mutating func refuse(_ place: Int, _ refusal: Refusal, _ step: inout SessionStep) {
    entries[place].phase = .refused
    setState(place, .refused(.refused(entries[place].topic, refusal)), &step)
  }
}
