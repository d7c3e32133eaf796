import Testing

@testable import Dashboard

struct MetersTests {
  private var meters = Meters()

  @Test("Rates are taken once a second and fall to zero after it")
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

  @Test("A tick that comes late divides by the time that has passed")
  mutating func late() {
    meters.totals.oddsUpdates = 30
    meters.tick(now: .milliseconds(1500))
    #expect(meters.rates.oddsUpdates == 20)
  }

  @Test("After a long rest what begins is not divided by the rest")
  mutating func rest() {
    meters.totals.frames = 1
    meters.tick(now: .seconds(60))
    #expect(meters.rates.frames == 1)
  }
}
