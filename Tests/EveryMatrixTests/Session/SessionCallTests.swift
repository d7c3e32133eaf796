import TestSupport
import Testing

@testable import EveryMatrix
@testable import OddsModel

/// The order and the number of a session's calls for dumps.
struct SessionCallTests {
  /// A feed that answers at once, behind a link that carries one dump at a time, in order.
  private struct Link {
    private(set) var harness = SessionMachineHarness()
    private(set) var topicStates: [TopicState] = []
    private(set) var longestPongWait = Duration.zero
    private let dumpTime: Duration
    /// The time until which the link carries the dumps that were sent.
    private var busyUntil = Duration.zero
    private var answers: [(arrival: Duration, event: SessionMachine.LineEvent)] = []
    private var pings: [UInt64: Duration] = [:]

    init(dumpTime: Duration, topicCount: Int) {
      self.dumpTime = dumpTime
      for number in 0..<topicCount { harness.subscribe("/\(number)") }
      perform(harness.open())
    }

    mutating func advance(to end: Duration) {
      while let time = [harness.machine.deadline, answers.first?.arrival].compactMap(\.self).min(), time <= end {
        harness.now = max(harness.now, time)
        guard let answer = answers.first, answer.arrival <= time else {
          perform(harness.apply(.time))
          continue
        }
        answers.removeFirst()
        if case .pong(let number?) = answer.event, let sent = pings[number] {
          longestPongWait = max(longestPongWait, harness.now - sent)
        }
        perform(harness.receiveEvent(answer.event))
      }
      harness.now = end
    }

    private mutating func perform(_ actions: [SessionAction]) {
      topicStates += actions.topicStates
      for action in actions {
        busyUntil = max(busyUntil, harness.now)
        switch action {
        case .send(.register(let request, _)):
          answers.append((busyUntil, .message(.registered(request: request, registration: request))))
        case .send(.call(let request, _, _)):
          busyUntil += dumpTime
          answers.append((busyUntil, .message(.result(request: request, payload: 1..<2))))
        case .ping(let number):
          pings[number] = harness.now
          answers.append((busyUntil, .pong(number)))
        default: break
        }
      }
    }
  }

  /// Returns a session with topics that are registered, and the calls for their dumps.
  private func registered(_ count: Int) -> (SessionMachineHarness, [WAMPMessage]) {
    var harness = SessionMachineHarness()
    for number in 1...count { harness.subscribe("/\(number)") }
    harness.open()
    var calls: [WAMPMessage] = []
    for request in 1...UInt64(count) {
      calls += harness.receiveMessage(.registered(request: request, registration: request)).sent
    }
    return (harness, calls)
  }

  @Test("100 dumps that take 0.2 s each on the link arrive in 20 s: no topic is late, and no ping waits for 3 s")
  func manyTopics() {
    var link = Link(dumpTime: .milliseconds(200), topicCount: 100)
    link.advance(to: .seconds(21))
    #expect(link.topicStates == Array(repeating: TopicState.live, count: 100))
    #expect(link.longestPongWait > .zero && link.longestPongWait < .seconds(3))
    #expect(link.harness.state == .live)
  }

  @Test("Prompt dumps double the number of calls in each round trip, up to 64")
  func roundTrips() {
    var (harness, calls) = registered(200)
    var counts: [Int] = []
    while !calls.isEmpty {
      counts.append(calls.count)
      harness.now += .milliseconds(100)
      var next: [WAMPMessage] = []
      for case .call(let request, _, _) in calls {
        next += harness.receiveMessage(.result(request: request, payload: 1..<2)).sent
      }
      calls = next
    }
    #expect(counts == [4, 8, 16, 32, 64, 64, 12])
  }

