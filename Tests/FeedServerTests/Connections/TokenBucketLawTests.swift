import NIOCore
import TestSupport
import Testing

@testable import FeedServer

@Suite("The free answers of a client")
struct TokenBucketLawTests {
  private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

  /// Returns a bucket that allows free answers only.
  private static func bucket() -> TokenBucket {
    var limits = ServerLimits()
    limits.requestBurst = 0
    return TokenBucket(limits: limits, now: start)
  }

  @Test(
    "a client that answers within 60 s never pays for it, and one that does not cannot save answers up",
    arguments: 1...20 as ClosedRange<UInt64>)
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var now = Self.start
    var (timely, silent) = (Self.bucket(), Self.bucket())
    var unanswered: [NIODeadline] = []
    var sent: [(time: NIODeadline, count: Int)] = []
    for _ in 0..<500 {
      now = now + .milliseconds(.random(in: 0...10_000, using: &random))
      let count = Int.random(in: 0...20, using: &random)
      timely.sent(count, now: now)
      silent.sent(count, now: now)
      unanswered += Array(repeating: now, count: count)
      sent.append((now, count))
      // It answers some, and all that would be older than 60 s at the next step.
      let answers = Int.random(in: 0...30, using: &random)
      let late = unanswered.count { now - $0 >= .seconds(50) }
      for _ in 0..<min(max(answers, late), unanswered.count) {
        let isFree = timely.consume(isAnswer: true, now: now)
        #expect(isFree)
        unanswered.removeFirst()
      }
      if unanswered.isEmpty {
        let isFree = timely.consume(isAnswer: true, now: now)
        #expect(!isFree)
      }
      let isRequestFree = timely.consume(isAnswer: false, now: now)
      #expect(!isRequestFree)
      if Int.random(in: 0..<20, using: &random) == 0 {
        var free = 0
        while silent.consume(isAnswer: true, now: now) { free += 1 }
        // Two periods, each up to one step longer than 60 s.
        let recent = sent.filter { now - $0.time <= .seconds(140) }.reduce(0) { $0 + $1.count }
        #expect(free <= recent)
      }
    }
  }

  @Test("a million answers that a client has saved up are not free three minutes later")
  func saved() {
    var bucket = TokenBucket(limits: ServerLimits(), now: Self.start)
    var now = Self.start
    bucket.sent(1_000_000, now: now)
    for _ in 0..<40 {
      now = now + .seconds(5)
      bucket.sent(1, now: now)
    }
    var free = 0
    while bucket.consume(isAnswer: true, now: now) { free += 1 }
    #expect(free >= 500 && free <= 540)
  }
}
