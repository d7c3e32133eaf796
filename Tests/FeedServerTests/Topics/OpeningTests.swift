import NIOCore
import OddsModel
import Platform
import Testing

@testable import FeedServer

@Suite("Topics that are opened upstream")
struct OpeningTests {
  /// An address regains almost no time, so that the duration of a test does not matter.
  private static let limits: ServerLimits = {
    var limits = ServerLimits()
    limits.workShare = 1e-6
    limits.openTopicsOfAddress = 256
    return limits
  }()
  private static let maxOpen = 22

  private let relay = InstantRelay()
  private let hub: FeedHub

  init() { hub = FeedHub(source: relay, limits: Self.limits, loops: [], metrics: ServerMetrics()) }

  private static func topic(_ number: Int) -> Topic { Topic(path: "/\(number)") }

  /// Requests a topic for an address, as a session does, once the address has processor time.
  private func join(_ topic: Topic, from address: String, joined: Locked<[FeedHub.Joined]>) {
    let start = hub.work.begin(address, now: .now()) { join(topic, from: address, joined: joined) }
    switch start {
    case .crowded: return
    case .spent: Issue.record("the address has no time for \(topic)")
    case .begun:
      hub.join(topic, from: address) { [hub] result in
        if case .success(let access) = result { joined.withLock { $0.append(access) } }
        hub.work.end(address)
      }
    }
  }

  @Test("One address opens 199 topics within 5 s, and delays another address by less than 1.5 s")
  func honest() {
    let (many, few) = (Locked<[FeedHub.Joined]>([]), Locked<[FeedHub.Joined]>([]))
    for number in 0..<199 { join(Self.topic(number), from: "1", joined: many) }
    #expect(many.withLock { $0.count } >= 150)
    join(Self.topic(1000), from: "2", joined: few)
    var waited = Duration.zero
    while relay.now < .seconds(60), many.withLock({ $0.count }) < 199 || few.withLock({ $0.isEmpty }) {
      relay.advance(by: .milliseconds(50))
      if few.withLock({ $0.isEmpty }) { waited = relay.now }
    }
    #expect(relay.now < .seconds(5))
    #expect(waited < .milliseconds(1500))
    // Requests all topics again, as after a reconnect.
    for access in many.withLock(\.self) { hub.leave(access.topic, access.log) }
    let (again, start) = (Locked<[FeedHub.Joined]>([]), relay.now)
    for number in 0..<199 { join(Self.topic(number), from: "1", joined: again) }
    while relay.now < .seconds(60), again.withLock({ $0.count }) < 199 { relay.advance(by: .milliseconds(50)) }
    #expect(relay.now - start < .seconds(15))
  }

  @Test("A topic that several addresses request is opened in the first turn of any of them")
  func shared() {
    var (limits, relayLimits) = (Self.limits, RelayLimits())
    limits.openings = 1
    relayLimits.openBurst = 1
    relayLimits.openRate = 1
    let relay = InstantRelay(limits: relayLimits)
    let hub = FeedHub(source: relay, limits: limits, loops: [], metrics: ServerMetrics())
    let (joined, listed) = (Locked<[String]>([]), Locked(0))
    func join(_ number: Int, _ address: String) {
      hub.join(Self.topic(number), from: address) { result in
        if case .success = result { joined.withLock { $0.append(address) } }
      }
    }
    for number in 0..<50 { join(number, "1") }
    for _ in 0..<3 { join(49, "2") }
    hub.dump(of: Self.topic(99), "1", isFollowed: false) { _ in listed.withLock { $0 += 1 } }
    hub.dump(of: Self.topic(99), "3", isFollowed: false) { _ in listed.withLock { $0 += 1 } }
    for _ in 0..<5 { relay.advance(by: .seconds(1)) }
    #expect(joined.withLock { $0.count { $0 == "2" } } == 3 && listed.withLock(\.self) == 2)
    while relay.now < .seconds(100), joined.withLock({ $0.count }) < 53 { relay.advance(by: .seconds(1)) }
    #expect(joined.withLock { $0.count } == 53 && relay.requests == 51)
  }

  @Test("The number of lists and unknown topics that one address requests is limited", arguments: ["/", "/unknown"])
  func lists(name: String) {
    let results = Locked<[TopicError?]>([])
    for number in 0..<1000 {
      hub.page(of: Topic(path: "\(name)\(number)"), from: "1") { result in results.withLock { $0.append(result.error) }
      }
    }
    let requests = relay.requests
    #expect(requests > 10 && requests <= Self.maxOpen)
    for number in 2000..<2010 { hub.page(of: Topic(path: "\(name)\(number)"), from: "2") { _ in } }
    #expect(relay.requests == requests + 10)
  }

  @Test("REGISTER of unknown topics and CALL count like requests for lists")
  func others() {
    var begun = 0
    for number in 0..<1000 {
      // As a session does before each request.
      guard hub.work.begin("1", now: .now()) == .begun else { break }
      begun += 1
      if number.isMultiple(of: 2) {
        hub.join(Topic(path: "/unknown/\(number)"), from: "1") { _ in }
      } else {
        hub.reserveDump(of: Self.topic(number), from: "1") { _ in }
      }
      hub.work.end("1")
    }
    #expect(begun > 10 && begun <= Self.maxOpen)
    #expect(relay.requests == begun)
  }

  @Test("A list of a topic that is already open upstream costs nothing")
  func polls() {
    let failures = Locked(0)
    func poll(_ topic: Topic) {
      #expect(hub.work.begin("1", now: .now()) == .begun)
      hub.dump(of: topic, "1", isFollowed: false) { result in
        if case .failure = result { failures.withLock { $0 += 1 } }
      }
      hub.work.end("1")
    }
    for _ in 0..<100 { poll(Self.topic(1)) }
    let joined = Locked<[FeedHub.Joined]>([])
    join(Self.topic(2), from: "2", joined: joined)
    for _ in 0..<100 { poll(Self.topic(2)) }
    #expect(joined.withLock(\.count) == 1)
    for access in joined.withLock(\.self) { hub.leave(access.topic, access.log) }
    for _ in 0..<100 { poll(Self.topic(2)) }
    #expect(failures.withLock(\.self) == 0)
  }

  @Test("An opening that fails for a reason other than the topic costs nothing, and is requested again")
  func failures() {
    let reason = TopicError.failed("too many topics")
    for _ in 1..<100 {
      #expect(hub.work.begin("1", now: .now()) == .begun)
      hub.join(Topic(path: "/failing"), from: "1") { result in #expect(result.error == reason) }
      hub.work.end("1")
    }
    #expect(relay.requests == 99)
    var limits = RelayLimits()
    limits.maxTopics = 1
    let full = FeedHub(source: InstantRelay(limits: limits), limits: Self.limits, loops: [], metrics: ServerMetrics())
    full.join(Self.topic(0), from: "2") { _ in }
    for number in 1..<100 {
      #expect(full.work.begin("1", now: .now()) == .begun)
      full.join(Self.topic(number), from: "1") { result in #expect(result.error == .tooMany(1)) }
      full.work.end("1")
    }
  }
}

extension Result where Failure == TopicError {
  fileprivate var error: TopicError? { if case .failure(let error) = self { error } else { nil } }
}
