import Localization
import OddsFeed
import OddsModel

// Events of the connection.
extension SessionMachine {
  mutating func apply(_ event: LineEvent, _ now: SessionMoment, _ actions: inout [SessionAction]) {
    guard isCurrent(link) else { return }
    let wasTaking = taking(event)
    switch event {
    case .opened: return shakeHands(&actions)
    case .message(let message):
      signOfLife()
      receive(message, now, &actions)
    case .noDump(let request, let excerpt):
      signOfLife()
      counters.garbage += 1
      table.noDump(request, excerpt, now, &actions)
    case .garbage:
      signOfLife()
      counters.garbage += 1
    case .pong:
      signOfLife()
      actions.append(.alive)
    // NB: Progress is not reported as `.alive`, because price updates are delayed behind the unfinished message.
    case .progress:
      signOfLife()
      if wasTaking { table.answerIsOnItsWay(now) }
    case .closed(let fault) where fault.isTerminal: fail(fault.problem, &actions)
    case .closed(let fault): connectionEnded(fault.problem, retriesAtOnce: true, now, &actions)
    }
  }

  /// Records whether a message is partly received. Returns the previous value.
  private mutating func taking(_ event: LineEvent) -> Bool {
    guard case .open(var line) = phase else { return false }
    let wasTaking = line.isTaking
    if case .progress = event { line.isTaking = true } else { line.isTaking = false }
    phase = .open(line)
    return wasTaking
  }

  private mutating func receive(_ message: WAMPMessage, _ now: SessionMoment, _ actions: inout [SessionAction]) {
    switch message {
    case .abort(let reason, let text):
      actions.append(.close(code: CloseCode.normal))
      end(reason, text, now, &actions)
    case .goodbye(let reason):
      actions.append(.send(.goodbye(reason: WAMPMessage.URI.goodbyeAndOut)))
      actions.append(.close(code: CloseCode.normal))
      end(reason, "", now, &actions)
    default:
      if case .open = phase { return answer(message, now, &actions) }
      guard case .welcome = message else { return violation(.violationNoWelcome, now, &actions) }
      welcome(now, &actions)
    }
  }

  private mutating func answer(_ message: WAMPMessage, _ now: SessionMoment, _ actions: inout [SessionAction]) {
    switch message {
    case .invocation(let request, let registration, let payload):
      // Sent in every case: WAMP requires an answer from the callee.
      actions.append(.send(.yield(request: request)))
      guard let subscription = table.owner(of: registration) else {
        counters.unknownInvocations += 1
        return
      }
      if let payload { actions.append(.deliver(subscription, payload)) } else { counters.garbage += 1 }
    case .registered(let request, let registration): table.registered(request, registration, now, &actions)
    case .unregistered(let request): table.unregistered(request, now, &actions)
    case .result(let request, let payload):
      if let payload { table.result(request, payload, &actions) }
    case .error(let type, let request, let uri, let text):
      table.error(type, request, SubscriptionTable.Refusal(uri: uri, text: text), now, &actions)
    case .other: counters.garbage += 1
    case .welcome: violation(.violationSecondWelcome, now, &actions)
    case .hello, .call, .register, .unregister, .yield:
      violation(.violationNotOfServer, now, &actions)
    case .abort, .goodbye: break
    }
  }

  /// Handles the end of the session by the feed.
  private mutating func end(
    _ reason: String, _ text: String, _ now: SessionMoment, _ actions: inout [SessionAction]
  ) {
    if let why = FeedError.terminal(reason, text) { return fail(why, &actions) }
    connectionEnded(.ended(reason, text, realm: realm), retriesAtOnce: false, now, &actions)
  }

  private mutating func violation(_ what: MessageKey, _ now: SessionMoment, _ actions: inout [SessionAction]) {
    counters.violations += 1
    actions.append(.send(.abort(reason: WAMPMessage.URI.protocolViolation, text: "\(LocalizedMessage(what))")))
    actions.append(.close(code: CloseCode.protocolError))
    connectionEnded(.violation(what), retriesAtOnce: false, now, &actions)
  }
}
