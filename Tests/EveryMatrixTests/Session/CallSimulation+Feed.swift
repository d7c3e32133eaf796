import TestSupport

@testable import EveryMatrix

// The feed, and the calls that the session may send to it.
extension CallSimulation {
  mutating func receive(_ message: WAMPMessage, isAudit: Bool) {
    switch message {
    case .register(_, let path): currentCalls[path] = nil
    case .unregister(_, let registration):
      if let path = registrations.removeValue(forKey: registration) { currentCalls[path] = nil }
    case .call(let request, _, let path?):
      openCalls[request] = harness.now
      callCount += 1
      if openCalls.count > limit { problem = "'\(openCalls.count)' calls are open, the limit is '\(limit)'" }
      if isAudit { break }
      if liveTopics.contains(path) || currentCalls[path] != nil { problem = "\(path) is called again" }
      currentCalls[path] = request
    default: return
    }
    requests.append(Request(message: message, sent: harness.now))
  }

  mutating func answerAny() {
    guard let index = requests.indices.randomElement(using: &random) else { return }
    answer(requests.remove(at: index).message)
  }

  mutating func answer(_ message: WAMPMessage) {
    let behavior = isReliable ? 9 : Int.random(in: 0..<10, using: &random)
    switch message {
    case .register(let request, _) where behavior < 2:
      let uri = behavior == 0 ? WAMPMessage.URI.noBackend : "wamp.error.runtime_error"
      perform(harness.receiveMessage(.failure(WAMPMessage.Code.register, request, uri)))
    case .register(let request, let path):
      lastNumber += 1
      registrations[lastNumber] = path
      perform(harness.receiveMessage(.registered(request: request, registration: lastNumber)))
    case .unregister(let request, _): perform(harness.receiveMessage(.unregistered(request: request)))
    case .call(_, _, let path?) where behavior == 0 || Self.silentTopics.contains(path): break
    case .call(let request, _, _) where behavior < 3:
      callEnded(request, withDump: false)
      let uri = behavior == 1 ? WAMPMessage.URI.noBackend : "wamp.error.runtime_error"
      perform(harness.receiveMessage(.failure(WAMPMessage.Code.call, request, uri)))
    case .call(let request, _, _) where behavior == 3:
      callEnded(request, withDump: false)
      perform(harness.receiveEvent(.noDump(request: request, excerpt: "{}")))
    case .call(let request, _, _):
      callEnded(request, withDump: true)
      perform(harness.receiveMessage(.result(request: request, payload: 1..<2)))
    default: break
    }
  }

  // MARK: The expectations

  mutating func forget(_ path: String) {
    currentCalls[path] = nil
    liveTopics.remove(path)
  }

  private mutating func callEnded(_ request: UInt64, withDump isDump: Bool) {
    currentCalls = currentCalls.filter { $0.value != request }
    let wasFull = openCalls.count >= limit
    guard let sent = openCalls.removeValue(forKey: request), isDump else { return }
    if harness.now - sent > .seconds(1) {
      limit = max(1, limit / 2)
    } else if wasFull {
      limit = min(64, limit + 1)
    }
  }

  mutating func expireCalls() {
    for (request, sent) in openCalls where harness.now - sent >= Self.timeout {
      callEnded(request, withDump: false)
      limit = max(1, limit / 2)
    }
  }
}
