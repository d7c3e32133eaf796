import Testing

@testable import FeedSimulator

@Suite("The tick scheduler")
struct TickSchedulerTests {
  @Test(
    "ticks once per update, but at least once and at most 60 times a second",
    arguments: [(0.1, 1_000_000_000), (20, 50_000_000), (60, 16_666_666), (100_000, 16_666_666)] as [(Double, UInt64)])
  func interval(rate: Double, interval: UInt64) {
    #expect(TickScheduler(rate: rate, uptime: 0).interval == interval)
  }

  @Test("carries fractions of updates and milliseconds over to the next tick", arguments: [0.1, 0.7, 20, 61, 99_999])
  func fractions(rate: Double) {
    var pacer = TickScheduler(rate: rate, uptime: 0)
    var updates = 0
    var elapsed: Int64 = 0
    for tick in 1...60_000 as ClosedRange<UInt64> {
      let due = pacer.advance(to: tick * 16_666_667)
      updates += due.updates
      elapsed += due.elapsed
    }
    #expect(elapsed == 1_000_000)
    #expect(abs(Double(updates) - rate * 1_000) <= 1)
  }

  @Test("passes all time after a stall in steps, but catches up on only a quarter of a second of updates")
  func stall() {
    var pacer = TickScheduler(rate: 1_000, uptime: 0)
    for _ in 1...5 { #expect(pacer.advance(to: 60_000_000_000) == TickScheduler.Due(elapsed: 10_000, updates: 0)) }
    #expect(pacer.advance(to: 60_000_000_000) == TickScheduler.Due(elapsed: 10_000, updates: 250))
    #expect(pacer.advance(to: 59_000_000_000) == TickScheduler.Due(elapsed: 0, updates: 0))
  }

  @Test("skips gaps of more than ten minutes at once, and no shorter ones")
  func skip() {
    var pacer = TickScheduler(rate: 1_000, uptime: 0)
    #expect(pacer.skip(to: 600_000_000_000) == nil)
    #expect(pacer.skip(to: 43_200_000_000_000) == 43_200_000)
    #expect(pacer.skip(to: 43_200_000_000_000) == nil)
    #expect(pacer.skip(to: 0) == nil)
    #expect(pacer.advance(to: 43_200_010_000_000) == TickScheduler.Due(elapsed: 10, updates: 10))
  }
}
