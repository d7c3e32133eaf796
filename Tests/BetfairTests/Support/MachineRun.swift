import AccountModel
import OddsFeed
import OddsModel
import Platform

@testable import Betfair

/// A session state machine with a manual clock.
struct MachineRun {
  var machine: BetfairMachine
  private(set) var uptime = Duration.zero

  init(conflateMs: Int64 = 0) { machine = BetfairMachine(appKey: Secret("KEY"), conflateMs: conflateMs) }

  static let football = Subscription(topic: Topic(path: "/sports/1/types/MATCH_ODDS"), generation: 1)
  static let event = Subscription(topic: Topic(path: "/event/29"), generation: 2)
  static let lost = ConnectionError(.lost, FeedError("lost", remedy: "wait"))

  private var now: SessionMoment { SessionMoment(uptime: uptime, wall: wall, chance: 0.5) }

  /// The time of day, in milliseconds since 1970.
  var wall: Int64 { 1_769_000_000_000 + Int64(uptime / .milliseconds(1)) }

  @discardableResult
  mutating func apply(_ event: BetfairMachine.Event) -> [BetfairMachine.Action] { machine.apply(event, at: now) }

  @discardableResult
  mutating func line(_ text: String, link: Int) -> [BetfairMachine.Action] {
    apply(.stream(.line(Array(text.utf8)), link: link))
  }

  /// Advances the clock from deadline to deadline. Returns all actions that follow.
  @discardableResult
  mutating func advance(by duration: Duration) -> [BetfairMachine.Action] {
    let end = uptime + duration
    var all: [BetfairMachine.Action] = []
    var steps = 0
    while let next = machine.deadline, next <= end {
      steps += 1
      precondition(steps < 10_000, "the machine's deadline does not advance")
      uptime = max(uptime, next)
      all += apply(.time)
    }
    uptime = end
    return all + apply(.time)
  }

  /// Logs in. Returns the actions that follow.
  @discardableResult
  mutating func logIn(_ token: String = "TOKEN") -> [BetfairMachine.Action] {
    guard case .pending(let request, _) = machine.login else { return [] }
    return apply(.login(request: request, .success(Secret(token))))
  }

  /// Lets the login that is requested fail. Returns the actions that follow.
  @discardableResult
  mutating func failLogin(_ error: LoginError) -> [BetfairMachine.Action] {
    guard case .pending(let request, _) = machine.login else { return [] }
    return apply(.login(request: request, .failure(error)))
  }

  /// Opens a connection up to the end of its image. Returns the actions that follow.
  @discardableResult
  mutating func open(
    _ link: Int, markets: [String] = [], from id: Int = 1, available: Int = 9
  ) -> [BetfairMachine.Action] {
    var actions = apply(.stream(.opened, link: link))
    actions += line(#"{"op":"connection","connectionId":"1"}"#, link: link)
    actions += line(
      #"{"op":"status","id":\#(id),"statusCode":"SUCCESS","connectionsAvailable":\#(available)}"#, link: link)
    actions += line(#"{"op":"status","id":\#(id + 1),"statusCode":"SUCCESS"}"#, link: link)
    return actions + line(Self.image(markets, id: id + 1), link: link)
  }

  static func image(_ markets: [String], id: Int) -> String {
    let list = markets.map { #"{"id":"\#($0)","img":true,"marketDefinition":{"status":"OPEN"}}"# }
    return
      #"{"op":"mcm","id":\#(id),"ct":"SUB_IMAGE","initialClk":"I","clk":"A","mc":[\#(list.joined(separator: ","))]}"#
  }

  static func links(_ actions: [BetfairMachine.Action]) -> [Int] {
    actions.compactMap { if case .connect(let link) = $0 { link } else { nil } }
  }

  static func sent(_ actions: [BetfairMachine.Action]) -> [String] {
    actions.compactMap { if case .send(let text, _) = $0 { String(decoding: text, as: UTF8.self) } else { nil } }
  }

  static func states(_ actions: [BetfairMachine.Action]) -> [ConnectionState] {
    actions.compactMap { if case .state(let state) = $0 { state } else { nil } }
  }

  /// Returns the reported states of a topic.
  static func topicStates(_ actions: [BetfairMachine.Action], of subscription: Subscription) -> [TopicState] {
    actions.compactMap { if case .topic(subscription, let state) = $0 { state } else { nil } }
  }

  /// Returns the messages that are delivered to the football topic, without the current line.
  static func messages(_ actions: [BetfairMachine.Action]) -> [String] {
    actions.compactMap {
      if case .message(football, let text) = $0 { String(decoding: text, as: UTF8.self) } else { nil }
    }
  }

  /// Returns the catalogue requests among the actions, each with its number and its markets.
  static func requests(_ actions: [BetfairMachine.Action]) -> [(number: Int, markets: [String])] {
    actions.compactMap {
      if case .fetch(let subscription, _, _, let number) = $0 { (number, subscription.markets) } else { nil }
    }
  }

  static func logins(_ actions: [BetfairMachine.Action]) -> Int {
    actions.count { if case .logIn = $0 { true } else { false } }
  }
}
