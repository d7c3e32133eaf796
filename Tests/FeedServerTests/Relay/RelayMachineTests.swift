import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

struct RelayMachineTests {
  static let topic = Topic(path: "/test")
  let dump = FeedText.dump(FeedText.football())

  func frame(_ text: String, generation: UInt64 = 1) -> TransportEvent {
    .frame(TransportFrame(subscription: Self.subscription(generation), bytes: Array(text.utf8)))
  }

  /// The answer to a request for a fresh dump.
  func answer(_ text: String) -> TransportEvent {
    var frame = TransportFrame(subscription: Self.subscription(1), bytes: Array(text.utf8))
    frame.isAnswer = true
    return .frame(frame)
  }

  static func subscription(_ generation: UInt64) -> Subscription {
    Subscription(topic: topic, generation: generation)
  }

  /// A machine with an open topic.
  func opened() -> RelayMachine {
    var machine = RelayMachine { 0.5 }
    #expect(machine.receive(.state(.live), now: .zero) == [.available(true)])
    #expect(machine.open(Self.topic, now: .zero) == [.subscribe(Self.subscription(1))])
    #expect(machine.receive(frame(dump), now: .zero) == [.opened(Self.topic)])
    return machine
  }

  private func delayed(_ seconds: Int) -> TransportEvent {
    let update = Array(FeedText.update(FeedText.odds(121, "2.5")).utf8)
    return .frame(TransportFrame(subscription: Self.subscription(1), bytes: update, delay: .seconds(seconds)))
  }

  @Test("A delayed frame counts as a sign of life at its sending time")
  func delayedFrames() {
    for (delay, end) in [(0, 15), (5, 10)] {
      var machine = opened()
      _ = machine.receive(delayed(delay), now: .seconds(7))
      _ = machine.advance(to: .seconds(end) - .milliseconds(1))
      #expect(machine.isAvailable, "delay \(delay)")
      _ = machine.advance(to: .seconds(end))
      #expect(!machine.isAvailable, "delay \(delay)")
    }
    var machine = opened()
    for delay in [0, 5] { _ = machine.receive(delayed(delay), now: .seconds(7)) }
    _ = machine.advance(to: .milliseconds(14_999))
    #expect(machine.isAvailable)
  }

  @Test(
    "The age of open topics is counted from the last sign of life, after a loss from the one before it until a dump")
  func age() {
    var machine = opened()
    #expect(machine.age(now: .seconds(2)) == .seconds(2))
    _ = machine.receive(.alive(), now: .seconds(2))
    #expect(machine.age(now: .seconds(7)) == .seconds(5))
    _ = machine.receive(.state(.connecting(attempt: 1)), now: .seconds(7))
    // A new connection is a sign of life, but the topic has the state from before until its dump arrives.
    _ = machine.receive(.state(.recovering), now: .milliseconds(7500))
    #expect(machine.age(now: .milliseconds(7500)) == .milliseconds(5500))
    _ = machine.receive(frame(dump), now: .milliseconds(7700))
    #expect(machine.age(now: .milliseconds(7700)) == .zero)
    _ = machine.receive(delayed(2), now: .seconds(9))
    #expect(machine.age(now: .seconds(9)) == .milliseconds(1300))
    _ = machine.receive(delayed(1), now: .seconds(9))
    #expect(machine.age(now: .seconds(9)) == .seconds(1))
  }

  private func frame(delay: Int, completeUntil: Duration) -> TransportEvent {
    let bytes = Array(update(1_750_752_646_200, odds: 5).utf8)
    var frame = TransportFrame(subscription: Self.subscription(1), bytes: bytes, delay: .seconds(delay))
    frame.completeUntil = completeUntil
    return .frame(frame)
  }

