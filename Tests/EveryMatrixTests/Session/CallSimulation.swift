import OddsFeed
import OddsModel
import TestSupport

@testable import EveryMatrix

/// A session with a feed that answers in any order, late, with errors, or not at all, and the calls that the session
/// may send to it. The feed answers each REGISTER and UNREGISTER in time.
struct CallSimulation {
  struct Request {
    let message: WAMPMessage
    let sent: Duration
    var isCall: Bool { if case .call = message { true } else { false } }
  }

  static let timeout = Duration.seconds(10)
  /// The topics whose calls are never answered.
  static let silentTopics: Set = ["/0", "/1"]

  var random: SeededRandom
  var harness = SessionMachineHarness()
  var wanted: [String: UInt64] = [:]
  var lastNumber: UInt64 = 0

  // The feed.
  var isReliable = false
  var isAccepting = false
  var requests: [Request] = []
  var registrations: [UInt64: String] = [:]

  // The expectations.
  /// The times at which the open calls were sent.
  var openCalls: [UInt64: Duration] = [:]
  var limit = 4
  /// The open call of each topic's registration.
  var currentCalls: [String: UInt64] = [:]
  var liveTopics: Set<String> = []
  var callCount = 0
  var problem: String?

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    perform(harness.apply(.start))
    welcome()
  }

  mutating func step() {
    harness.chance = Double.random(in: 0...1, using: &random)
    let path = "/\(Int.random(in: 0..<12, using: &random))"
    switch Int.random(in: 0..<60, using: &random) {
    case 0..<8: subscribe(path)
    case 8..<12: unsubscribe(path)
    case 12:
      perform(harness.apply(.reconnect))
      welcome()
    case 13: if Bool.random(using: &random) { loseConnection() }
    case 14..<17: audit(path)
    case 17..<24: advance(by: .seconds(Double.random(in: 0...3, using: &random)))
    default: answerAny()
    }
  }

  /// Lets the feed answer all requests, except calls for silent topics, and lets time pass.
  mutating func settle() {
    isReliable = true
    while !requests.isEmpty { answerAny() }
    advance(by: .milliseconds(500))
  }

  /// The difference to the expected state after `settle`; nil if there is none.
  var unsettled: String? {
    let missing = Set(wanted.keys).subtracting(Self.silentTopics).subtracting(liveTopics)
    if !missing.isEmpty { return "\(missing.sorted()) wait for ever" }
    if registrations.values.sorted() == wanted.keys.sorted() { return nil }
    return "\(registrations.values.sorted()) are registered, not \(wanted.keys.sorted())"
  }

  // MARK: The user

  private mutating func subscribe(_ path: String) {
    lastNumber += 1
    wanted[path] = lastNumber
    forget(path)
    perform(harness.subscribe(path, lastNumber))
  }

  private mutating func unsubscribe(_ path: String) {
    guard let generation = wanted.removeValue(forKey: path) else { return }
    forget(path)
    perform(harness.unsubscribe(path, generation))
  }

  private mutating func audit(_ path: String) {
    guard let generation = wanted[path] else { return }
    let subscription = SessionMachineHarness.subscription(path, generation)
    if let actions = harness.machine.requestDump(subscription, at: harness.moment) { perform(actions, isAudit: true) }
  }

  // MARK: The connection

  private mutating func loseConnection() {
    guard harness.state.isUp else { return }
    reset()
    perform(harness.receiveEvent(SessionMachineHarness.lost()))
    welcome()
  }

  /// Completes the handshake of a new connection.
  private mutating func welcome() {
    guard isAccepting else { return }
    isAccepting = false
    perform(harness.receiveEvent(.opened))
    perform(harness.receiveMessage(.welcome(session: 1)))
  }

  private mutating func reset() {
    requests = []
    registrations = [:]
    openCalls = [:]
    limit = 4
    currentCalls = [:]
    liveTopics = []
  }

  private mutating func advance(by time: Duration) {
    let end = harness.now + time
    while let index = requests.firstIndex(where: { !$0.isCall && $0.sent + .seconds(9) <= end }) {
      answer(requests.remove(at: index).message)
    }
    while let deadline = harness.machine.deadline, deadline <= end {
      harness.now = max(harness.now, deadline)
      expireCalls()
      perform(harness.apply(.time))
      welcome()
    }
    harness.now = end
  }

  mutating func perform(_ actions: [SessionAction], isAudit: Bool = false) {
    var pings: [UInt64] = []
    for action in actions {
      switch action {
      case .connect: isAccepting = true
      case .close:
        isAccepting = false
        reset()
      case .send(let message): receive(message, isAudit: isAudit)
      case .ping(let number): pings.append(number)
      case .topic(let subscription, .live): liveTopics.insert(subscription.topic.path)
      case .topic(let subscription, _): liveTopics.remove(subscription.topic.path)
      case .deliver, .line, .alive: break
      }
    }
    for number in pings { perform(harness.receiveEvent(.pong(number))) }
  }
}
