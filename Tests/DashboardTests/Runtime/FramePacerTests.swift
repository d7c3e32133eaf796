import Testing

@testable import Dashboard

struct FramePacerTests {
  private var pacer = FramePacer(interval: .milliseconds(16))

  @Test("On a fast line frames are an interval apart")
  mutating func fast() {
    #expect(pacer.next == nil)
    pacer.begin(now: .seconds(1))
    pacer.wrote(for: FramePacer.allowance, until: .milliseconds(1005))
    #expect(pacer.next == .milliseconds(1016))
  }

  @Test(
    "A frame that the terminal takes its time for is followed by as long a rest, of a second at most",
    arguments: [(6, 1), (105, 100), (5000, 1000)])
  mutating func slow(writing: Int, rest: Int) {
    pacer.begin(now: .seconds(1))
    pacer.wrote(for: .milliseconds(writing), until: .milliseconds(1000 + writing))
    #expect(pacer.next == max(.milliseconds(1016), .milliseconds(1000 + writing + rest)))
  }

  @Test("A frame that a key has asked for is drawn when it likes; the next one rests by what that took")
  mutating func keys() {
    pacer.begin(now: .seconds(1))
    pacer.wrote(for: .milliseconds(505), until: .milliseconds(1505))
    pacer.begin(now: .milliseconds(1600))
    pacer.wrote(for: .milliseconds(1), until: .milliseconds(1601))
    #expect(pacer.next == .milliseconds(1616))
  }

  @Test("The end of a highlight waits for the frame before it, and delays no update")
  mutating func timed() {
    pacer.begin(now: .seconds(1))
    #expect(pacer.nextTimed == .milliseconds(1016))
    pacer.begin(now: .seconds(2), isTimed: true)
    #expect(pacer.isDue(now: .seconds(2)))
    #expect(pacer.nextTimed == .milliseconds(2016))
    pacer.wrote(for: .milliseconds(105), until: .milliseconds(2105))
    #expect(!pacer.isDue(now: .milliseconds(2204)) && pacer.isDue(now: .milliseconds(2205)))
  }
}
