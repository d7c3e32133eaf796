import Dashboard
import OddsModel
import TestSupport
import Testing

@testable import toteboard

@Suite("The text of a session")
struct SessionTextTests {
  private static func pins(_ count: Int, using random: inout SeededRandom) -> [BoardSession.Pin] {
    (0..<count).map { _ in
      BoardSession.Pin(
        match: "\(Int.random(in: 1...10_000, using: &random))", offers: ["\(Int.random(in: 1...9, using: &random))"])
    }
  }

  @Test("The text is the same with and without previously formatted lists", arguments: Laws.seeds(20))
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var (session, text) = (BoardSession(), SessionText())
    for step in 0..<60 {
      let index = Int.random(in: 0...session.watchLists.count, using: &random)
      let list = WatchList(name: "L\(step)", pins: Self.pins(Int.random(in: 0...4, using: &random), using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: session.watchLists.insert(list, at: index)
      case 1 where index < session.watchLists.count: session.watchLists.remove(at: index)
      case 2 where index < session.watchLists.count: session.watchLists[index] = list
      case 3: session.filter = "\(step)"
      default: session.watchLists.append(list)
      }
      #expect(text.toml(session) == session.toml, "seed \(seed), step \(step)")
    }
  }

  @Test("Only the list that has changed is formatted again")
  func once() {
    var random = SeededRandom(seed: 1)
    var (session, text) = (BoardSession(), SessionText())
    session.watchLists = (0..<100).map { WatchList(name: "L\($0)", pins: Self.pins(20, using: &random)) }
    _ = text.toml(session)
    #expect(text.formatted == 100)
    session.watchLists[70] = WatchList(name: "L70", pins: Self.pins(20, using: &random))
    session.filter = "live"
    #expect(text.toml(session) == session.toml && text.formatted == 101)
    #expect(text.toml(session) == session.toml && text.formatted == 101)
  }
}
