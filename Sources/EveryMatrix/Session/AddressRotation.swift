/// The choice among the addresses of one feed (Reconnecting.md), as a value without a clock or a random source.
///
/// In a round each address is tried once, in random order. The first address of a round is not the last one of the
/// round before, unless there is no other.
struct AddressRotation: Hashable {
  /// The number of addresses.
  let count: Int
  /// The index of the address in use: the last one that was chosen.
  private(set) var current: Int
  /// The number of the round, from 1.
  private(set) var round = 1
  /// The addresses that this round has not tried, ascending.
  private var untried: [Int]
  /// The addresses that are not tried until `readmit()` or `restart()`.
  private var rejected: Set<Int> = []

  /// Begins the first round and chooses its first address. `chance` is a random number from 0 to 1.
  init(count: Int, chance: Double) {
    precondition(count > 0, "a feed has at least one address")
    self.count = count
    untried = Array(0..<count)
    current = untried.remove(at: Self.index(of: chance, in: count))
  }

  /// True if this round has tried every address that is not rejected.
  var isRoundOver: Bool { untried.isEmpty }

  /// True if every address is rejected.
  var isExhausted: Bool { rejected.count == count }

  func isRejected(_ address: Int) -> Bool { rejected.contains(address) }

  /// Chooses the next address, of a new round if this one is over. `chance` is a random number from 0 to 1.
  mutating func advance(chance: Double) {
    precondition(!isExhausted, "every address is rejected")
    if untried.isEmpty {
      round += 1
      untried = (0..<count).filter { !rejected.contains($0) }
    }
    let others = untried.filter { $0 != current }
    let candidates = others.isEmpty ? untried : others
    current = candidates[Self.index(of: chance, in: candidates.count)]
    untried.removeAll { $0 == current }
  }

  /// Excludes the current address from this round and later ones.
  mutating func rejectCurrent() {
    rejected.insert(current)
    untried.removeAll { $0 == current }
  }

  /// Admits the rejected addresses again, from the next round on.
  mutating func readmit() { rejected = [] }

  /// Begins round 1 anew, with every address. If `triesCurrent` is true, the current address is the first of the round.
  mutating func restart(triesCurrent: Bool = false) {
    round = 1
    rejected = []
    untried = (0..<count).filter { !triesCurrent || $0 != current }
  }

  private static func index(of chance: Double, in count: Int) -> Int { min(Int(chance * Double(count)), count - 1) }
}
