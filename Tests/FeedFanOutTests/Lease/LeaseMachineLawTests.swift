import TestSupport
import Testing

@testable import FeedFanOut

@Suite struct LeaseMachineLawTests {
  /// Short intervals, with which a standby soon sees each write and soon acquires each expired key.
  private static var timing: LeaseTiming {
    var timing = LeaseTiming()
    timing.readInterval = .milliseconds(10)
    timing.retryInterval = .milliseconds(10)
    return timing
  }

  @Test(
    "Under delays, losses, pauses and failed stores, one process holds the lease at a time, and epochs increase",
    arguments: 0..<60)
  func law(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var model = LeaseModel(processes: Int.random(in: 2...4, using: &random), timing: Self.timing, &random)
    model.run(until: .seconds(60), &random)
    #expect(model.terms.count >= 3)
    for (earlier, later) in zip(model.terms, model.terms.dropFirst()) {
      #expect(earlier.epoch < later.epoch, "an epoch was given twice, or went back")
      #expect(earlier.end <= later.start, "two processes held the lease at one time")
    }
  }

  @Test("One process holds the lease at a time, even if stores lose their entries", arguments: 0..<30)
  func lostEntries(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var model = LeaseModel(processes: Int.random(in: 2...4, using: &random), timing: Self.timing, &random)
    model.losesEntries = true
    model.run(until: .seconds(60), &random)
    for (earlier, later) in zip(model.terms, model.terms.dropFirst()) {
      #expect(earlier.end <= later.start, "two processes held the lease at one time")
    }
  }

  @Test("Once two stores answer again, one process gets the lease within three seconds", arguments: 0..<60)
  func progress(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var model = LeaseModel(processes: Int.random(in: 1...4, using: &random), &random)
    model.run(until: .seconds(20), &random)
    model.isQuiet = true
    let failed = Int.random(in: model.stores.indices, using: &random)
    for index in model.stores.indices { model.stores[index].isUp = index != failed }
    let longestPause = Duration.seconds(4)
    let start = model.now + longestPause
    model.run(until: start + .seconds(3), &random)
    let holder = model.terms.last
    #expect(holder != nil && holder!.end > model.now, "nobody holds the lease")
    model.run(until: start + .seconds(30), &random)
    #expect(model.terms.last!.epoch == holder?.epoch, "the lease was lost without a reason")
  }

  @Test("A term continues while stores fail one after another", arguments: 0..<30)
  func survivesOneStore(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var model = LeaseModel(processes: 3, &random)
    model.isQuiet = true
    model.run(until: .seconds(4), &random)
    #expect(model.terms.count == 1)
    for _ in 0..<10 {
      let failed = Int.random(in: model.stores.indices, using: &random)
      model.stores[failed].isUp = false
      model.run(until: model.now + .milliseconds(Int.random(in: 10...9000, using: &random)), &random)
      model.stores[failed].isUp = true
      model.run(until: model.now + .seconds(1), &random)
      let holder = model.processes[model.terms[0].process]
      #expect(holder.machine.confirmedKeys(now: holder.local(model.now)) == LeaseMachine.keyCount)
    }
    #expect(model.terms.count == 1 && model.terms[0].end > model.now)
  }
}
