import Testing

@testable import AccountClient

@Suite struct AccountTimingTests {
  @Test func theSixDelaysAreExact() {
    let delays = (0..<AccountTiming.maxRetries).map { AccountTiming.delay(beforeRetry: $0) }
    #expect(delays == [200, 400, 800, 1600, 3200, 6400].map { .milliseconds($0) })
  }
}
