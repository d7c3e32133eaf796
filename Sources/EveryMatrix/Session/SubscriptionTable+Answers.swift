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
    guard let index = entries.firstIndex(where: { $0.registers.contains(request) }) else {
      // The topic is no longer wanted, or the request was forgotten. A leftover registration would block the next one.
      sendUnregister(registration, &step)
      return
    }
    entries[index].registers.removeAll { $0 == request }
    switch entries[index].phase {
    case .registering where entries[index].wanted == nil: unregister(index, registration, &step)
    case .registering(_, let call, _): assign(index, registration, asked: call, &step)
    case .backingOff(nil, _): assign(index, registration, asked: nil, &step)
    case .idle, .registered, .calling, .live, .backingOff, .refused, .unregistering:
      sendUnregister(registration, &step)
    }
  }

  mutating func unregistered(_ request: Request, _ step: inout SessionStep) {
    for index in entries.indices {
      if case .unregistering(request, _) = entries[index].phase { return unregistered(index, &step) }
    }
  }

  mutating func result(_ request: Request, _ payload: Range<Int>, _ step: inout SessionStep) {
    window.answered(request, isDump: true, at: step.now.uptime)
    for index in entries.indices {
      guard let subscription = entries[index].wanted else { continue }
      switch entries[index].phase {
      case .registered(let registration), .calling(let registration, _), .backingOff(let registration?, _):
        guard entries[index].calls.contains(request) else { continue }
        entries[index].calls = []
        entries[index].delays = 0
        entries[index].waitingSince = nil
        entries[index].phase = .live(registration, audit: nil)
        step.actions.append(.deliver(subscription, payload))
        return setState(index, .live, &step)
      case .live(let registration, let audit?) where audit.request == request:
        entries[index].phase = .live(registration, audit: nil)
        return step.actions.append(.deliver(subscription, payload))
      // NB: A dump received before REGISTERED may lack updates that are never sent, so another one is requested.
      case .registering(let register, request, let deadline):
        return entries[index].phase = .registering(register, call: nil, deadline: deadline)
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
    guard let index = entries.firstIndex(where: { $0.registers.contains(request) }) else { return }
    entries[index].registers.removeAll { $0 == request }
    guard case .registering(request, _, _) = entries[index].phase else { return }
    if entries[index].wanted == nil { entries.remove(at: index) } else { handle(refusal, of: index, nil, &step) }
  }

  /// Handles an ERROR for a topic that is not live yet. Only an authentication error is final.
  private mutating func handle(
    _ refusal: Refusal, of index: Int, _ registration: Registration?, _ step: inout SessionStep
  ) {
    if refusal.uri == WAMPMessage.URI.noBackend { return underMaintenance(index, registration, &step) }
    guard FeedError.isAuthentication(refusal.uri) else {
      return retry(index, registration, .failed(entries[index].topic, refusal), &step)
    }
    if let registration { sendUnregister(registration, &step) }
    refuse(index, refusal, &step)
  }

  /// Handles an answer to a request for a dump that is not a dump: the request is repeated.
  mutating func noDump(_ request: Request, _ excerpt: String, _ step: inout SessionStep) {
    window.answered(request, isDump: false, at: step.now.uptime)
    for index in entries.indices where entries[index].wanted != nil {
      switch entries[index].phase {
      case .registered(let registration), .calling(let registration, _), .backingOff(let registration?, _):
        guard entries[index].calls.contains(request) else { continue }
        entries[index].calls.removeAll { $0 == request }
        return retry(index, registration, .noDump(entries[index].topic, excerpt), &step)
      case .live(let registration, let audit?) where audit.request == request:
        return entries[index].phase = .live(registration, audit: nil)
      case .registering(let register, request, let deadline):
        return entries[index].phase = .registering(register, call: nil, deadline: deadline)
      default: continue
      }
    }
  }

  private mutating func callRefused(_ request: Request, _ refusal: Refusal, _ step: inout SessionStep) {
    window.answered(request, isDump: false, at: step.now.uptime)
    let isMaintenance = refusal.uri == WAMPMessage.URI.noBackend
    for index in entries.indices where entries[index].wanted != nil {
      switch entries[index].phase {
      case .registered(let registration), .calling(let registration, _), .backingOff(let registration?, _):
        guard entries[index].calls.contains(request) else { continue }
        entries[index].calls.removeAll { $0 == request }
        return handle(refusal, of: index, registration, &step)
      case .registering(_, request, _): return handle(refusal, of: index, nil, &step)
      case .live(let registration, let audit?) where audit.request == request:
        // A failed audit leaves the topic live; maintenance does not.
        if isMaintenance { return underMaintenance(index, registration, &step) }
        return entries[index].phase = .live(registration, audit: nil)
      default: continue
      }
    }
  }

  /// Extends the deadlines of REGISTER and of open calls while a long message is received. It may be a requested dump,
  /// other answers wait behind it, and another request would only increase the delay.
  mutating func answerIsOnItsWay(_ now: SessionMoment) {
    window.extend(at: now.uptime)
    let deadline = now.uptime + SessionTiming.requestTimeout
    for index in entries.indices {
      switch entries[index].phase {
      case .registering(let register, let call, _):
        entries[index].phase = .registering(register, call: call, deadline: deadline)
      case .calling(let registration, _): entries[index].phase = .calling(registration, deadline: deadline)
      case .live(let registration, let audit?):
        entries[index].phase = .live(registration, audit: Audit(request: audit.request, deadline: deadline))
      default: break
      }
    }
  }

  private mutating func underMaintenance(_ index: Int, _ registration: Registration?, _ step: inout SessionStep) {
    let delay = SessionTiming.maintenanceDelay(chance: step.now.chance)
    entries[index].phase = .backingOff(registration, until: step.now.uptime + delay)
    setState(index, .maintenance(retryAt: step.now.wall(after: delay)), &step)
  }

  private mutating func refuse(_ index: Int, _ refusal: Refusal, _ step: inout SessionStep) {
    entries[index].phase = .refused
    setState(index, .refused(.refused(entries[index].topic, refusal)), &step)
  }
}
