import Testing

@testable import Dashboard

struct FramePacerTests {
  private var pacer = FramePacer(interval: .milliseconds(16))

  @Test("On a fast connection frames are one interval apart")
  mutating func fast() {
    #expect(pacer.next == nil)
    pacer.begin(now: .seconds(1))
    pacer.wrote(for: FramePacer.allowance, until: .milliseconds(1005))
    #expect(pacer.next == .milliseconds(1016))
  }

  @Test(
    "A slow frame is followed by a pause of about its writing time, and of at most a second",
    arguments: [(6, 1), (105, 100), (5000, 1000)])
  mutating func slow(writing: Int, rest: Int) {
    pacer.begin(now: .seconds(1))
    pacer.wrote(for: .milliseconds(writing), until: .milliseconds(1000 + writing))
    #expect(pacer.next == max(.milliseconds(1016), .milliseconds(1000 + writing + rest)))
  }

  @Test("A frame requested by a key is drawn without a pause; the next pause depends on that frame alone")
  mutating func keys() {
    pacer.begin(now: .seconds(1))
    pacer.wrote(for: .milliseconds(505), until: .milliseconds(1505))
    pacer.begin(now: .milliseconds(1600))
    pacer.wrote(for: .milliseconds(1), until: .milliseconds(1601))
    #expect(pacer.next == .milliseconds(1616))
  }

  @Test("The end of a highlight waits for the frame before it, and does not delay updates")
  mutating func timed() {
    pacer.begin(now: .seconds(1))
    #expect(pacer.nextTimed == .milliseconds(1016))
    pacer.begin(now: .seconds(2), isTimed: true)
    #expect(pacer.isDue(now: .seconds(2)))
    #expect(pacer.nextTimed == .milliseconds(2016))
    pacer.wrote(for: .milliseconds(105), until: .milliseconds(2105))
    #expect(!pacer.isDue(now: .milliseconds(2204)) && pacer.isDue(now: .milliseconds(2205)))
  }

  @Test(
    "In low-bandwidth mode a frame applies as many matches outside the screen as the others do in half a second",
    .timeLimit(.minutes(45)))
  func limitOfLowBandwidth() async throws {
    var settings = BoardSettings.withoutMouse
    settings.isLowBandwidth = true
    let harness = RuntimeHarness(settings: settings)
    try await harness.run { _ in }
    #expect(Set(harness.drainLimits) == [15_000])
  }
}
