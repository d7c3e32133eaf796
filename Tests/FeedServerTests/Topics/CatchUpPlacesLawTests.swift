import Platform
import TestSupport
import Testing

@testable import FeedServer

struct CatchUpPlacesLawTests {
  @Test("The sessions of an address get places in the order of their requests", arguments: Laws.seeds(16))
  func order(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let limit = Int.random(in: 1...4, using: &random)
    let places = CatchUpPlaces(limit: limit)
    /// The sessions that got a place, in order.
    let served = Locked<[Int]>([])
    /// All sessions that requested a place, in order, by address, and the number of returned places.
    var requested: [[Int]] = [[], [], []]
    var returned = [0, 0, 0]
    for number in 0..<1000 {
      let address = Int.random(in: 0..<3, using: &random)
      if Bool.random(using: &random) {
        requested[address].append(number)
        let isTaken = places.take("\(address)") { served.withLock { $0.append(number) } }
        if isTaken { served.withLock { $0.append(number) } }
      } else if returned[address] < requested[address].count {
        places.free("\(address)")
        returned[address] += 1
      }
      for address in 0..<3 {
        let expected = requested[address].prefix(returned[address] + limit)
        let got = served.withLock { $0.filter { requested[address].contains($0) } }
        #expect(got == Array(expected), "seed \(seed), step \(number)")
        if got != Array(expected) { return }
      }
    }
  }
}
