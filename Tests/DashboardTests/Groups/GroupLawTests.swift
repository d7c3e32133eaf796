import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The headings and rows of a grouped list, compared with a plain computation: sort, partition, flatten.
struct GroupLawTests {
  private enum Line: Equatable {
    case heading(GroupKey, count: Int, live: Int)
    case match(MatchID)
  }

  private static func match(_ id: UInt64, using random: inout SeededRandom) -> Match {
    func name(_ names: [String]) -> String { names.randomElement(using: &random)! }
    let outcomes = (0..<3).map { index in
      let outcome = id * 10 + UInt64(index)
      let offer = BettingOffer(
        id: OfferID(raw: outcome), odds: DecimalOdds(units: Int64.random(in: 101...130, using: &random) * 100_000))
      return Outcome(id: OutcomeID(raw: outcome), name: ["1", "X", "2"][index], offer: offer, isBettable: true)
    }
    return Match(
      id: MatchID(raw: id),
      labels: Match.Names(
        name: name(["a - b", "c - d", "北京国安 - 上海海港"]), tournament: name(["", "Serie A", "中超", "Cup"]),
        category: name(["", "Italy", "Brazil"]), sport: name(["", "Football", "Tennis"])),
      sportID: 1, startTime: Int64.random(in: 1...4, using: &random) * 1000,
      status: [.pending, .inProgress, .ended].randomElement(using: &random)!,
      markets: [Market(id: MarketID(raw: id), name: "Match Odds", outcomes: outcomes)])
  }

  /// Returns the expected headings and rows of the plain computation.
  private static func expected(_ rows: RowList, _ matches: [Match], _ grouping: RowGrouping) -> [Line] {
    let order = rows.order
    let shown = matches.filter { match in rows.row(of: match.id).map { rows.predicate?($0) ?? true } ?? false }
    let sorted = shown.map { match in
      let row = rows.row(of: match.id)!
      let name = order.name(of: row)
      return (match: match, key: order.key(of: row, name, rows.marginMethod, isPinned: false), name: name)
    }.sorted { left, right in order.precedes(left.key, right.key) { (left.name, right.name) } }.map(\.match)
    let pinned = sorted.filter { rows.pinned.contains($0.id) }.map { Line.match($0.id) }
    let rest = sorted.filter { !rows.pinned.contains($0.id) }
    if grouping == .off { return pinned + rest.map { .match($0.id) } }
    let groups = Dictionary(grouping: rest) { GroupKey(grouping, of: $0.labels) }
    // Names are compared in lower case; an empty name comes last.
    func names(_ key: GroupKey) -> [String] {
      [key.tournament, key.country, key.sport].map { $0.isEmpty ? "\u{10FFFF}" : $0.lowercased() }
    }
    return pinned
      + groups.sorted { left, right in
        names(left.key).lexicographicallyPrecedes(names(right.key)) {
          $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars)
        }
      }.flatMap { key, matches -> [Line] in
        let heading = Line.heading(key, count: matches.count, live: matches.count { $0.status == .inProgress })
        return [heading] + (rows.folds.contains(key) ? [] : matches.map { .match($0.id) })
      }
  }

  private static func lines(_ rows: RowList) -> [Line] {
    (0..<rows.lineCount).map { index in
      switch rows.line(index) {
      case .heading(let number):
        let group = rows.groups![number]
        return .heading(group.key, count: group.count, live: group.live)
      case .row(let position): return .match(rows[position].id)
      }
    }
  }

  @Test("Headings and rows equal those of sorting, partitioning and flattening after any change")
  func law() {
    for seed in Laws.seeds(120) {
      var random = SeededRandom(seed: seed)
      var rows = RowList()
      var matches: [MatchID: Match] = [:]
      var grouping = RowGrouping.off
      var now = Duration.zero
      for _ in 0..<80 {
        now += .seconds(1)
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<8:
          let news = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            Self.match(UInt64.random(in: 1...30, using: &random), using: &random)
          }
          for match in news { matches[match.id] = match }
          rows.update(news.filter { matches[$0.id] == $0 }, now: now)
        case 8:
          if let id = matches.keys.sorted().randomElement(using: &random) {
            matches[id] = nil
            rows.remove(id)
          }
        case 9:
          grouping = RowGrouping.allCases.randomElement(using: &random)!
          rows.group(by: grouping)
        case 10:
          rows.sort(
            by: RowOrder(
              [.time, .name, .favourite].randomElement(using: &random)!, isReversed: .random(using: &random)))
        case 11:
          if Bool.random(using: &random) {
            rows.show(only: { $0.status == .inProgress })
          } else {
            rows.show(only: nil)
          }
        case 12:
          let id = MatchID(raw: UInt64.random(in: 1...30, using: &random))
          rows.pin(id, !rows.pinned.contains(id))
        default:
          var folds = rows.folds
          if Int.random(in: 0..<4, using: &random) == 0 {
            folds = GroupFolds()
            folds.foldsAll = Bool.random(using: &random)
          } else if let match = matches.values.sorted(by: { $0.id < $1.id }).randomElement(using: &random) {
            folds.set(GroupKey(grouping, of: match.labels), isFolded: Bool.random(using: &random))
          }
          rows.fold(folds)
        }
        rows.applyMoves()
        let expected = Self.expected(rows, Array(matches.values), grouping)
        #expect(Self.lines(rows) == expected, "seed \(seed)")
        for line in 0..<rows.lineCount {
          let found = rows.line(of: rows.identity(ofLine: line))
          #expect(found == line, "seed \(seed)")
        }
        for position in 0..<rows.count {
          let line = rows.line(ofPosition: position)
          #expect(line.map { rows.line($0) == .row(position) } ?? true, "seed \(seed)")
        }
      }
    }
  }
}
