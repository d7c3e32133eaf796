import Testing

@testable import Dashboard

struct MetersTests {
  private var meters = Meters()

  @Test("Rates are computed once a second, and drop to zero in a second without events")
  mutating func rates() {
    meters.totals.oddsUpdates = 50
    meters.totals.frames = 10
    meters.totals.bytes = 400
    meters.totals.painting = .microseconds(1500)
    meters.tick(now: .milliseconds(500))
    #expect(meters.rates == Meters.Rates())
    meters.tick(now: .seconds(1))
    #expect(meters.rates.oddsUpdates == 50)
    #expect(meters.rates.bytesPerFrame == 40)
    #expect(meters.rates.microsecondsPerFrame == 150)
    #expect(meters.nextDeadline == .seconds(2))
    meters.tick(now: .seconds(2))
    #expect(meters.rates == Meters.Rates())
    #expect(meters.nextDeadline == nil)
  }

  @Test("A late tick divides by the elapsed time")
  mutating func late() {
    meters.totals.oddsUpdates = 30
    meters.tick(now: .milliseconds(1500))
    #expect(meters.rates.oddsUpdates == 20)
  }

  @Test("After a long idle time, new events are not divided by the idle time")
  mutating func rest() {
    meters.totals.frames = 1
    meters.tick(now: .seconds(60))
    #expect(meters.rates.frames == 1)
  }
}