  @Test("The age of open topics is counted from the last answered ping, and at 11 s they are lost")
  func dataAge() {
    #expect(RelayLimits().maxDataAge == RelayLimits().maxAge + .seconds(5))
    var machine = opened()
    #expect(machine.receive(.alive(receivedAt: .seconds(7), completeUntil: .seconds(5)), now: .seconds(7)) == [])
    #expect(machine.age(now: .seconds(7)) == .seconds(2))
    #expect(machine.receive(frame(delay: 2, completeUntil: .seconds(5)), now: .seconds(12)).count == 1)
    #expect(machine.age(now: .seconds(12)) == .seconds(7))
    #expect(machine.advance(to: .milliseconds(15_999)) == [])
    let loss = machine.advance(to: .seconds(16))
    #expect(loss == [.unsubscribe(Self.subscription(1)), .lost(Self.topic), .available(false)])
    #expect(machine.receive(frame(delay: 5, completeUntil: .seconds(5)), now: .seconds(16)) == [])
    let answer = TransportEvent.alive(receivedAt: .seconds(16), completeUntil: .seconds(10))
    #expect(machine.receive(answer, now: .seconds(16)) == [.available(true)])
  }

  @Test("If the begin of a connection has waited in the process, the first message corrects the age")
  func waitingConnection() {
    var machine = RelayMachine { 0.5 }
    #expect(machine.receive(.state(.live), now: .seconds(4)) == [.available(true)])
    #expect(machine.receive(frame(delay: 0, completeUntil: .seconds(1)), now: .seconds(4)) == [])
    #expect(machine.age(now: .seconds(4)) == .seconds(3))
  }

  @Test("After a loss of the connection, a topic whose state is 11 s old is lost before its time for a dump is over")
  func oldState() {
    var machine = opened()
    for second in [5, 10] {
      #expect(machine.receive(frame(delay: second - 5, completeUntil: .zero), now: .seconds(second)).count == 1)
    }
    _ = machine.receive(.state(.connecting(attempt: 1)), now: .milliseconds(10_500))
    _ = machine.receive(.state(.recovering), now: .milliseconds(10_600))
    #expect(machine.advance(to: .milliseconds(10_999)) == [])
    #expect(machine.advance(to: .seconds(11)) == [.unsubscribe(Self.subscription(1)), .lost(Self.topic)])
    #expect(machine.isAvailable)
  }

  @Test("Frames that are 6 s late lose all topics and are not forwarded, until a sign of life is in time")
  func outdatedFrames() {
    #expect(RelayLimits().maxAge == SilenceLimits(heartbeat: .seconds(5)).delayed)
    let loss = [RelayMachine.Action.unsubscribe(Self.subscription(1)), .lost(Self.topic), .available(false)]
    for delay in [6, 7, 20] {
      var machine = opened()
      #expect(machine.receive(delayed(delay), now: .seconds(1)) == loss)
      // The upstream feed never answers pings, so the age of its data is not known.
      for second in 2...60 {
        #expect(machine.receive(delayed(delay), now: .seconds(second)) == [])
        #expect(machine.receive(.state(second % 2 == 0 ? .live : .recovering), now: .seconds(second)) == [])
        #expect(machine.advance(to: .seconds(second)) == [])
      }
      #expect(!machine.isAvailable)
      #expect(machine.open(Self.topic, now: .seconds(60)) == [.failed(Self.topic, .lost)])
      #expect(machine.receive(.alive(), now: .seconds(61)) == [.available(true)])
    }
  }

  @Test("The time that an event waits in the process counts as a delay")
  func waitingEvents() {
    let frame = TransportFrame(
      subscription: Self.subscription(1), bytes: Array(update(1_750_752_646_200, odds: 5).utf8), delay: .seconds(2),
      receivedAt: .seconds(1))
    var machine = opened()
    #expect(machine.receive(.frame(frame), now: .milliseconds(4999)).count == 1)
    #expect(machine.receive(.frame(frame), now: .seconds(5)).last == .available(false))
    #expect(machine.receive(.alive(receivedAt: .seconds(3)), now: .seconds(9)) == [])
    #expect(machine.receive(.alive(receivedAt: .seconds(4)), now: .seconds(9)) == [.available(true)])
  }

  @Test("Before the first connection no topic can be opened")
  func early() {
    var machine = RelayMachine()
    #expect(!machine.isAvailable)
    #expect(machine.open(Self.topic, now: .zero) == [.failed(Self.topic, .lost)])
    #expect(machine.advance(to: .seconds(60)) == [])
  }