  @Test("The dumps of four topics are requested at once, and that of the fifth after the first has arrived")
  func fifthTopic() {
    var (harness, calls) = registered(5)
    #expect(calls == [.dump(6, "/1"), .dump(7, "/2"), .dump(8, "/3"), .dump(9, "/4")])
    let first = SessionMachineHarness.subscription("/1")
    #expect(
      harness.receiveMessage(.result(request: 6, payload: 1..<2)) == [
        .deliver(first, 1..<2), .topic(first, .live), .send(.dump(10, "/5")),
      ])
  }

  @Test("A topic that has failed waits behind those that were not requested yet")
  func failedTopic() {
    var (harness, _) = registered(6)
    let failure = WAMPMessage.failure(WAMPMessage.Code.call, 7, "wamp.error.runtime_error")
    #expect(harness.receiveMessage(failure).sent == [.dump(11, "/5")])
    #expect(harness.advanceAnsweringPings(by: 0.2).isEmpty)
    let next = harness.receiveMessage(.result(request: 8, payload: 1..<2)).sent
    #expect(next == [.dump(12, "/6"), .dump(13, "/1")])
  }

  @Test("The call of a cancelled topic counts until it is answered, or for 10 s")
  func cancelledTopic() {
    for isAnswered in [true, false] {
      var (harness, _) = registered(5)
      #expect(harness.unsubscribe("/1").sent == [.unregister(request: 10, registration: 1)])
      #expect(harness.receiveMessage(.unregistered(request: 10)).sent.isEmpty)
      let next =
        isAnswered
        ? harness.receiveMessage(.result(request: 6, payload: 1..<2)) : harness.advanceAnsweringPings(by: 10)
      #expect(next.sent == [.dump(11, "/5")])
    }
  }

  @Test("A topic that is cancelled while its call waits is not requested")
  func cancelledEarly() {
    var (harness, _) = registered(6)
    #expect(harness.unsubscribe("/5").sent == [.unregister(request: 11, registration: 5)])
    #expect(harness.receiveMessage(.result(request: 7, payload: 1..<2)).sent == [.dump(12, "/6")])
  }

  @Test("A late dump that arrives while the topic's next call waits makes the topic live")
  func lateDump() {
    var (harness, _) = registered(5)
    #expect(harness.advanceAnsweringPings(by: 10).sent == [.dump(10, "/5")])
    #expect(harness.advanceAnsweringPings(by: 1).isEmpty)
    for (request, path) in zip(UInt64(6)..., ["/1", "/2", "/3", "/4"]) {
      let subscription = SessionMachineHarness.subscription(path)
      #expect(
        harness.receiveMessage(.result(request: request, payload: 1..<2)) == [
          .deliver(subscription, 1..<2), .topic(subscription, .live),
        ])
    }
    #expect(harness.receiveMessage(.result(request: 10, payload: 1..<2)).sent.isEmpty)
  }

  @Test("A fresh dump is requested only if another call may be sent")
  func audits() {
    var (harness, _) = registered(5)
    let first = SessionMachineHarness.subscription("/1")
    harness.receiveMessage(.result(request: 6, payload: 1..<2))
    harness.subscribe("/6")
    harness.receiveMessage(.registered(request: 11, registration: 6))
    #expect(harness.machine.requestDump(first, at: harness.moment) == nil)
    harness.receiveMessage(.failure(WAMPMessage.Code.call, 7, "wamp.error.runtime_error"))
    #expect(harness.machine.requestDump(first, at: harness.moment)?.sent == [.dump(13, "/1")])
  }

  @Test("In maintenance, calls that are sent before REGISTERED are limited too, and each topic reports the maintenance")
  func maintenance() {
    var harness = SessionMachineHarness()
    for number in 1...6 { harness.subscribe("/\(number)") }
    harness.open()
    harness.advanceAnsweringPings(by: 10)
    var calls = harness.advanceAnsweringPings(by: 0.2).sent.filter(\.isCall)
    #expect(calls.count == 4)
    var states: [TopicState] = []
    while !calls.isEmpty {
      guard case .call(let request, _, _) = calls.removeFirst() else { continue }
      let actions = harness.receiveMessage(.failure(WAMPMessage.Code.call, request, WAMPMessage.URI.noBackend))
      states += actions.topicStates
      calls += actions.sent
    }
    #expect(states == Array(repeating: TopicState.maintenance(retryAt: 22_200), count: 6))
  }

  @Test(
    "In any order of events, a topic is called once per registration, the limit holds, and no topic waits for ever",
    arguments: Laws.seeds(32))
  func law(seed: UInt64) {
    var simulation = CallSimulation(seed: seed)
    for _ in 0..<400 where simulation.problem == nil { simulation.step() }
    for _ in 0..<400 where simulation.problem == nil { simulation.settle() }
    #expect(simulation.callCount > 20, "seed \(seed)")
    if let problem = simulation.problem ?? simulation.unsettled { Issue.record("seed \(seed): \(problem)") }
  }
}

extension WAMPMessage {
  fileprivate var isCall: Bool { if case .call = self { true } else { false } }
}
