import Platform
import TestSupport
import Testing

@testable import FeedServer

@Suite("Dumps that are not yet sent")
struct UnsentDumpsTests {
  private static func dumps(limit: Int, share: Int) -> UnsentDumps {
    var limits = ServerLimits()
    limits.unsentBytes = limit
    limits.unsentBytesOfAddress = share
    return UnsentDumps(limits: limits)
  }

  @Test("dumps above the limit of an address or the total limit wait until others are sent")
  func unsent() {
    let unsent = Self.dumps(limit: 100, share: 60)
    let granted = Locked<[String]>([])
    func reserve(_ name: String, _ bytes: Int, _ address: String) {
      unsent.reserve(bytes, of: address) { granted.withLock { $0.append(name) } }
    }
    reserve("a", 500, "1")
    reserve("b", 50, "1")
    reserve("c", 50, "2")
    #expect(granted.withLock { $0 } == ["a"])
    unsent.release(500, of: "1")
    // "2" waited for the total only, "1" for its share.
    #expect(granted.withLock { $0 } == ["a", "c", "b"])
    reserve("d", 20, "1")
    reserve("e", 10, "3")
    reserve("f", 5, "1")
    #expect(granted.withLock { $0 } == ["a", "c", "b"])
    unsent.release(50, of: "2")
    #expect(granted.withLock { $0 } == ["a", "c", "b", "e"])
    for (bytes, address) in [(50, "1"), (10, "3"), (20, "1"), (5, "1")] { unsent.release(bytes, of: address) }
    #expect(granted.withLock { $0 } == ["a", "c", "b", "e", "d", "f"])
    #expect(unsent.total == 0)
  }

  @Test("an address whose dumps wait for its share delays no other address")
  func otherAddress() {
    let unsent = Self.dumps(limit: 100, share: 60)
    #expect(unsent.reserve(60, of: "1") && !unsent.reserve(10, of: "1"))
    unsent.reserve(10, of: "1") {}
    #expect(unsent.reserve(10, of: "2"))
    #expect(!unsent.reserve(10, of: "1"))
    // "3" waits for the total limit, and no other address overtakes it.
    unsent.reserve(40, of: "3") {}
    #expect(!unsent.reserve(10, of: "2"))
  }

  @Test("four addresses that take all they can leave room for a fifth")
  func greedy() {
    let limits = ServerLimits()
    let unsent = UnsentDumps(limits: limits)
    let granted = Locked<[String: Int]>([:])
    let size = 1 << 20
    for address in ["1", "2", "3", "4"] {
      for _ in 0..<100 {
        unsent.reserve(size, of: address) { granted.withLock { $0[address, default: 0] += 1 } }
      }
    }
    let counts = granted.withLock { $0 }
    #expect(counts == ["1": 64, "2": 64, "3": 64, "4": 32])
    for _ in 0..<16 { #expect(unsent.reserve(size, of: "5")) }
    #expect(!unsent.reserve(size, of: "5") && unsent.total <= limits.unsentBytes)
    // The first address has 64 MiB, and 16 MiB are free. It gets another one when it has 39 MiB, and 41 MiB are free.
    for _ in 0..<24 { unsent.release(size, of: "1") }
    #expect(granted.withLock { $0 } == counts)
    unsent.release(size, of: "1")
    #expect(granted.withLock { $0["1"] } == 65)
    #expect(unsent.total <= limits.unsentBytes)
  }

  @Test("an address that waits with a dump is overtaken by one without, and served when there is room for its share")
  func overtaken() {
    let unsent = Self.dumps(limit: 100, share: 30)
    let granted = Locked<[String]>([])
    for address in ["1", "2", "3"] { #expect(unsent.reserve(30, of: address)) }
    #expect(unsent.reserve(5, of: "4"))
    unsent.reserve(5, of: "4") { granted.withLock { $0.append("4") } }
    #expect(granted.withLock { $0 } == [])
    #expect(unsent.reserve(5, of: "5"))
    unsent.release(30, of: "1")
    #expect(granted.withLock { $0 } == ["4"] && unsent.total == 75)
  }

  private struct Request {
    let bytes: Int
    let address: String
  }

  @Test(
    "the limits hold, the dumps of an address keep their order, each leaves room, and none waits that could be sent",
    arguments: 1...20 as ClosedRange<UInt64>)
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let (limit, share) = (100, 60)
    let unsent = Self.dumps(limit: limit, share: share)
    let granted = Locked<[Int]>([])
    var (requests, held, waiting): ([Request], [Int], [Int]) = ([], [], [])
    func used(_ address: String? = nil) -> Int {
      held.filter { address == nil || requests[$0].address == address }.reduce(0) { $0 + requests[$1].bytes }
    }
    /// True if as many bytes remain free as the address has.
    func isFair(_ request: Request) -> Bool {
      held.isEmpty || used() + request.bytes + used(request.address) <= limit
    }
    func check() {
      for number in granted.withLock({ granted in
        defer { granted = [] }
        return granted
      }) {
        let address = requests[number].address
        #expect(waiting.first { requests[$0].address == address } == number)
        #expect(isFair(requests[number]))
        waiting.removeAll { $0 == number }
        held.append(number)
      }
      #expect(unsent.total == used())
      #expect(used() <= limit || held.count == 1)
      var (seen, candidates): (Set<String>, [Request]) = ([], [])
      for number in waiting where seen.insert(requests[number].address).inserted {
        let address = requests[number].address
        let ofAddress = held.filter { requests[$0].address == address }
        #expect(used(address) <= share || ofAddress.count == 1)
        if ofAddress.isEmpty || used(address) + requests[number].bytes <= share { candidates.append(requests[number]) }
      }
      // One without a dump waits for the total limit, and all others for it. Without such a one, the others wait while
      // there is no room for a whole share.
      let newcomers = candidates.filter { used($0.address) == 0 }
      #expect(candidates.isEmpty || !held.isEmpty)
      #expect(newcomers.isEmpty || newcomers.contains { used() + $0.bytes > limit })
      #expect(candidates.isEmpty || !newcomers.isEmpty || used() + share > limit)
    }
    for _ in 0..<400 {
      if Int.random(in: 0..<5, using: &random) < 3 {
        let request = Request(
          bytes: Int.random(in: 1...(Bool.random(using: &random) ? 20 : 150), using: &random),
          address: ["1", "2", "3"].randomElement(using: &random)!)
        let number = requests.count
        requests.append(request)
        if Bool.random(using: &random), unsent.reserve(request.bytes, of: request.address) {
          #expect(!waiting.contains { requests[$0].address == request.address })
          #expect(isFair(request))
          held.append(number)
        } else {
          waiting.append(number)
          unsent.reserve(request.bytes, of: request.address) { granted.withLock { $0.append(number) } }
        }
      } else if let index = held.indices.randomElement(using: &random) {
        let request = requests[held.remove(at: index)]
        unsent.release(request.bytes, of: request.address)
      }
      check()
    }
    while let number = held.popLast() {
      unsent.release(requests[number].bytes, of: requests[number].address)
      check()
    }
    #expect(waiting.isEmpty && unsent.total == 0)
  }
}