  @Test("A topic that the upstream feed refuses or cannot send fails with its message; without an answer it is lost")
  func refusals() {
    let error = FeedError("no such topic", remedy: "ask for another")
    let states: [(TopicState, TopicError)] = [
      (.refused(error), .refused("no such topic")), (.retrying(error, at: 9), .failed("no such topic")),
      (.retrying(error.permanent(), at: 9), .refused("no such topic")),
      (.maintenance(retryAt: 9), .lost), (.late, .lost),
    ]
    for (state, reason) in states {
      var machine = RelayMachine()
      _ = machine.receive(.state(.live), now: .zero)
      _ = machine.open(Self.topic, now: .zero)
      let actions = machine.receive(.topic(Self.subscription(1), state), now: .zero)
      #expect(actions == [.unsubscribe(Self.subscription(1)), .failed(Self.topic, reason)])
      #expect(machine.topicCount == 0)
      machine = opened()
      let loss = machine.receive(.topic(Self.subscription(1), state), now: .zero)
      #expect(loss == [.unsubscribe(Self.subscription(1)), .lost(Self.topic)])
    }
  }

  private static let error = FeedError("no such topic", remedy: "ask for another")

  @Test("A topic whose request failed temporarily is requested again for the next client")
  func failedAgain() {
    var machine = RelayMachine()
    _ = machine.receive(.state(.live), now: .zero)
    for generation in 1...3 as ClosedRange<UInt64> {
      #expect(machine.open(Self.topic, now: .zero) == [.subscribe(Self.subscription(generation))])
      let failure = machine.receive(.topic(Self.subscription(generation), .retrying(Self.error, at: 9)), now: .zero)
      #expect(failure.last == .failed(Self.topic, .failed("no such topic")))
    }
  }

  @Test(
    "A permanently refused topic is not requested again for 30 s or until the next connection",
    arguments: [TopicState.refused(error), .retrying(error.permanent(), at: 9)])
  func refusedAgain(refusal: TopicState) {
    var machine = RelayMachine()
    _ = machine.receive(.state(.live), now: .zero)
    func refuse(_ generation: UInt64, now: Duration) {
      #expect(machine.open(Self.topic, now: now) == [.subscribe(Self.subscription(generation))])
      _ = machine.receive(.topic(Self.subscription(generation), refusal), now: now)
      #expect(machine.open(Self.topic, now: now) == [.failed(Self.topic, .refused("no such topic"))])
    }
    refuse(1, now: .zero)
    _ = machine.receive(.alive(), now: .milliseconds(29_999))
    #expect(machine.open(Self.topic, now: .milliseconds(29_999)) == [.failed(Self.topic, .refused("no such topic"))])
    refuse(2, now: .seconds(30))
    _ = machine.receive(.state(.connecting(attempt: 1)), now: .seconds(31))
    _ = machine.receive(.state(.live), now: .seconds(31))
    refuse(3, now: .seconds(31))
  }

  @Test("The number of stored refusals is bounded")
  func boundedRefusals() {
    var refusals = RecentRefusals()
    for number in 0..<10_000 {
      refusals.add(.refused("no"), of: Topic(path: "/\(number)"), until: .seconds(30), now: .zero)
    }
    let kept = (0..<10_000).count { refusals.error(of: Topic(path: "/\($0)"), now: .zero) != nil }
    #expect(kept > 0 && kept <= RecentRefusals.maxCount)
    #expect(refusals.error(of: Topic(path: "/9999"), now: .seconds(30)) == nil)
  }

  @Test("After a reconnect in time, a topic restarts with a new dump")
  func restart() {
    var machine = opened()
    #expect(machine.receive(.state(.connecting(attempt: 1)), now: .seconds(1)) == [])
    #expect(machine.dump(of: Self.topic) == nil)
    #expect(machine.advance(to: .milliseconds(1999)) == [])
    #expect(machine.receive(.state(.recovering), now: .milliseconds(1999)) == [])
    let actions = machine.receive(frame(dump), now: .milliseconds(1999))
    #expect(actions == [.messages(Self.topic, [Array(dump.utf8)])])
    #expect(machine.advance(to: .seconds(2)) == [])
    #expect(machine.dump(of: Self.topic) != nil)
  }

