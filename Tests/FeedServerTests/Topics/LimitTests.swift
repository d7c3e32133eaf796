import Dispatch
import NIOCore
import OddsModel
import Platform
import TestSupport
import Testing

@testable import FeedServer

@Suite("Limits of the work for one address", .timeLimit(.minutes(45)))
struct LimitTests {
  private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
  private static let limits: ServerLimits = {
    var limits = ServerLimits()
    limits.workBurst = .milliseconds(500)
    limits.workShare = 0.25
    return limits
  }()

  @Test("the work of an address is limited to its burst and its share of the time", arguments: [1, 2, 3] as [UInt64])
  func work(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let (limits, start) = (Self.limits, Self.start)
    let budget = WorkBudget(limits: limits)
    var now = start
    var spent: Int64 = 0
    var longest: Int64 = 0
    for _ in 0..<2000 {
      if case .spent(let next) = budget.begin("1.2.3.4", now: now) {
        #expect(next > now)
        now = next
        #expect(budget.begin("1.2.3.4", now: now) == .begun)
      }
      let work = Int64.random(in: 0...100_000_000, using: &random)
      longest = max(longest, work)
      budget.charge("1.2.3.4", TopicWork(nanoseconds: work), now: now)
      budget.end("1.2.3.4")
      spent += work
      let allowed = limits.workBurst.nanoseconds + Int64(0.25 * Double((now - start).nanoseconds))
      #expect(spent <= allowed + longest + 1000)
      if Int.random(in: 0..<10, using: &random) == 0 {
        now = now + .milliseconds(.random(in: 0...2000, using: &random))
      }
    }
    #expect(budget.begin("1.2.3.5", now: now) == .begun)
  }

