import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import EveryMatrix

/// A feed that answers requests late, twice, wrongly, or not at all.
private struct UnreliableFeed {
  var isReliable = false
  private(set) var registrations: [UInt64: String] = [:]
  private(set) var unansweredInvocations: Set<UInt64> = []
  private var answers: [WAMPMessage] = []
  private var lastID: UInt64 = 0

  mutating func reset() { self = UnreliableFeed(isReliable: isReliable) }

  init(isReliable: Bool) { self.isReliable = isReliable }

  mutating func receive(_ message: WAMPMessage, _ random: inout SeededRandom) {
    let behavior = isReliable ? 9 : Int.random(in: 0..<12, using: &random)
    switch message {
    case .hello: answers.append(.welcome(session: 1))
    case .register(let request, let topic):
      if behavior == 0 { return }
      if behavior == 1 {
        return answers.append(.failure(WAMPMessage.Code.register, request, WAMPMessage.URI.noBackend))
      }
      if behavior == 3 {
        return answers.append(.failure(WAMPMessage.Code.register, request, "wamp.error.runtime_error"))
      }
      if registrations.values.contains(topic) {
        return answers.append(
          .failure(WAMPMessage.Code.register, request, WAMPMessage.URI.procedureAlreadyExists))
      }
      lastID += 1
      registrations[lastID] = topic
      // If this answer is lost, the session cannot know of the registration.
      answers.append(.registered(request: request, registration: lastID))
    case .unregister(let request, let registration):
      registrations[registration] = nil
      if behavior == 0 { return }
      answers.append(.unregistered(request: request))
    case .call(let request, _, _):
      if behavior == 0 { return }
      if behavior == 1 { return answers.append(.failure(WAMPMessage.Code.call, request, WAMPMessage.URI.noBackend)) }
      if behavior == 3 { return answers.append(.failure(WAMPMessage.Code.call, request, "wamp.error.runtime_error")) }
      // An answer without a payload is not a dump.
      if behavior == 4 { return answers.append(.result(request: request, payload: nil)) }
      answers.append(.result(request: request, payload: 1..<2))
      if behavior == 2 { answers.append(.result(request: request, payload: 1..<2)) }
    case .yield(let request):
      #expect(unansweredInvocations.remove(request) != nil)
    default: break
    }
  }

  /// Returns the next message.
  mutating func next() -> WAMPMessage? { answers.isEmpty ? nil : answers.removeFirst() }

  mutating func invocation(_ random: inout SeededRandom) -> WAMPMessage {
    let registration = registrations.keys.sorted().randomElement(using: &random) ?? 99
    lastID += 1
    unansweredInvocations.insert(lastID)
    return .invocation(request: lastID, registration: registration, payload: 1..<2)
  }
}

struct SessionLawTests {
  @Test(
    "After random events, exactly the wanted topics are live; invocations are answered, on one connection at most",
    arguments: 0..<300)
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var harness = SessionMachineHarness()
    var feed = UnreliableFeed(isReliable: false)
    /// The number of the open or pending connection; nil if there is none.
    var link: Int?
    var isOpen = false
    /// The number of the last ping.
    var ping: UInt64?
    var wanted: [String: UInt64] = [:]
    var generation: UInt64 = 0

    func perform(_ actions: [SessionAction]) {
      for action in actions {
        switch action {
        case .connect(let number):
          #expect(link == nil, "seed \(seed): a second connection")
          link = number
          isOpen = false
          feed.reset()
        case .close:
          #expect(link != nil, "seed \(seed): closed what is not there")
          link = nil
          isOpen = false
        case .send(let message):
          #expect(isOpen, "seed \(seed): sent to nobody")
          feed.receive(message, &random)
        case .deliver(let subscription, _):
          #expect(wanted[subscription.topic.path] == subscription.generation, "seed \(seed): delivered to nobody")
        case .ping(let number):
          #expect(isOpen)
          ping = number
        case .line, .topic, .alive: break
        }
      }
    }
    func receiveEvent(_ event: SessionMachine.LineEvent) {
      guard let number = link else { return }
      var event = event
      if case .message(.result(let request, nil)) = event { event = .noDump(request: request, excerpt: "{}") }
      if case .closed = event { (link, isOpen) = (nil, false) }
      if case .opened = event { isOpen = true }
      perform(harness.apply(.line(event, link: number)))
      #expect(!isOpen || feed.unansweredInvocations.isEmpty, "seed \(seed): an invocation went unanswered")
    }

    perform(harness.apply(.start))
    for _ in 0..<400 {
      harness.chance = Double.random(in: 0...1, using: &random)
      let path = "/\(Int.random(in: 0..<4, using: &random))"
      switch Int.random(in: 0..<32, using: &random) {
      case 0..<3:
        generation += 1
        wanted[path] = generation
        perform(harness.subscribe(path, generation))
      case 3..<6:
        guard let old = wanted.removeValue(forKey: path) else { continue }
        perform(harness.unsubscribe(path, old))
      case 6: perform(harness.apply(.reconnect))
      case 7:
        receiveEvent(
          SessionMachineHarness.lost([.lost, .unreachable, .closed(code: 1001)].randomElement(using: &random)!))
      case 8: receiveEvent(.garbage)
      case 9..<11: receiveEvent(.pong(ping))
      case 11..<14:
        if isOpen, case .live = harness.state { receiveEvent(.message(feed.invocation(&random))) }
      case 14: if let number = link { _ = harness.apply(.line(.pong(ping), link: number - 1)) }
      case 15..<18:
        harness.now += .seconds(Double.random(in: 0...6, using: &random))
        perform(harness.apply(.time))
      case 18..<21: if link != nil, !isOpen { receiveEvent(.opened) }
      case 21:
        if isOpen, Int.random(in: 0..<4, using: &random) == 0 { receiveEvent(.message(.goodbye(reason: "x"))) }
      case 22: if isOpen, Int.random(in: 0..<4, using: &random) == 0 { receiveEvent(.message(.hello(realm: "x"))) }
      case 24:
        if isOpen, Int.random(in: 0..<4, using: &random) == 0 {
          receiveEvent(.message(.abort(reason: WAMPMessage.URI.notAuthorized, text: "")))
        }
      case 23:
        if let subscription = wanted.randomElement(using: &random) {
          let requested = SessionMachineHarness.subscription(subscription.key, subscription.value)
          perform(harness.machine.requestDump(requested, at: harness.moment) ?? [])
        }
      default: if isOpen, let message = feed.next() { receiveEvent(.message(message)) }
      }
    }

    feed.isReliable = true
    if case .failed = harness.state { perform(harness.apply(.reconnect)) }
    for _ in 0..<2000 {
      if link != nil, !isOpen { receiveEvent(.opened) }
      while isOpen, let message = feed.next() { receiveEvent(.message(message)) }
      harness.now += .milliseconds(500)
      perform(harness.apply(.time))
      receiveEvent(.pong(ping))
    }
    #expect(harness.state == .live, "seed \(seed)")
    #expect(Set(feed.registrations.values) == Set(wanted.keys), "seed \(seed)")
    #expect(feed.registrations.count == wanted.count, "seed \(seed)")
    let live = harness.machine.table.entries.filter { $0.published == .live }.compactMap(\.wanted)
    #expect(live.count == wanted.count, "seed \(seed): \(harness.machine.table.entries)")
    #expect(live.allSatisfy { wanted[$0.topic.path] == $0.generation }, "seed \(seed)")
    perform(harness.apply(.disconnect))
    #expect(link == nil && harness.machine.deadline == nil)
  }
}