  @Test("Without a reconnect in time, all topics are lost; without a dump in time, its topic is lost")
  func loss() {
    var machine = opened()
    _ = machine.receive(.state(.connecting(attempt: 1)), now: .seconds(1))
    let gone = [RelayMachine.Action.unsubscribe(Self.subscription(1)), .lost(Self.topic)]
    #expect(machine.advance(to: .seconds(2)) == gone + [.available(false)])
    #expect(machine.advance(to: .seconds(4)) == [])
    #expect(machine.receive(.state(.recovering), now: .seconds(5)) == [.available(true)])
    machine = opened()
    _ = machine.receive(.state(.connecting(attempt: 1)), now: .seconds(1))
    _ = machine.receive(.state(.recovering), now: .milliseconds(1500))
    #expect(machine.advance(to: .seconds(2)) == gone)
    #expect(machine.isAvailable)
  }

  @Test("A permanent connection error loses all topics at once")
  func failure() {
    var machine = opened()
    let error = FeedError("the token is refused", remedy: "use another")
    let actions = machine.receive(.state(.failed(error)), now: .seconds(1))
    #expect(actions == [.unsubscribe(Self.subscription(1)), .lost(Self.topic), .available(false)])
  }

  @Test("After 8 s of silence, all open topics are lost at once; a sign of life makes the feed available again")
  func silence() {
    var machine = opened()
    #expect(machine.receive(.alive(), now: .seconds(5)) == [])
    #expect(machine.advance(to: .milliseconds(12_999)) == [])
    let loss = machine.advance(to: .seconds(13))
    #expect(loss == [.unsubscribe(Self.subscription(1)), .lost(Self.topic), .available(false)])
    #expect(machine.receive(.alive(), now: .seconds(14)) == [.available(true)])
    #expect(machine.open(Self.topic, now: .seconds(14)) == [.subscribe(Self.subscription(2))])
    // The answer to the first request is ignored.
    #expect(machine.receive(frame(dump), now: .seconds(14)) == [])
    #expect(machine.receive(frame(dump, generation: 2), now: .seconds(14)) == [.opened(Self.topic)])
  }

  @Test("An event after a silence, such as a pause of the process, loses all topics and is not forwarded")
  func waitedDuringSilence() {
    let loss = [RelayMachine.Action.unsubscribe(Self.subscription(1)), .lost(Self.topic), .available(false)]
    let text = update(1_750_752_646_200, odds: 5)
    let events: [(TransportEvent, isSign: Bool)] = [(frame(text), true), (.alive(), true), (.state(.live), false)]
    for (event, isSign) in events {
      var machine = opened()
      #expect(machine.receive(event, now: .seconds(8)) == loss + (isSign ? [.available(true)] : []))
      #expect(machine.receive(.alive(), now: .seconds(8)) == (isSign ? [] : [.available(true)]))
      #expect(machine.receive(frame(text), now: .seconds(8)) == [])
      #expect(machine.advance(to: .seconds(8)) == [])
    }
    var machine = opened()
    #expect(machine.receive(.state(.connecting(attempt: 1)), now: .seconds(8)) == loss)
    machine = opened()
    let messages = machine.receive(frame(text), now: .milliseconds(7999))
    #expect(messages == [.messages(Self.topic, [Array(text.utf8)])])
  }

  @Test("A request timeout is not a sign of life and does not delay the loss of the topics")
  func lateWhileSilent() {
    var machine = opened()
    let other = Subscription(topic: Topic(path: "/other"), generation: 2)
    #expect(machine.open(other.topic, now: .zero) == [.subscribe(other)])
    let failure = machine.receive(.topic(other, .late), now: .seconds(7))
    #expect(failure == [.unsubscribe(other), .failed(other.topic, .lost)])
    #expect(machine.advance(to: .milliseconds(7999)) == [])
    #expect(machine.advance(to: .seconds(8)).contains(.available(false)))
    #expect(machine.receive(.topic(other, .late), now: .seconds(9)) == [])
  }

