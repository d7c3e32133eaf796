import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import FeedServer

@Suite struct ReadTurnsLawTests {
  @Test(
    "Reads keep their order, at most 32 happen in a slice of 2 ms, and none waits if fewer happened", arguments: 1...5)
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let loop = EmbeddedEventLoop()
    let turns = ReadTurns(eventLoop: loop)
    // The reads by number, each with the time at which it happened, in microseconds.
    var reads: [(number: Int, time: Int64)] = []
    var (now, requestTimes) = (Int64(0), [Int64]())
    for _ in 0..<80 {
      if Int.random(in: 0..<3, using: &random) > 0 {
        for _ in 0..<Int.random(in: 1...60, using: &random) {
          let number = requestTimes.count
          requestTimes.append(now)
          turns.whenDue { reads.append((number, now)) }
        }
      }
      // In small steps, so that each read records its time.
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        now += 100
        loop.advanceTime(by: .microseconds(100))
      }
    }
    while reads.count < requestTimes.count {
      now += 100
      loop.advanceTime(by: .microseconds(100))
    }
    #expect(reads.map(\.number) == Array(requestTimes.indices))
    for (index, read) in reads.enumerated() {
      let wait = read.time - requestTimes[read.number]
      // A read waits only if a full slice of reads came before it within the last 2 ms.
      guard wait > 0 else { continue }
      let earlier = reads[..<index].filter { $0.time >= read.time - 2000 }.count
      #expect(earlier >= ReadTurns.readsOfSlice, "read \(index) waited for \(wait) µs")
    }
    for start in reads.indices.dropFirst(ReadTurns.readsOfSlice * 2) {
      #expect(reads[start].time - reads[start - 2 * ReadTurns.readsOfSlice].time >= 2000)
    }
  }
}
