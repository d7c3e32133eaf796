import Platform
import TestSupport
import Testing

@testable import FeedServer

struct OpeningTurnsLawTests {
  @Test("100,000 waiting openings that end at once need no deep stack, and start one after another")
  func failing() {
    let turns = OpeningTurns(limit: 1)
    let (started, inside, maxDepth) = (Locked(0), Locked(0), Locked(0))
    turns.begin("0") {}
    for number in 0..<100_000 {
      turns.begin("\(number % 7)") {
        started.withLock { $0 += 1 }
        let depth = inside.withLock { inside in
          inside += 1
          return inside
        }
        maxDepth.withLock { $0 = max($0, depth) }
        turns.end()
        inside.withLock { $0 -= 1 }
      }
    }
    turns.end()
    #expect(started.withLock(\.self) == 100_000 && maxDepth.withLock(\.self) == 1)
  }

  @Test(
    "Each address has a queue of openings, and the queues are served in turn", arguments: Laws.seeds(16))
  func turns(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let limit = Int.random(in: 1...4, using: &random)
    let turns = OpeningTurns(limit: limit)
    let started = Locked<[Int]>([])
    var expected: [Int] = []
    var inProgress = 0
    /// The openings that wait, in the order of their requests, and the addresses in the order of their last turns.
    var waiting: [(number: Int, address: Int)] = []
    var order: [Int] = []
    for number in 0..<1000 {
      if Int.random(in: 0..<5, using: &random) < 3 {
        let address = Int.random(in: 0..<4, using: &random)
        turns.begin("\(address)") { started.withLock { $0.append(number) } }
        if inProgress < limit {
          inProgress += 1
          expected.append(number)
        } else {
          if !waiting.contains(where: { $0.address == address }) { order.append(address) }
          waiting.append((number, address))
        }
      } else if inProgress > 0 {
        turns.end()
        if order.isEmpty {
          inProgress -= 1
        } else {
          let address = order.removeFirst()
          expected.append(waiting.remove(at: waiting.firstIndex { $0.address == address }!).number)
          if waiting.contains(where: { $0.address == address }) { order.append(address) }
        }
      }
      let order = started.withLock(\.self)
      #expect(order == expected)
      if order != expected { return }
    }
  }
}
