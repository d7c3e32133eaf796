import TestSupport
import Testing

@testable import FeedServer

@Suite("The limit on failed logins")
struct LoginLimitTests {
  /// Counts an attempt with a wrong password. Returns the time to wait if it is refused, otherwise nil.
  private func fail(_ limit: inout LoginLimit, _ user: String, _ address: String, _ now: Int64) -> Int64? {
    switch limit.attempt(of: user, from: address, now: now) {
    case .refused(let wait): return wait
    case .attempt(let attempt):
      limit.failed(attempt, now: now)
      return nil
    }
  }

  /// Returns the delay of an attempt, or nil if it is refused.
  private func delay(_ limit: LoginLimit, _ user: String, _ address: String, _ now: Int64) -> Int64? {
    var limit = limit
    guard case .attempt(let attempt) = limit.attempt(of: user, from: address, now: now) else { return nil }
    return attempt.delay
  }

  @Test("attempts refill one by one, successful ones are refunded, and setting the clock back adds no waiting time")
  func refills() throws {
    var limit = LoginLimit()
    for _ in 1...5 { #expect(fail(&limit, "a", "x", 0) == nil) }
    #expect(fail(&limit, "a", "x", 0) == 30_000)
    #expect(fail(&limit, "a", "x", 29_999) == 1)
    guard case .attempt(let attempt) = limit.attempt(of: "a", from: "x", now: 30_000) else {
      Issue.record("no attempt came back")
      return
    }
    #expect(fail(&limit, "a", "x", 30_000) == 30_000)
    limit.takeBack(attempt, now: 30_000)
    #expect(fail(&limit, "a", "x", 30_000) == nil)
    #expect(fail(&limit, "a", "x", -1_000_000_000) == 30_000)
    #expect(fail(&limit, "b", "z", 0) == nil)
  }

  @Test("attempts and delays refill as usual after the clock was set back by a day")
  func clockSetBack() {
    var limit = LoginLimit()
    for number in 1...11 { #expect(fail(&limit, "anna", "bot \(number)", 86_400_000) == nil) }
    for _ in 1...5 { #expect(fail(&limit, "ben", "home", 86_400_000) == nil) }
    // A login that is right at once leaves a counter of zero.
    guard case .attempt(let attempt) = limit.attempt(of: "eve", from: "office", now: 86_400_000) else {
      Issue.record("the first attempt was refused")
      return
    }
    limit.takeBack(attempt, now: 86_400_000)
    #expect(delay(limit, "eve", "office", 0) == 0)
    #expect(delay(limit, "anna", "home 2", 0) == 250)
    #expect(fail(&limit, "ben", "home", 0) == 30_000)
    #expect(fail(&limit, "ben", "home", 30_000) == nil)
    #expect(delay(limit, "anna", "home 2", 60_000) == 0)
  }

  @Test("failures at many addresses delay a user's logins exponentially up to a limit, and expire")
  func delays() {
    var limit = LoginLimit()
    var delays: [Int64] = []
    for number in 0..<100 {
      delays.append(delay(limit, "anna", "home", 0) ?? -1)
      #expect(fail(&limit, "anna", "bot \(number)", 0) == nil)
    }
    #expect(delays.prefix(18) == [Int64](repeating: 0, count: 11)[...] + [250, 500, 1000, 2000, 4000, 8000, 8000])
    #expect(delays.last == 8000)
    #expect(delay(limit, "ben", "home", 0) == 0)
    #expect(delay(limit, "anna", "home", 5 * 30_000) == 250)
    #expect(delay(limit, "anna", "home", 6 * 30_000) == 0)
  }

  @Test("attempts from one address never refuse or delay a user at another address", arguments: 1...5)
  func oneAddress(seed: UInt64) throws {
    var (limit, random, now) = (LoginLimit(), SeededRandom(seed: seed), Int64(0))
    var pending: [LoginLimit.Attempt] = []
    for _ in 0..<5_000 {
      let user = Int.random(in: 0..<4, using: &random) > 0 ? "anna" : "user \(Int.random(in: 0..<50, using: &random))"
      if case .attempt(let attempt) = limit.attempt(of: user, from: "evil", now: now) { pending.append(attempt) }
      while let attempt = pending.last, Bool.random(using: &random) {
        pending.removeLast()
        limit.failed(attempt, now: now)
      }
      try #require(delay(limit, "anna", "home", now) == 0)
      now += Int64.random(in: 0...9, using: &random) * 1000
    }
  }

  @Test("the limit is a token bucket for each user at an address, and for each address", arguments: 1...8)
  func law(seed: UInt64) throws {
    var (limit, model, random) = (LoginLimit(), LoginLimitModel(), SeededRandom(seed: seed))
    var now: Int64 = 1_750_000_000_000
    var pending: [LoginLimit.Attempt] = []
    var (refused, delayed) = (0, 0)
    for _ in 0..<10_000 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        let user = ["anna", "ben", "eve"].randomElement(using: &random)!
        let address = ["a", "b", "c", "d"].randomElement(using: &random)!
        let verdict = limit.attempt(of: user, from: address, now: now)
        try #require(verdict == model.attempt(user, address, now))
        switch verdict {
        case .attempt(let attempt):
          pending.append(attempt)
          delayed += attempt.delay > 0 ? 1 : 0
        case .refused: refused += 1
        }
      case 6..<9:
        guard let index = pending.indices.randomElement(using: &random) else { continue }
        let attempt = pending.remove(at: index)
        if Int.random(in: 0..<4, using: &random) > 0 {
          limit.failed(attempt, now: now)
          model.failed(attempt)
        } else {
          limit.takeBack(attempt, now: now)
          model.takeBack(attempt, now)
        }
      default:
        for _ in 0..<Int.random(in: 0...8, using: &random) {
          now += 1000
          model.advanceOneSecond()
        }
      }
    }
    #expect(refused > 100 && delayed > 100)
  }

  @Test("counters fall by the time that passes, and keep their values when the clock is set back", arguments: 1...8)
  func clockLaw(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var counters = DecayingCounters<Int>(pause: 1000, highest: 5, bound: 64)
    var values: [Int: Int64] = [:]
    var now: Int64 = 1_750_000_000_000
    for _ in 0..<5_000 {
      let key = Int.random(in: 0..<4, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        counters.raise(key, now: now)
        values[key] = min(values[key, default: 0] + 1000, 5000)
      case 4:
        counters.takeBack(key, raisedAt: now, now: now)
        values[key] = max(0, values[key, default: 0] - 1000)
      case 5: now -= Int64.random(in: 0...100_000_000, using: &random)
      default:
        let time = Int64.random(in: 0...1500, using: &random)
        now += time
        values = values.mapValues { max(0, $0 - time) }
      }
      // Each call notices a clock that was set back.
      try #require(counters.remaining(key, now: now) == values[key, default: 0])
    }
  }

  @Test("a counter of value n stays until others are raised n times half the bound", arguments: 1...20)
  func eviction(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let value = Int.random(in: 1...5, using: &random)
    var counters = DecayingCounters<Int>(pause: 1000, highest: 5, bound: 64)
    for _ in 0..<value { counters.raise(-1, now: 0) }
    // The attacker raises one counter after another to the same value, or random counters.
    let (isGreedy, keys) = (Bool.random(using: &random), Int.random(in: 40...400, using: &random))
    for number in 0..<(value * 32 - 1) {
      counters.raise(isGreedy ? number / value : Int.random(in: 0..<keys, using: &random), now: 0)
      #expect(counters.count <= 64)
      #expect(counters.remaining(-1, now: 0) == Int64(value) * 1000)
    }
  }

  @Test("the number of counters is bounded, however many users and addresses there are")
  func bounded() {
    var limit = LoginLimit()
    for _ in 1...5 { #expect(fail(&limit, "victim", "evil", 0) == nil) }
    for number in 0..<20_000 { _ = fail(&limit, "\(number)", "\(number)", 0) }
    #expect(limit.count <= 8192)
    #expect(fail(&limit, "victim", "evil", 0) != nil)
  }
}

/// Token buckets that are filled second by second.
private struct LoginLimitModel {
  private var pairs: [String: Int64] = [:]
  private var addresses: [String: Int64] = [:]
  /// The failures of each user, in milliseconds until they are forgotten.
  private var users: [String: Int64] = [:]

  mutating func advanceOneSecond() {
    for (key, left) in pairs { pairs[key] = min(150_000, left + 1000) }
    for (key, left) in addresses { addresses[key] = min(60_000, left + 1000) }
    for (key, failures) in users { users[key] = max(0, failures - 1000) }
  }

  mutating func attempt(_ user: String, _ address: String, _ now: Int64) -> LoginLimit.Verdict {
    let pair = "\(user) at \(address)"
    let (ofPair, ofAddress) = (pairs[pair] ?? 150_000, addresses[address] ?? 60_000)
    if ofPair < 30_000 || ofAddress < 3_000 { return .refused(wait: max(30_000 - ofPair, 3_000 - ofAddress)) }
    pairs[pair] = ofPair - 30_000
    addresses[address] = ofAddress - 3_000
    var (delay, failures): (Int64, Int64) = (0, 10 * 30_000)
    while failures < users[user] ?? 0 {
      delay = delay == 0 ? 250 : min(8000, delay * 2)
      failures += 30_000
    }
    return .attempt(LoginLimit.Attempt(user: user, address: address, time: now, delay: delay))
  }

  mutating func failed(_ attempt: LoginLimit.Attempt) {
    users[attempt.user] = min(16 * 30_000, (users[attempt.user] ?? 0) + 30_000)
  }

  mutating func takeBack(_ attempt: LoginLimit.Attempt, _ now: Int64) {
    let (pair, age) = ("\(attempt.user) at \(attempt.address)", now - attempt.time)
    pairs[pair] = min(150_000, pairs[pair]! + max(0, 30_000 - age))
    addresses[attempt.address] = min(60_000, addresses[attempt.address]! + max(0, 3_000 - age))
  }
}
