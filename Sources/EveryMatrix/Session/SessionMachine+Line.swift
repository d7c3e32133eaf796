import Localization
import OddsFeed
import OddsModel
import Platform

// Events of the connection.
extension SessionMachine {
  mutating func apply(_ event: LineEvent, _ step: inout SessionStep) {
    guard isCurrent(link) else { return }
    let (wasArriving, isAlive) = arriving(event, at: step.now.uptime)
    switch event {
    case .opened: return shakeHands(&step)
    case .message(let message):
      signOfLife()
      receive(message, &step)
    case .noDump(let request, let excerpt):
      signOfLife()
      counters.garbage += 1
      table.noDump(request, excerpt, &step)
    case .garbage:
      signOfLife()
      counters.garbage += 1
    case .pong(let number):
      signOfLife()
      if answerPing(number, at: step.now.uptime) { step.actions.append(.alive) }
    // NB: Progress is not reported as `.alive`, because price updates are delayed behind the unfinished message.
    case .progress:
      guard isAlive else { return }
      signOfLife()
      if wasArriving { table.answerIsOnItsWay(step.now) }
    case .closed(let fault):
      connectionEnded(
        fault.problem, retriesAtOnce: true, isTerminal: fault.isTerminal, retryAfter: fault.retryAfter, &step)
    }
  }

  /// Records the partial arrival of a message, or its end.
  ///
  /// - Returns: `wasArriving` is true if a part of a message had arrived before. `isAlive` is false if the message
  ///   takes too long to be a sign of life.
  private mutating func arriving(_ event: LineEvent, at now: Duration) -> (wasArriving: Bool, isAlive: Bool) {
    guard case .open(var connection) = phase else { return (false, true) }
    let wasArriving = connection.unfinished.hasBegun
    var isAlive = true
    if case .progress = event {
      isAlive = connection.unfinished.partArrived(at: now)
    } else {
      connection.unfinished.reset()
    }
    phase = .open(connection)
    return (wasArriving, isAlive)
  }

  private mutating func receive(_ message: WAMPMessage, _ step: inout SessionStep) {
    switch message {
    case .abort(let reason, let text):
      step.actions.append(.close(code: CloseCode.normal))
      end(reason, text, &step)
    case .goodbye(let reason):
      step.actions.append(.send(.goodbye(reason: WAMPMessage.URI.goodbyeAndOut)))
      step.actions.append(.close(code: CloseCode.normal))
      end(reason, "", &step)
    default:
      if case .open = phase { return answer(message, &step) }
      guard case .welcome = message else { return violation(.violationNoWelcome, &step) }
      welcome(&step)
    }
  }

  private mutating func answer(_ message: WAMPMessage, _ step: inout SessionStep) {
    switch message {
    case .invocation(let request, let registration, let payload):
      // Sent in every case: WAMP requires an answer from the callee.
      step.actions.append(.send(.yield(request: request)))
      guard let subscription = table.owners[registration] else {
        counters.unknownInvocations += 1
        return
      }
      if let payload { step.actions.append(.deliver(subscription, payload)) } else { counters.garbage += 1 }
    case .registered(let request, let registration): table.registered(request, registration, &step)
    case .unregistered(let request): table.unregistered(request, &step)
    case .result(let request, let payload):
      if let payload { table.result(request, payload, &step) }
    case .error(let type, let request, let uri, let text):
      table.error(type, request, SubscriptionTable.Refusal(uri: uri, text: text), &step)
    case .other: counters.garbage += 1
    case .welcome: violation(.violationSecondWelcome, &step)
    case .hello, .call, .register, .unregister, .yield:
      violation(.violationNotOfServer, &step)
    case .abort, .goodbye: break
    }
  }

  /// Handles the end of the session by the feed.
  private mutating func end(_ reason: String, _ text: String, _ step: inout SessionStep) {
    let terminal = FeedError.terminal(reason, text)
    let why = terminal ?? .ended(reason, text, realm: realm)
    connectionEnded(named(why), retriesAtOnce: false, isTerminal: terminal != nil, &step)
  }

  private mutating func violation(_ what: MessageKey, _ step: inout SessionStep) {
    counters.violations += 1
    step.actions.append(.send(.abort(reason: WAMPMessage.URI.protocolViolation, text: "\(LocalizedMessage(what))")))
    step.actions.append(.close(code: CloseCode.protocolError))
    connectionEnded(named(.violation(what)), retriesAtOnce: false, &step)
  }
}
