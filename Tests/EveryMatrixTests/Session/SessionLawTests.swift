import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import EveryMatrix

/// A feed that answers requests late, twice, wrongly, or not at all.
private struct CapriciousFeed {
  var isGood = false
  private(set) var registrations: [UInt64: String] = [:]
  private(set) var owed: Set<UInt64> = []
  private var answers: [WAMPMessage] = []
  private var last: UInt64 = 0

  mutating func begin() { self = CapriciousFeed(isGood: isGood) }

  init(isGood: Bool) { self.isGood = isGood }

  mutating func take(_ message: WAMPMessage, _ random: inout SeededRandom) {
    let caprice = isGood ? 9 : Int.random(in: 0..<12, using: &random)
    switch message {
    case .hello: answers.append(.welcome(session: 1))
    case .register(let request, let topic):
      if caprice == 0 { return }
      if caprice == 1 { return answers.append(.failure(WAMPMessage.Code.register, request, WAMPMessage.URI.noBackend)) }
      if caprice == 3 {
        return answers.append(.failure(WAMPMessage.Code.register, request, "wamp.error.runtime_error"))
      }
      if registrations.values.contains(topic) {
        return answers.append(
          .failure(WAMPMessage.Code.register, request, WAMPMessage.URI.procedureAlreadyExists))
      }
      last += 1
      registrations[last] = topic
      // If this answer is lost, the session cannot know of the registration.
      answers.append(.registered(request: request, registration: last))
    case .unregister(let request, let registration):
      registrations[registration] = nil
      if caprice == 0 { return }
      answers.append(.unregistered(request: request))
    case .call(let request, _, _):
      if caprice == 0 { return }
      if caprice == 1 { return answers.append(.failure(WAMPMessage.Code.call, request, WAMPMessage.URI.noBackend)) }
      if caprice == 3 { return answers.append(.failure(WAMPMessage.Code.call, request, "wamp.error.runtime_error")) }
      // An answer without a payload is not a dump.
      if caprice == 4 { return answers.append(.result(request: request, payload: nil)) }
      answers.append(.result(request: request, payload: 1..<2))
      if caprice == 2 { answers.append(.result(request: request, payload: 1..<2)) }
    case .yield(let request):
      #expect(owed.remove(request) != nil)
    default: break
    }
  }

  /// Returns the next message.
  mutating func next() -> WAMPMessage? { answers.isEmpty ? nil : answers.removeFirst() }

  mutating func invocation(_ random: inout SeededRandom) -> WAMPMessage {
    let registration = registrations.keys.sorted().randomElement(using: &random) ?? 99
    last += 1
    owed.insert(last)
    return .invocation(request: last, registration: registration, payload: 1..<2)
  }
}

struct SessionLawTests {
  @Test(
    "After random events, exactly the wanted topics are live; invocations are answered, on one connection at most",
    arguments: 0..<300)
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var bench = SessionBench()
    var feed = CapriciousFeed(isGood: false)
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
          feed.begin()
        case .close:
          #expect(link != nil, "seed \(seed): closed what is not there")
          link = nil
          isOpen = false
        case .send(let message):
          #expect(isOpen, "seed \(seed): sent to nobody")
          feed.take(message, &random)
        case .deliver(let subscription, _):
          #expect(wanted[subscription.topic.path] == subscription.generation, "seed \(seed): delivered to nobody")
        case .ping(let number):
          #expect(isOpen)
          ping = number
        case .line, .topic, .alive: break
        }
      }
    }
    func line(_ event: SessionMachine.LineEvent) {
      guard let number = link else { return }
      var event = event
      if case .message(.result(let request, nil)) = event { event = .noDump(request: request, excerpt: "{}") }
      if case .closed = event { (link, isOpen) = (nil, false) }
      if case .opened = event { isOpen = true }
      perform(bench.happen(.line(event, link: number)))
      #expect(!isOpen || feed.owed.isEmpty, "seed \(seed): an invocation went unanswered")
    }

    perform(bench.happen(.start))
    for _ in 0..<400 {
      bench.chance = Double.random(in: 0...1, using: &random)
      let path = "/\(Int.random(in: 0..<4, using: &random))"
      switch Int.random(in: 0..<32, using: &random) {
      case 0..<3:
        generation += 1
        wanted[path] = generation
        perform(bench.subscribe(path, generation))
      case 3..<6:
        guard let old = wanted.removeValue(forKey: path) else { continue }
        perform(bench.unsubscribe(path, old))
      case 6: perform(bench.happen(.reconnect))
      case 7: line(SessionBench.lost([.lost, .unreachable, .closed(code: 1001)].randomElement(using: &random)!))
      case 8: line(.garbage)
      case 9..<11: line(.pong(ping))
      case 11..<14:
        if isOpen, case .live = bench.state { line(.message(feed.invocation(&random))) }
      case 14: if let number = link { _ = bench.happen(.line(.pong(ping), link: number - 1)) }
      case 15..<18:
        bench.now += .seconds(Double.random(in: 0...6, using: &random))
        perform(bench.happen(.time))
      case 18..<21: if link != nil, !isOpen { line(.opened) }
      case 21:
        if isOpen, Int.random(in: 0..<4, using: &random) == 0 { line(.message(.goodbye(reason: "x"))) }
      case 22: if isOpen, Int.random(in: 0..<4, using: &random) == 0 { line(.message(.hello(realm: "x"))) }
      case 24:
        if isOpen, Int.random(in: 0..<4, using: &random) == 0 {
          line(.message(.abort(reason: WAMPMessage.URI.notAuthorized, text: "")))
        }
      case 23:
        if let subscription = wanted.randomElement(using: &random) {
          let asked = SessionBench.subscription(subscription.key, subscription.value)
          perform(bench.machine.requestDump(asked, at: bench.moment) ?? [])
        }
      default: if isOpen, let message = feed.next() { line(.message(message)) }
      }
    }

    feed.isGood = true
    if case .failed = bench.state { perform(bench.happen(.reconnect)) }
    for _ in 0..<2000 {
      if link != nil, !isOpen { line(.opened) }
      while isOpen, let message = feed.next() { line(.message(message)) }
      bench.now += .milliseconds(500)
      perform(bench.happen(.time))
      line(.pong(ping))
    }
    #expect(bench.state == .live, "seed \(seed)")
    #expect(Set(feed.registrations.values) == Set(wanted.keys), "seed \(seed)")
    #expect(feed.registrations.count == wanted.count, "seed \(seed)")
    let live = bench.machine.table.entries.filter { $0.published == .live }.compactMap(\.wanted)
    #expect(live.count == wanted.count, "seed \(seed): \(bench.machine.table.entries)")
    #expect(live.allSatisfy { wanted[$0.topic.path] == $0.generation }, "seed \(seed)")
    perform(bench.happen(.disconnect))
    #expect(link == nil && bench.machine.deadline == nil)
  }
}