  @Test("concurrent requests of an address exceed its burst by at most one", arguments: [1, 2, 3] as [UInt64])
  func atOnce(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let (limits, start) = (Self.limits, Self.start)
    let budget = WorkBudget(limits: limits)
    var now = start
    let cost: Int64 = 100_000_000
    // After the first request, the estimate equals this cost.
    budget.charge("1.2.3.4", TopicWork(nanoseconds: cost), now: now)
    var (inProgress, begun, ended, woken) = (0, 1 as Int64, 0, 0)
    let calls = Locked(0)
    for _ in 0..<5000 {
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        switch budget.begin("1.2.3.4", now: now, onEnd: { calls.withLock { $0 += 1 } }) {
        case .begun: (inProgress, begun) = (inProgress + 1, begun + 1)
        case .crowded:
          #expect(inProgress > 0)
          woken += 1
        case .spent(let next): #expect(next > now)
        }
      case 1 where inProgress > 0:
        budget.charge("1.2.3.4", TopicWork(nanoseconds: cost), now: now)
        budget.end("1.2.3.4")
        inProgress = inProgress - 1
        ended = ended + 1
        #expect(calls.withLock { $0 } == woken, "each request that waits is called when another one ends")
      default: now = now + .milliseconds(.random(in: 0...200, using: &random))
      }
      let allowed = limits.workBurst.nanoseconds + Int64(0.25 * Double((now - start).nanoseconds))
      #expect(begun * cost <= allowed + cost + 1000)
    }
    #expect(ended > 100 && woken > 100)
  }

  @Test("addresses with a full burst are removed")
  func forgets() {
    let budget = WorkBudget(limits: ServerLimits())
    var now = NIODeadline.uptimeNanoseconds(0)
    for number in 0..<100_000 {
      now = now + .milliseconds(10)
      budget.charge("\(number)", TopicWork(nanoseconds: 1_000_000), now: now)
    }
    #expect(budget.count < 10_000)
  }

  @Test("a conflation needs processor time of the address, and one range of a topic is built at a time")
  func conflations() async throws {
    let limits = ServerLimits()
    let hub = FeedHub(
      source: PlayedSource(playing: ScriptedFeed.Feed(script: ScriptedFeed())), limits: limits, loops: [],
      metrics: ServerMetrics())
    let log = TopicLog(limits: limits)
    log.append((0..<300).map { _ in Array(FeedText.update(FeedText.odds(121, "2.5")).utf8) })
    let ranges = [64, 128].map { TopicLog.Conflation(after: $0, upTo: 256) }
    hub.work.charge("1", TopicWork(nanoseconds: 1 << 40), now: .now())
    let results = Locked<[Result<FeedHub.Conflated, TopicError>]>([])
    hub.conflate(ranges[0], of: log, from: "1") { result in results.withLock { $0.append(result) } }
    #expect(throws: TopicError.spent(1)) { try results.withLock { $0 }.first?.get() }
    hub.builder.suspend()
    for range in ranges {
      hub.conflate(range, of: log, from: "2") { result in results.withLock { $0.append(result) } }
    }
    hub.builder.resume()
    while !Task.isCancelled, results.withLock({ $0.count }) < 3 { await Task.yield() }
    let both = try results.withLock { $0 }.dropFirst().map { try $0.get() }
    #expect(both.map(\.range) == [ranges[0], ranges[0]] && both[0].message != nil)
  }

  @Test("a conflation does not wait for the cost that is reserved for openings of its address")
  func conflationsDuringOpenings() async throws {
    let limits = ServerLimits()
    let source = PlayedSource(playing: ScriptedFeed.Feed(script: ScriptedFeed()))
    let hub = FeedHub(source: source, limits: limits, loops: [], metrics: ServerMetrics())
    let log = TopicLog(limits: limits)
    log.append((0..<100).map { _ in Array(FeedText.update(FeedText.odds(121, "2.5")).utf8) })
    for _ in 0..<20 {
      #expect(hub.work.begin("1", now: .now(), countsReserved: false) == .begun)
      hub.work.reserve("1", .upstreamOpening)
    }
    #expect(hub.work.begin("1", now: .now()) == .crowded)
    let result: Result<FeedHub.Conflated, TopicError> = try await completionValue {
      hub.conflate(TopicLog.Conflation(after: 0, upTo: 64), of: log, from: "1", completion: $0)
    }
    #expect(try result.get().message != nil)
  }

  @Test("a conflation does not wait for lists")
  func conflationsDuringLists() async throws {
    let limits = ServerLimits()
    let source = PlayedSource(playing: ScriptedFeed.Feed(script: ScriptedFeed()))
    let hub = FeedHub(source: source, limits: limits, loops: [], metrics: ServerMetrics())
    let log = TopicLog(limits: limits)
    log.append((0..<100).map { _ in Array(FeedText.update(FeedText.odds(121, "2.5")).utf8) })
    let list = Locked<Result<RESTSnapshot, TopicError>?>(nil)
    do {
      hub.listBuilder.suspend()
      defer { hub.listBuilder.resume() }
      hub.page(of: ScriptedFeed.topic, from: "1") { result in list.withLock { $0 = result } }
      let result: Result<FeedHub.Conflated, TopicError> = try await completionValue {
        hub.conflate(TopicLog.Conflation(after: 0, upTo: 64), of: log, from: "2", completion: $0)
      }
      #expect(try result.get().message != nil)
      #expect(list.withLock { $0 == nil })
    }
    while !Task.isCancelled, list.withLock({ $0 == nil }) { await Task.yield() }
    _ = try list.withLock(\.self)?.get()
  }

  @Test("a free place goes to the session that has waited for it, and not to a later one")
  func places() {
    let places = CatchUpPlaces(limit: 1)
    let calls = Locked<[String]>([])
    func take(_ name: String, _ address: String) -> Bool {
      places.take(address) { calls.withLock { $0.append(name) } }
    }
    #expect(take("a", "1") && !take("b", "1") && !take("c", "1") && take("d", "2"))
    places.free("1")
    #expect(calls.withLock { $0 } == ["b"])
    #expect(!take("e", "1"))
    for _ in 0..<3 { places.free("1") }
    #expect(calls.withLock { $0 } == ["b", "c", "e"])
    #expect(take("f", "1") && !take("g", "1"))
  }

  @Test("a reserved cost counts until it is released, and afterwards only if it is charged")
  func reservations() {
    let budget = WorkBudget(limits: Self.limits)
    let (start, work) = (Self.start, TopicWork(nanoseconds: 200_000_000))
    for _ in 0..<2 {
      #expect(budget.begin("1", now: start) == .begun)
      budget.reserve("1", work)
    }
    let calls = Locked(0)
    #expect(budget.begin("1", now: start, onEnd: { calls.withLock { $0 += 1 } }) == .begun)
    budget.reserve("1", work)
    #expect(budget.begin("1", now: start, onEnd: { calls.withLock { $0 += 1 } }) == .crowded)
    for isCharged in [false, false, true] {
      budget.release("1", work, isCharged: isCharged, now: start)
      budget.end("1")
    }
    #expect(calls.withLock(\.self) == 1)
    #expect(budget.begin("1", now: start) == .begun)
    budget.reserve("1", TopicWork(nanoseconds: 300_000_001))
    #expect(budget.begin("1", now: start) == .crowded)
  }

  @Test("REGISTER, CALL and a list of a topic that the feed does not have cost the address processor time")
  func unknownTopics() async throws {
    var limits = ServerLimits()
    // One refusal costs an address all that it has, and it regains almost nothing.
    limits.workBurst = .microseconds(1)
    limits.workShare = 1e-6
    let source = PlayedSource(playing: ScriptedFeed.Feed(script: ScriptedFeed()))
    let hub = FeedHub(source: source, limits: limits, loops: [], metrics: ServerMetrics())
    let unknown = Topic(path: "/unknown")
    let joined: Result<FeedHub.Joined, TopicError> = try await completionValue { done in
      hub.join(unknown, from: "1", completion: done)
    }
    let dump: Result<(topic: Topic, dump: TopicDump), TopicError> = try await completionValue { done in
      hub.reserveDump(of: unknown, from: "2", completion: done)
    }
    let page: Result<RESTSnapshot, TopicError> = try await completionValue { done in
      hub.page(of: unknown, from: "3", completion: done)
    }
    for error in [Self.error(joined), Self.error(dump), Self.error(page)] { #expect(error == .unknown) }
    for address in ["1", "2", "3"] { #expect(hub.work.isSpent(address, now: .now())) }
    #expect(!hub.work.isSpent("4", now: .now()))
  }

  private static func error(_ result: Result<some Any, TopicError>) -> TopicError? {
    if case .failure(let error) = result { error } else { nil }
  }

  @Test("requests for the same value share one build, and too many builds are refused")
  func builds() {
    let builds = SharedBuilds<String, Int>(limit: 2)
    let results = Locked<[Result<Int, TopicError>]>([])
    let finish = Locked<[@Sendable (Result<Int, TopicError>) -> Void]>([])
    for key in ["a", "a", "b", "a", "c"] {
      builds.value(of: key) { result in
        results.withLock { $0.append(result) }
      } build: { completion in
        finish.withLock { $0.append(completion) }
      }
    }
    #expect(finish.withLock { $0.count } == 2)
    #expect(results.withLock { $0 } == [.failure(.busy)])
    finish.withLock { $0[0] }(.success(1))
    #expect(results.withLock { $0 } == [.failure(.busy), .success(1), .success(1), .success(1)])
    builds.value(of: "a", completion: { _ in }) { completion in finish.withLock { $0.append(completion) } }
    #expect(finish.withLock { $0.count } == 3)
  }

  @Test("100,000 requests whose builds fail at once, one for each address, need no deep stack")
  func failingBuilds() {
    let builds = SharedBuilds<String, Int>(limit: 1)
    let results = Locked(0)
    let finish = Locked<(@Sendable (Result<Int, TopicError>) -> Void)?>(nil)
    let count: @Sendable (Result<Int, TopicError>) -> Void = { result in
      if result == .failure(.spent(1)) { results.withLock { $0 += 1 } }
    }
    builds.value(of: "a", completion: count) { done in finish.withLock { $0 = done } }
    for _ in 1..<100_000 { builds.value(of: "a", completion: count) { done in done(.failure(.spent(1))) } }
    finish.withLock(\.self)?(.failure(.spent(1)))
    #expect(results.withLock(\.self) == 100_000)
  }

  @Test("a request that shares a build does not get the error of the address that started it")
  func buildsOfAddresses() {
    let builds = SharedBuilds<String, Int>(limit: 2)
    let results = Locked<[String: Result<Int, TopicError>]>([:])
    let finish = Locked<[String: @Sendable (Result<Int, TopicError>) -> Void]>([:])
    for address in ["1", "2", "3", "4"] {
      builds.value(of: "a") { result in
        results.withLock { $0[address] = result }
      } build: { completion in
        finish.withLock { $0[address] = completion }
      }
    }
    finish.withLock { $0["1"] }?(.failure(.spent(9)))
    #expect(results.withLock { $0 } == ["1": .failure(.spent(9))])
    #expect(finish.withLock { $0.keys.sorted() } == ["1", "2"])
    finish.withLock { $0["2"] }?(.success(1))
    #expect(results.withLock { $0["3"] } == .success(1) && results.withLock { $0.count } == 4)
  }
}
