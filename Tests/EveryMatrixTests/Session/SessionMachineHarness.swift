import Platform

@testable import EveryMatrix
@testable import OddsFeed
@testable import OddsModel

/// A session's state machine driven by a test, which plays the feed, the user and the clock.
struct SessionMachineHarness {
  typealias Code = WAMPMessage.Code
  typealias URI = WAMPMessage.URI

  var machine = SessionMachine(addresses: [.init(realm: "realm", name: "feed")], chance: 0)
  var now = Duration.zero
  /// The random number for delays: with 1, they are the longest.
  var chance = 1.0

  static func subscription(_ path: String, _ generation: UInt64 = 1) -> Subscription {
    Subscription(topic: Topic(path: path), generation: generation)
  }

  static let problem = FeedError("it broke", remedy: "mend it")
  static func lost(_ kind: ConnectionError.Kind = .lost) -> SessionMachine.LineEvent {
    .closed(ConnectionError(kind, problem))
  }

  var moment: SessionMoment { SessionMoment(uptime: now, wall: Int64(now / .milliseconds(1)), chance: chance) }
  var state: ConnectionState { machine.state }

  @discardableResult
  mutating func apply(_ event: SessionMachine.Event) -> [SessionAction] { machine.apply(event, at: moment) }

  @discardableResult
  mutating func receiveEvent(_ event: SessionMachine.LineEvent) -> [SessionAction] {
    apply(.line(event, link: machine.link))
  }

  @discardableResult
  mutating func receiveMessage(_ message: WAMPMessage) -> [SessionAction] { receiveEvent(.message(message)) }

  @discardableResult
  mutating func subscribe(_ path: String, _ generation: UInt64 = 1) -> [SessionAction] {
    apply(.subscribe(Self.subscription(path, generation)))
  }

  @discardableResult
  mutating func unsubscribe(_ path: String, _ generation: UInt64 = 1) -> [SessionAction] {
    apply(.unsubscribe(Self.subscription(path, generation)))
  }

  /// Lets time pass, from one deadline to the next.
  @discardableResult
  mutating func advance(by seconds: Double) -> [SessionAction] {
    let end = now + .seconds(seconds)
    var actions: [SessionAction] = []
    while let deadline = machine.deadline, deadline <= end {
      now = max(now, deadline)
      actions += apply(.time)
    }
    now = end
    return actions
  }

  /// Lets time pass on a connection that answers pings.
  @discardableResult
  mutating func advanceAnsweringPings(by seconds: Double) -> [SessionAction] {
    let end = now + .seconds(seconds)
    var actions: [SessionAction] = []
    while let deadline = machine.deadline, deadline <= end {
      now = max(now, deadline)
      let done = apply(.time)
      for action in done {
        if case .ping(let number) = action { _ = receiveEvent(.pong(number)) } else { actions.append(action) }
      }
    }
    now = end
    return actions
  }

  /// Connects and completes the handshake.
  @discardableResult
  mutating func open() -> [SessionAction] {
    apply(.start)
    receiveEvent(.opened)
    return receiveMessage(.welcome(session: 1))
  }

  /// Answers the request to register a topic and the call for its dump, so that the topic is live.
  @discardableResult
  mutating func acceptRegistration(_ request: UInt64, registration: UInt64) -> [SessionAction] {
    let actions = receiveMessage(.registered(request: request, registration: registration))
    guard case .send(.call(let call, _, _))? = actions.last else { return actions }
    return receiveMessage(.result(request: call, payload: 1..<2))
  }

  /// Returns a session with topic `/a` live as registration 7, after requests 1 and 2.
  static func live() -> SessionMachineHarness {
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.open()
    harness.acceptRegistration(1, registration: 7)
    return harness
  }
}

extension [SessionAction] {
  var sent: [WAMPMessage] { compactMap { if case .send(let message) = $0 { message } else { nil } } }
  var topicStates: [TopicState] { compactMap { if case .topic(_, let state) = $0 { state } else { nil } } }
  var connectionStates: [ConnectionState] { compactMap { if case .line(let state) = $0 { state } else { nil } } }
  var delivered: [Subscription] { compactMap { if case .deliver(let owner, _) = $0 { owner } else { nil } } }
}

extension WAMPMessage {
  static func register(_ request: UInt64, _ topic: String) -> WAMPMessage {
    .register(request: request, procedure: topic)
  }

  static func dump(_ request: UInt64, _ topic: String) -> WAMPMessage {
    .call(request: request, procedure: dumpProcedure, topic: topic)
  }

  static func failure(_ type: UInt64, _ request: UInt64, _ uri: String) -> WAMPMessage {
    .error(type: type, request: request, uri: uri, text: "")
  }
}
