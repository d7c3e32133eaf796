import OddsFeed

// What the feed answers.
extension SubscriptionTable {
  /// What an ERROR says.
  struct Refusal: Hashable {
    let uri: String
    let text: String
  }

  mutating func registered(
    _ request: Request, _ registration: Registration, _ now: SessionMoment, _ actions: inout [SessionAction]
  ) {
    guard let place = place(where: { $0.registers.contains(request) }) else {
      // Nobody wants it any more; or, forgotten, it would stand in the way of the next.
      sendUnregister(registration, &actions)
      return
    }
    entries[place].registers.removeAll { $0 == request }
    switch entries[place].phase {
    case .registering where entries[place].wanted == nil: unregister(place, registration, now, &actions)
    case .registering(_, let call, _): own(place, registration, asked: call, now, &actions)
    case .backingOff(nil, _): own(place, registration, asked: nil, now, &actions)
    case .idle, .calling, .live, .backingOff, .refused, .unregistering: sendUnregister(registration, &actions)
    }
  }

  mutating func unregistered(_ request: Request, _ now: SessionMoment, _ actions: inout [SessionAction]) {
    guard let place = place(where: { if case .unregistering(request, _) = $0.phase { true } else { false } }) else {
      return
    }
    unregistered(place, now, &actions)
  }

  mutating func result(_ request: Request, _ payload: Range<Int>, _ actions: inout [SessionAction]) {
    for place in entries.indices {
      guard let subscription = entries[place].wanted else { continue }
      switch entries[place].phase {
      case .calling(let registration, _), .backingOff(let registration?, _):
        guard entries[place].calls.contains(request) else { continue }
        entries[place].calls = []
        entries[place].delays = 0
        entries[place].phase = .live(registration, audit: nil)
        actions.append(.deliver(subscription, payload))
        return tell(place, .live, &actions)
      case .live(let registration, let audit?) where audit.request == request:
        entries[place].phase = .live(registration, audit: nil)
        return actions.append(.deliver(subscription, payload))
      // NB: a dump that comes before REGISTERED may lack updates that nobody would send.
      case .registering(let register, request, let deadline):
        return entries[place].phase = .registering(register, call: nil, deadline: deadline)
      default: continue
      }
    }
  }

  mutating func error(
    _ type: UInt64, _ request: Request, _ refusal: Refusal, _ now: SessionMoment, _ actions: inout [SessionAction]
  ) {
    switch type {
    case WAMPMessage.Code.register: registerRefused(request, refusal, now, &actions)
    case WAMPMessage.Code.call: callRefused(request, refusal, now, &actions)
    case WAMPMessage.Code.unregister: unregistered(request, now, &actions)
    default: break
    }
  }

  private mutating func registerRefused(
    _ request: Request, _ refusal: Refusal, _ now: SessionMoment, _ actions: inout [SessionAction]
  ) {
    guard let place = place(where: { $0.registers.contains(request) }) else { return }
    entries[place].registers.removeAll { $0 == request }
    guard case .registering(request, _, _) = entries[place].phase else { return }
    if entries[place].wanted == nil { return remove(place) }
    handle(refusal, of: place, nil, now, &actions)
  }

  /// An ERROR to a request of a topic that is not live yet. Only an authentication error ends the topic: any other may pass.
  private mutating func handle(
    _ refusal: Refusal, of place: Int, _ registration: Registration?, _ now: SessionMoment,
    _ actions: inout [SessionAction]
  ) {
    if refusal.uri == WAMPMessage.URI.noBackend { return underMaintenance(place, registration, now, &actions) }
    guard FeedError.isAuthentication(refusal.uri) else {
      return retry(place, registration, .failed(entries[place].topic, refusal), now, &actions)
    }
    if let registration { sendUnregister(registration, &actions) }
    refuse(place, refusal, &actions)
  }

  /// An answer to a call for a dump that is none, and how it begins: the call is repeated.
  mutating func noDump(
    _ request: Request, _ excerpt: String, _ now: SessionMoment, _ actions: inout [SessionAction]
  ) {
    for place in entries.indices where entries[place].wanted != nil {
      switch entries[place].phase {
      case .calling(let registration, _), .backingOff(let registration?, _):
        guard entries[place].calls.contains(request) else { continue }
        entries[place].calls.removeAll { $0 == request }
        return retry(place, registration, .noDump(entries[place].topic, excerpt), now, &actions)
      case .live(let registration, let audit?) where audit.request == request:
        return entries[place].phase = .live(registration, audit: nil)
      case .registering(let register, request, let deadline):
        return entries[place].phase = .registering(register, call: nil, deadline: deadline)
      default: continue
      }
    }
  }

  private mutating func callRefused(
    _ request: Request, _ refusal: Refusal, _ now: SessionMoment, _ actions: inout [SessionAction]
  ) {
    let isMaintenance = refusal.uri == WAMPMessage.URI.noBackend
    for place in entries.indices where entries[place].wanted != nil {
      switch entries[place].phase {
      case .calling(let registration, _), .backingOff(let registration?, _):
        guard entries[place].calls.contains(request) else { continue }
        entries[place].calls.removeAll { $0 == request }
        return handle(refusal, of: place, registration, now, &actions)
      case .registering(_, request, _): return handle(refusal, of: place, nil, now, &actions)
      case .live(let registration, let audit?) where audit.request == request:
        // Without an audit a topic lives on; in maintenance it does not.
        if isMaintenance { return underMaintenance(place, registration, now, &actions) }
        return entries[place].phase = .live(registration, audit: nil)
      default: continue
      }
    }
  }

  private mutating func underMaintenance(
    _ place: Int, _ registration: Registration?, _ now: SessionMoment, _ actions: inout [SessionAction]
  ) {
    let delay = SessionTiming.maintenanceDelay(chance: now.chance)
    entries[place].phase = .backingOff(registration, until: now.uptime + delay)
    tell(place, .maintenance(retryAt: now.wall(after: delay)), &actions)
  }

  private mutating func refuse(_ place: Int, _ refusal: Refusal, _ actions: inout [SessionAction]) {
    entries[place].phase = .refused
    tell(place, .refused(.refused(entries[place].topic, refusal)), &actions)
  }
}
