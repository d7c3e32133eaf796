import TestSupport
import Testing

@testable import EveryMatrix

/// A simple model of the rotation, which derives the available addresses from all earlier choices.
private struct RotationModel {
  let count: Int
  private var rounds: [[Int]] = []
  private var rejected: Set<Int> = []
  private(set) var current = -1
  /// The addresses that this round skips: those rejected before or during it, and the one that it began with.
  private var skipped: Set<Int> = []

  init(count: Int) {
    self.count = count
    rounds = [[]]
  }

  private var left: [Int] {
    (0..<count).filter { !rounds.last!.contains($0) && !skipped.contains($0) }
  }

  var isOver: Bool { left.isEmpty }
  var isExhausted: Bool { rejected.count == count }
  var round: Int { rounds.count }

  mutating func choose(_ chance: Double) {
    if left.isEmpty {
      rounds.append([])
      skipped = rejected
    }
    var candidates = left
    if candidates.count > 1 { candidates.removeAll { $0 == current } }
    current = candidates[candidates.indices.last { Double($0) <= chance * Double(candidates.count) }!]
    rounds[rounds.count - 1].append(current)
  }

  mutating func reject() {
    rejected.insert(current)
    skipped.insert(current)
  }

  mutating func readmit() { rejected = [] }

  mutating func restart(triesCurrent: Bool) {
    rounds = [[]]
    rejected = []
    skipped = triesCurrent ? [current] : []
  }
}

@Suite("The address rotation")
struct AddressRotationTests {
  @Test("chooses as the slow reference does, after any events", arguments: 0..<200 as Range<UInt64>)
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    func chance() -> Double { Double.random(in: 0...1, using: &random) }
    let count = Int.random(in: 1...16, using: &random)
    let first = chance()
    var rotation = AddressRotation(count: count, chance: first)
    var model = RotationModel(count: count)
    model.choose(first)
    for _ in 0..<200 {
      #expect(rotation.current == model.current && rotation.round == model.round)
      #expect(rotation.isRoundOver == model.isOver && rotation.isExhausted == model.isExhausted)
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        rotation.rejectCurrent()
        model.reject()
      case 1:
        rotation.readmit()
        model.readmit()
      case 2:
        let triesCurrent = Bool.random(using: &random)
        rotation.restart(triesCurrent: triesCurrent)
        model.restart(triesCurrent: triesCurrent)
      default:
        if model.isExhausted { continue }
        let chance = chance()
        rotation.advance(chance: chance)
        model.choose(chance)
      }
    }
  }

  @Test("tries each address once per round, and none twice in a row if there is another one", arguments: 1...16)
  func rounds(count: Int) {
    var random = SeededRandom(seed: UInt64(count))
    var rotation = AddressRotation(count: count, chance: Double.random(in: 0...1, using: &random))
    var last: Int?
    for round in 1...50 {
      var tried: [Int] = []
      repeat {
        if !(round == 1 && tried.isEmpty) { rotation.advance(chance: Double.random(in: 0...1, using: &random)) }
        #expect(rotation.round == round)
        #expect(count == 1 || rotation.current != last)
        last = rotation.current
        tried.append(rotation.current)
      } while !rotation.isRoundOver
      #expect(tried.sorted() == Array(0..<count))
    }
  }

  @Test("spreads clients evenly, over the first address and over the next after a loss", arguments: [2, 3, 5, 16])
  func spread(count: Int) {
    let clients = 8000 * count
    var firsts = Array(repeating: 0, count: count)
    var nexts = Array(repeating: 0, count: count)
    var random = SeededRandom(seed: 16)
    for _ in 0..<clients {
      var rotation = AddressRotation(count: count, chance: Double.random(in: 0...1, using: &random))
      firsts[rotation.current] += 1
      // All clients lose the same address.
      guard rotation.current == 0 else { continue }
      rotation.restart()
      rotation.advance(chance: Double.random(in: 0...1, using: &random))
      nexts[rotation.current] += 1
    }
    for address in 0..<count {
      #expect(abs(firsts[address] - 8000) < 500, "\(firsts)")
      if address > 0 { #expect(abs(nexts[address] - firsts[0] / (count - 1)) < 250 + 250 / count, "\(nexts)") }
    }
    #expect(nexts[0] == 0)
  }

  @Test("chooses a valid address for the lowest and the highest random number")
  func bounds() {
    #expect(AddressRotation(count: 3, chance: 0).current == 0)
    #expect(AddressRotation(count: 3, chance: 1).current == 2)
    var rotation = AddressRotation(count: 3, chance: 1)
    rotation.advance(chance: 1)
    #expect(rotation.current == 1)
  }
}
