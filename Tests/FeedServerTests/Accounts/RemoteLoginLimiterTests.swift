import NIOCore
import Platform
import TestSupport
import Testing

@testable import FeedServer

@Suite("The limit on failed logins at a gateway", .timeLimit(.minutes(45)))
struct RemoteLoginLimiterTests {
  /// The limiter of a book, which counts the requests of gateways.
  private final class Book: LoginLimiter {
    let asked = Locked(0)
    private let limiter: LocalLoginLimiter

    init(clock: @escaping @Sendable () -> Int64) {
      limiter = LocalLoginLimiter(rates: LoginLimit.Rates(), clock: clock)
    }

    func attempt(of user: String, from address: String) async throws(AccountServiceError) -> LoginVerdict {
      asked.withLock { $0 += 1 }
      return limiter.attempt(of: user, from: address)
    }
  }

  /// A gateway, its book, and the wall clock and uptime in milliseconds, which the test advances.
  private struct Fixture {
    let time: Locked<Int64>
    let uptime: Locked<Int64>
    let book: Book
    let gateway: RemoteLoginLimiter

    init(limits: ServerLimits = ServerLimits()) {
      let (time, uptime) = (Locked<Int64>(1_750_000_000_000), Locked<Int64>(1_000_000))
      self.time = time
      self.uptime = uptime
      book = Book { time.withLock { $0 } }
      gateway = RemoteLoginLimiter(book, work: WorkBudget(limits: limits)) {
        time.withLock { $0 }
      } now: {
        .uptimeNanoseconds(UInt64(uptime.withLock { $0 }) * 1_000_000)
      }
    }

    var now: Int64 { time.withLock { $0 } }
    var asked: Int { book.asked.withLock { $0 } }

    func advance(by milliseconds: Int64) {
      time.withLock { $0 += milliseconds }
      uptime.withLock { $0 += milliseconds }
    }
  }

  /// Makes an attempt with a wrong password. Returns the time to wait if it is refused, otherwise nil.
  private func fail(_ limiter: any LoginLimiter, _ user: String, _ address: String) async throws -> Int64? {
    switch try await limiter.attempt(of: user, from: address) {
    case .refused(let wait): return wait
    case .attempt(let attempt):
      attempt.fail()
      return nil
    }
  }

  @Test(
    "a gateway asks the book only after its last refusal is over, and lets the same attempts through as the book",
    arguments: 1...4)
  func law(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    var limits = ServerLimits()
    limits.workBurst = .hours(1)
    let fixture = Fixture(limits: limits)
    let alone = LocalLoginLimiter(rates: LoginLimit.Rates()) { [time = fixture.time] in time.withLock { $0 } }
    // The time at which the last refusal of each user at an address is over.
    var ends: [String: Int64] = [:]
    var (refused, asked) = (0, 0)
    for _ in 0..<5_000 {
      let user = ["anna", "ben", "eve"].randomElement(using: &random)!
      let address = ["a", "b"].randomElement(using: &random)!
      let pair = "\(user) at \(address)"
      let isAsked = ends[pair, default: 0] <= fixture.now
      asked += isAsked ? 1 : 0
      let wait = try await fail(fixture.gateway, user, address)
      try #require(fixture.asked == asked)
      let expected = try await fail(alone, user, address)
      try #require((wait == nil) == (expected == nil))
      if let wait {
        refused += 1
        if isAsked { ends[pair] = fixture.now + wait }
        try #require(wait == ends[pair]! - fixture.now)
      }
      if Int.random(in: 0..<4, using: &random) == 0 { fixture.advance(by: .random(in: 0...9_000, using: &random)) }
    }
    #expect(refused > 1_000 && asked < 4_000)
  }

  @Test(
    "a gateway asks the book for the attempts of an address only within the processor time of that address",
    arguments: 1...3)
  func budget(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let fixture = Fixture()
    let start = fixture.now
    for number in 0..<10_000 {
      let before = fixture.asked
      let wait = try await fail(fixture.gateway, "invented \(number)", "evil")
      // 2 s at once, then 0.25 s in each second, and 1 ms for an attempt.
      #expect(Int64(fixture.asked) <= 2_000 + (fixture.now - start) / 4 + 1)
      guard fixture.asked == before else { continue }
      let next = try #require(wait)
      if Int.random(in: 0..<500, using: &random) == 0 { fixture.advance(by: next) }
    }
    let before = fixture.asked
    #expect(before > 2_000)
    // Another address is not affected.
    #expect(try await fail(fixture.gateway, "anna", "home") == nil)
    #expect(fixture.asked == before + 1)
  }

  @Test("a refusal is forgotten if the clock is set back")
  func clockSetBack() async throws {
    let fixture = Fixture()
    for _ in 1...5 { #expect(try await fail(fixture.gateway, "anna", "home") == nil) }
    for _ in 1...2 { #expect(try await fail(fixture.gateway, "anna", "home") == 30_000) }
    #expect(fixture.asked == 6)
    fixture.time.withLock { $0 -= 3_600_000 }
    #expect(try await fail(fixture.gateway, "anna", "home") == 30_000)
    #expect(fixture.asked == 7)
  }
}
