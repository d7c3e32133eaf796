import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

/// Topics of a relay whose first dump is awaited.
struct RelayPendingTests {
  private static let opened = Subscription(topic: Topic(path: "/open"), generation: 1)
  private static let awaited = Subscription(topic: Topic(path: "/awaited"), generation: 2)
  private static let dump = FeedText.dump(FeedText.football())
  private static let refusal = TopicError.refused("its dump ends the connection to the upstream feed")
  private let loss: [RelayMachine.Action] = [.unsubscribe(Self.opened), .lost(Self.opened.topic), .available(false)]

  private func frame(_ subscription: Subscription, _ text: String = Self.dump, delay: Int = 0) -> TransportEvent {
    .frame(TransportFrame(subscription: subscription, bytes: Array(text.utf8), delay: .seconds(delay)))
  }

  /// Returns a machine with an open topic and one whose dump is awaited.
  private func requested() -> RelayMachine {
    var machine = RelayMachine { 0.5 }
    #expect(machine.receive(.state(.live), now: .zero) == [.available(true)])
    #expect(machine.open(Self.opened.topic, now: .zero) == [.subscribe(Self.opened)])
    #expect(machine.receive(frame(Self.opened), now: .zero) == [.opened(Self.opened.topic)])
    #expect(machine.open(Self.awaited.topic, now: .zero) == [.subscribe(Self.awaited)])
    return machine
  }

  /// Returns the machine of `requested` after a silence of 8 s, which loses the open topic.
  private func silenced() -> RelayMachine {
    var machine = requested()
    #expect(machine.advance(to: .seconds(8)) == loss)
    return machine
  }

  @Test("A silence does not end a topic whose dump is awaited; a sign of life after the dump opens it")
  func longDump() {
    let opening: [RelayMachine.Action] = [.available(true), .opened(Self.awaited.topic)]
    var machine = silenced()
    #expect(machine.receive(frame(Self.awaited, delay: 4), now: .seconds(12)) == opening)
    machine = silenced()
    #expect(machine.receive(frame(Self.awaited, delay: 6), now: .seconds(12)) == [])
    #expect(machine.moment(of: Self.awaited.topic) == nil)
    #expect(machine.dump(of: Self.awaited.topic) == nil)
    let update = FeedText.update(FeedText.odds(121, "2.5"))
    #expect(machine.receive(frame(Self.awaited, update, delay: 6), now: .seconds(12)) == [])
    // No audit begins while the upstream feed is not available.
    #expect(machine.advance(to: .seconds(100)) == [])
    #expect(machine.receive(.alive(), now: .seconds(100)) == opening)
    #expect(machine.moment(of: Self.awaited.topic) != nil)
    #expect(machine.dump(of: Self.awaited.topic) != nil)
  }

  @Test("A dump that is too old loses the open topics only, and is sent after the next sign of life")
  func outdatedDump() {
    var machine = requested()
    #expect(machine.receive(frame(Self.awaited, delay: 6), now: .seconds(7)) == loss)
    let opening: [RelayMachine.Action] = [.available(true), .opened(Self.awaited.topic)]
    #expect(machine.receive(.alive(), now: .seconds(7)) == opening)
  }

  @Test("A topic whose dump arrived during a silence fails if it or the connection ends before a sign of life")
  func unavailable() {
    let end: [RelayMachine.Action] = [.unsubscribe(Self.awaited), .failed(Self.awaited.topic, .lost)]
    let error = FeedError("the token is refused", remedy: "use another")
    for state in [ConnectionState.connecting(attempt: 1), .failed(error)] {
      var machine = silenced()
      #expect(machine.receive(frame(Self.awaited, delay: 6), now: .seconds(12)) == [])
      let isFinal = state == .failed(error)
      #expect(machine.receive(.state(state), now: .seconds(13)) == (isFinal ? end : []))
      #expect(machine.advance(to: .seconds(14)) == (isFinal ? [] : end))
    }
    var machine = silenced()
    #expect(machine.receive(frame(Self.awaited, delay: 6), now: .seconds(12)) == [])
    #expect(machine.receive(.topic(Self.awaited, .maintenance(retryAt: 9)), now: .seconds(13)) == end)
  }