  @Test("Updates that are older than the dump are dropped, and those with the same or a later version follow it")
  func join() {
    let updates = ["1750752646167", "1750752646168", "1750752646169"].map { version in
      #"{"version":"\#(version)","messageType":"UPDATE","records":[]}"#
    }
    var machine = opened()
    _ = machine.receive(.state(.connecting(attempt: 1)), now: .zero)
    _ = machine.receive(.state(.recovering), now: .zero)
    for update in updates { #expect(machine.receive(frame(update), now: .zero) == []) }
    let messages = ([dump] + updates.dropFirst()).map { Array($0.utf8) }
    #expect(machine.receive(frame(dump), now: .zero) == [.messages(Self.topic, messages)])
  }

  @Test("A topic is lost when too many bytes wait for its dump")
  func bounds() {
    var limits = RelayLimits()
    limits.maxWaitingBytes = 100
    var machine = RelayMachine(limits: limits)
    _ = machine.receive(.state(.live), now: .zero)
    _ = machine.open(Self.topic, now: .zero)
    let update = #"{"version":"1","messageType":"UPDATE","records":[]}"#
    #expect(machine.receive(frame(update), now: .zero) == [])
    let actions = machine.receive(frame(update), now: .zero)
    #expect(actions == [.unsubscribe(Self.subscription(1)), .failed(Self.topic, .lost)])
  }

  @Test("The number of topics and the rate of their requests are limited")
  func rates() {
    var limits = RelayLimits()
    limits.maxTopics = 3
    limits.openBurst = 4
    limits.openRate = 1
    var machine = RelayMachine(limits: limits)
    _ = machine.receive(.state(.live), now: .zero)
    let topics = (0..<5).map { Topic(path: "/\($0)") }
    for topic in topics.prefix(3) { #expect(machine.open(topic, now: .zero).count == 1) }
    #expect(machine.open(topics[3], now: .zero) == [.failed(topics[3], .tooMany(3))])
    _ = machine.close(topics[0])
    #expect(machine.open(topics[3], now: .zero).count == 1)
    _ = machine.close(topics[1])
    // The topic waits for the rate limit, and counts.
    #expect(machine.open(topics[4], now: .zero) == [])
    #expect(machine.contains(topics[4]) && machine.open(topics[0], now: .zero) == [.failed(topics[0], .tooMany(3))])
    _ = machine.receive(.alive(), now: .milliseconds(999))
    #expect(machine.advance(to: .milliseconds(999)) == [])
    let request = Subscription(topic: topics[4], generation: 5)
    #expect(machine.advance(to: .seconds(1)) == [.subscribe(request)])
  }

  @Test("A waiting request ends when its client leaves or the connection is lost")
  func endOfWaiting() {
    var limits = RelayLimits()
    limits.openBurst = 1
    var machine = RelayMachine(limits: limits)
    _ = machine.receive(.state(.live), now: .zero)
    let topics = (0..<4).map { Topic(path: "/\($0)") }
    for topic in topics { _ = machine.open(topic, now: .zero) }
    #expect(machine.topicCount == 1)
    #expect(machine.close(topics[1]) == [] && !machine.contains(topics[1]))
    _ = machine.receive(.state(.connecting(attempt: 1)), now: .zero)
    let lost = RelayMachine.Action.failed
    let failed = Array(machine.advance(to: .seconds(1)).suffix(3))
    #expect(failed == [lost(topics[2], .lost), lost(topics[3], .lost), .available(false)])
    #expect(!topics.contains { machine.contains($0) })
  }

  @Test("A client that joins before a record is created receives the pending change of the record")
  func pending() {
    var machine = opened()
    let update = #"""
      {"version":"1750752646169","messageType":"UPDATE","records":[{"changeType":"UPDATE","entityType":"BETTING_OFFER",\#
      "id":"77","changedProperties":{"odds":9.5}}]}
      """#
    _ = machine.receive(frame(update), now: .zero)
    #expect(machine.dump(of: Self.topic) != nil)
    let actions = machine.settle(Self.topic)
    guard case .messages(_, let messages)? = actions.first else {
      Issue.record("nothing follows the dump")
      return
    }
    #expect(String(decoding: messages[0], as: UTF8.self).contains(#""odds":9.5"#))
    #expect(machine.settle(Self.topic) == [])
  }
}
