import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// Compares the merged changes of two boards with a plain computation for each list and match.
struct WatchListMergeLawTests {
  private typealias Plain = [String: Set<UInt64>]

  private static func random(_ random: inout SeededRandom) -> Plain {
    var lists: Plain = ["": []]
    if Int.random(in: 0..<8, using: &random) == 0 { return lists }
    for name in ["a", "b", "c"] where Bool.random(using: &random) { lists[name] = [] }
    for name in lists.keys.sorted() { lists[name] = matches(&random) }
    return lists
  }

  private static func matches(_ random: inout SeededRandom) -> Set<UInt64> {
    Set((1...4).filter { _ in Bool.random(using: &random) })
  }

  /// Changes some lists and leaves others as they are.
  private static func change(_ lists: Plain, _ random: inout SeededRandom) -> Plain {
    var changed = Self.random(&random)
    for (name, matches) in lists.sorted(by: { $0.key < $1.key }) where Int.random(in: 0..<3, using: &random) > 0 {
      changed[name] = matches
    }
    return changed
  }

  private static func lists(_ plain: Plain) -> [WatchList] {
    plain.sorted { $0.key < $1.key }.map { name, matches in
      WatchList(name: name, pins: matches.map { BoardSession.Pin(match: "\($0)", offers: ["\($0)1"]) })
    }
  }

  /// The lists of a file, which does not keep an empty first list alone.
  private static func stored(_ plain: Plain) -> [WatchList] { plain == ["": []] ? [] : lists(plain) }

  private static func plain(_ lists: [WatchList]) -> Plain {
    Dictionary(uniqueKeysWithValues: lists.map { ($0.name, Set($0.pins.matches.map(\.raw))) })
  }

  /// Returns this board's value if this board has changed it, otherwise the value in the file.
  private static func merge<Value: Equatable>(_ base: Value, _ mine: Value, _ other: Value) -> Value {
    mine == base ? other : mine
  }

  @Test("A merge keeps each board's changes to matches and lists, and loses nothing that a board added")
  func law() {
    for seed in Laws.seeds(2000) {
      var random = SeededRandom(seed: seed)
      let base = Self.random(&random)
      let (mine, other) = (Self.change(base, &random), Self.change(base, &random))
      var expected: Plain = [:]
      for name in Set(base.keys).union(mine.keys).union(other.keys) {
        var isKept = Self.merge(base[name] != nil, mine[name] != nil, other[name] != nil)
        // A list deleted by one board stays if the other one has changed it.
        for list in [mine[name], other[name]] where list != nil && base[name] != list { isKept = true }
        guard isKept else { continue }
        guard mine[name] != nil, other[name] != nil else {
          expected[name] = mine[name] ?? other[name]
          continue
        }
        expected[name] = Set(
          (1...4 as ClosedRange<UInt64>).filter { match in
            Self.merge(
              base[name]?.contains(match) ?? false, mine[name]?.contains(match) ?? false,
              other[name]?.contains(match) ?? false)
          })
      }
      let merged = Self.lists(mine).merged(since: Self.stored(base), with: Self.stored(other))
      #expect(Self.plain(merged) == expected, "seed \(seed)")
      #expect(merged.first?.name == "", "seed \(seed)")
    }
  }
}
