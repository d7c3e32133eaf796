import Testing

@testable import EveryMatrix
@testable import OddsModel

/// Topics whose dump is missing, while their calls are open or wait for their turn.
struct LateDumpTests {
  /// Registers topics in a session that is open. The calls for the dumps of the first four are sent.
  private func register(_ count: Int, _ harness: inout SessionMachineHarness) {
    for request in 1...UInt64(count) { harness.receiveMessage(.registered(request: request, registration: request)) }
  }

  /// Returns a session with topics that are registered.
  private func registered(_ count: Int) -> SessionMachineHarness {
    var harness = SessionMachineHarness()
    for number in 1...count { harness.subscribe("/\(number)") }
    harness.open()
    register(count, &harness)
    return harness
  }

  private func late(_ count: Int) -> [TopicState] { Array(repeating: .late, count: count) }

  @Test("A topic is late 10 s after its registration although its call waits, and keeps its turn")
  func waiting() {
    var harness = registered(6)
    #expect(harness.advanceAnsweringPings(by: 9.5).isEmpty)
    let actions = harness.advanceAnsweringPings(by: 0.5)
    #expect(actions.topicStates == late(6))
    #expect(actions.sent == [.dump(11, "/5")])
    let fifth = SessionMachineHarness.subscription("/5")
    let live = harness.receiveMessage(.result(request: 11, payload: 1..<2))
    #expect(live == [.deliver(fifth, 1..<2), .topic(fifth, .live), .send(.dump(12, "/6"))])
  }

  @Test("A topic whose call was sent after 9 s is late 1 s later, and the call is not repeated before its own time")
  func calledLater() {
    var harness = registered(5)
    harness.advanceAnsweringPings(by: 9)
    let failure = WAMPMessage.failure(WAMPMessage.Code.call, 6, "wamp.error.runtime_error")
    #expect(harness.receiveMessage(failure).sent == [.dump(10, "/5")])
    let actions = harness.advanceAnsweringPings(by: 1)
    #expect(actions.topicStates == late(4))
    #expect(actions.sent.isEmpty)
    #expect(harness.advanceAnsweringPings(by: 8).isEmpty)
    #expect(harness.receiveMessage(.result(request: 10, payload: 1..<2)).topicStates == [.live])
  }

  @Test("Recovery ends when all topics are late, also those whose calls wait")
  func recovery() {
    var harness = registered(6)
    harness.advanceAnsweringPings(by: 4)
    harness.receiveEvent(SessionMachineHarness.lost())
    harness.receiveEvent(.opened)
    harness.receiveMessage(.welcome(session: 2))
    register(6, &harness)
    #expect(harness.state == .recovering)
    #expect(harness.advanceAnsweringPings(by: 9.5).isEmpty)
    let actions = harness.advanceAnsweringPings(by: 0.5)
    #expect(actions.topicStates == late(6))
    #expect(actions.connectionStates == [.live])
  }

  @Test("While a long message arrives, no topic is late")
  func longMessage() {
    var harness = registered(5)
    harness.advanceAnsweringPings(by: 9)
    for _ in 0..<2 { harness.receiveEvent(.progress) }
    #expect(harness.advanceAnsweringPings(by: 9.5).isEmpty)
    #expect(harness.advanceAnsweringPings(by: 0.5).topicStates == late(5))
  }

  @Test("A new subscription of a topic whose call waits is late 10 s after it began")
  func takenOver() {
    var harness = registered(5)
    harness.advanceAnsweringPings(by: 6)
    #expect(harness.subscribe("/5", 2).isEmpty)
    #expect(harness.advanceAnsweringPings(by: 4).topicStates == late(4))
    #expect(harness.advanceAnsweringPings(by: 5.5).topicStates.isEmpty)
    let actions = harness.advanceAnsweringPings(by: 0.5)
    #expect(actions == [.topic(SessionMachineHarness.subscription("/5", 2), .late)])
  }

  @Test("A topic that has failed and waits for its turn again is late, too")
  func failed() {
    var harness = registered(5)
    harness.receiveMessage(.failure(WAMPMessage.Code.call, 6, "wamp.error.runtime_error"))
    #expect(harness.advanceAnsweringPings(by: 10).topicStates == late(4))
    let actions = harness.advanceAnsweringPings(by: 0.2)
    #expect(actions == [.topic(SessionMachineHarness.subscription("/1"), .late)])
  }
}