  /// Loses the connection and connects again at once. The open topic gets its dump then, if `isWorking`. Returns the
  /// actions of the loss.
  private func reconnect(
    _ machine: inout RelayMachine, at now: Duration, isWorking: Bool = true
  ) -> [RelayMachine.Action] {
    let actions = machine.receive(.state(.connecting(attempt: 1)), now: now)
    #expect(machine.receive(.state(.recovering), now: now) == [])
    if isWorking { #expect(machine.receive(frame(Self.opened), now: now).count == 1) }
    return actions
  }

  @Test("A topic whose dump was the next to arrive at two losses of the connection is refused for 10 minutes")
  func fatalDump() {
    let behind = Subscription(topic: Topic(path: "/behind"), generation: 3)
    var machine = requested()
    #expect(machine.open(behind.topic, now: .zero) == [.subscribe(behind)])
    #expect(reconnect(&machine, at: .seconds(1)) == [])
    let refusal = RelayMachine.Action.failed(Self.awaited.topic, Self.refusal)
    #expect(reconnect(&machine, at: .seconds(2)) == [.unsubscribe(Self.awaited), refusal])
    #expect(machine.contains(behind.topic))
    #expect(machine.open(Self.awaited.topic, now: .seconds(2)) == [refusal])
    for second in stride(from: 5, through: 600, by: 5) { _ = machine.receive(.alive(), now: .seconds(second)) }
    #expect(machine.open(Self.awaited.topic, now: .seconds(601)) == [refusal])
    let again = Subscription(topic: Self.awaited.topic, generation: 4)
    #expect(machine.open(Self.awaited.topic, now: .seconds(602)) == [.subscribe(again)])
    let text = "topic '/awaited' is refused (its dump ends the connection to the upstream feed)"
    #expect(Self.refusal.problem(Self.awaited.topic) == text)
  }

  @Test("A topic is not refused if its dump arrived between the losses, or if nothing arrived on later connections")
  func innocentDump() {
    var machine = requested()
    #expect(reconnect(&machine, at: .seconds(1)) == [])
    #expect(machine.receive(frame(Self.awaited), now: .seconds(1)) == [.opened(Self.awaited.topic)])
    #expect(machine.close(Self.awaited.topic) == [.unsubscribe(Self.awaited)])
    let again = Subscription(topic: Self.awaited.topic, generation: 3)
    #expect(machine.open(again.topic, now: .seconds(1)) == [.subscribe(again)])
    #expect(reconnect(&machine, at: .seconds(2)) == [])
    machine = requested()
    for _ in 0..<10 { #expect(reconnect(&machine, at: .seconds(1), isWorking: false) == []) }
    #expect(machine.contains(Self.awaited.topic))
  }

  private func subscription(_ generation: UInt64) -> Subscription {
    Subscription(topic: Self.awaited.topic, generation: generation)
  }

  /// Opens a connection and then, after the answer to a ping if it `works`, a topic. Returns the actions of the loss of
  /// the connection while the topic's dump is awaited.
  private func lose(
    _ machine: inout RelayMachine, _ generation: UInt64, at now: Duration, works: Bool
  ) -> [RelayMachine.Action] {
    _ = machine.receive(.state(.recovering), now: now)
    if works { _ = machine.receive(.alive(), now: now) }
    #expect(machine.open(Self.awaited.topic, now: now) == [.subscribe(subscription(generation))])
    return machine.receive(.state(.connecting(attempt: 1)), now: now)
  }

  @Test("An only topic whose dump ends every connection is refused after two connections that answered a ping")
  func onlyTopic() {
    var machine = RelayMachine { 0.5 }
    func end(_ generation: UInt64, _ error: TopicError) -> [RelayMachine.Action] {
      [.unsubscribe(subscription(generation)), .failed(Self.awaited.topic, error)]
    }
    #expect(lose(&machine, 1, at: .zero, works: false) == end(1, .lost))
    #expect(machine.receive(.state(.recovering), now: .zero) == [])
    // The topic waits for a connection that works.
    #expect(machine.open(Self.awaited.topic, now: .zero) == [.failed(Self.awaited.topic, .lost)])
    #expect(lose(&machine, 2, at: .seconds(5), works: true) == [])
    // The session requests the topic again on the next connection.
    #expect(machine.receive(.state(.recovering), now: .seconds(5)) == [])
    #expect(machine.receive(.state(.connecting(attempt: 1)), now: .seconds(5)) == end(2, .lost))
    #expect(lose(&machine, 3, at: .seconds(10), works: true) == end(3, Self.refusal))
    #expect(machine.receive(.state(.recovering), now: .seconds(10)) == [])
    #expect(machine.receive(.alive(), now: .seconds(10)) == [])
    #expect(machine.open(Self.awaited.topic, now: .seconds(10)) == [.failed(Self.awaited.topic, Self.refusal)])
  }

  @Test("No topic is refused because connections end before anything has arrived on them")
  func failingUpstream() {
    var machine = RelayMachine { 0.5 }
    #expect(lose(&machine, 1, at: .zero, works: false).last == .failed(Self.awaited.topic, .lost))
    for _ in 0..<10 {
      #expect(machine.receive(.state(.recovering), now: .zero) == [])
      #expect(machine.receive(.state(.connecting(attempt: 1)), now: .zero) == [])
    }
    #expect(machine.receive(.state(.recovering), now: .zero) == [])
    #expect(machine.receive(.alive(), now: .zero) == [])
    #expect(machine.open(Self.awaited.topic, now: .zero) == [.subscribe(subscription(2))])
    #expect(machine.receive(frame(subscription(2)), now: .zero) == [.opened(Self.awaited.topic)])
  }
}
