import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Random updates, keys and waits on a board of up to 24 matches.
@Suite(.timeLimit(.minutes(45)))
struct OrderLawTests {
  /// Each match in several states: prices, names, start times, no market at all.
  private static let allMatches: [[Match]] = (1...24).map { number in
    let id = number * 100
    let start = Int64(1_000_000 + number % 5 * 1000)
    return [
      .named("nobody \(number % 3)", MatchID(raw: UInt64(id))),
      .football(id, "m\(number % 7) - x", start: start, odds: ["1.5", "3", "9"]),
      .football(id, "M\(number % 7) - x", start: start, odds: ["\(1 + Double(number) / 10)", "3", "4"]),
      .football(id, "m\(number % 7) - x", start: start + 7000, odds: ["2", "3", "4"]),
      .football(id, "q\(number) - x", start: start, odds: ["2.2", "3", "1.01"]),
      .football(
        id, "m\(number % 7) - x", start: start, odds: ["2", "3", "4"],
        then: FeedText.change("BETTING_OFFER", id + 21, #""statusId":"7""#)),
    ]
  }

  private static func below(_ most: Int64) -> @Sendable (MatchRow) -> Bool {
    { row in
      guard let favourite = row.favourite else { return true }
      return favourite.hundredths < most
    }
  }

  /// Checks that positions and ids agree, pinned rows come first and the cursor is visible.
  private func check(_ board: Board, _ seed: UInt64) {
    let rows = board.state.list.rows
    let isOrdered = (0..<rows.count).allSatisfy { rows.position(of: rows[$0].id) == $0 }
    #expect(isOrdered, "seed \(seed)")
    let pinned = rows.pinnedCount
    let pinnedFirst = (0..<rows.count).allSatisfy { ($0 < pinned) == board.state.list.pins.contains(rows[$0].id) }
    #expect(pinnedFirst, "seed \(seed)")
    let cursor = board.state.list.cursor
    #expect(cursor == 0 && rows.count == 0 || 0..<rows.count ~= cursor, "seed \(seed)")
    #expect(cursor == 0 || !board.state.list.staysAtTop, "seed \(seed)")
    if rows.count > 0 {
      let visible = board.state.list.visible
      #expect(visible.sticky.contains(cursor) || visible.scrolled.contains(cursor), "seed \(seed)")
      let lines = (0..<board.state.list.height).compactMap { board.state.list.position(atRow: $0) }
      #expect(lines == Array(visible.sticky) + Array(visible.scrolled), "seed \(seed)")
    }
  }

  /// Checks that the rows, once they have settled, are in the order of a fresh sort.
  private func checkSettled(_ board: Board, _ seed: UInt64) {
    let (rows, order) = (board.state.list.rows, board.state.settings.order)
    #expect(!rows.isUnsettled, "seed \(seed)")
    let fresh = rows.all.filter { rows.predicate?($0) ?? true }.map { row in
      let name = order.name(of: row)
      let isPinned = board.state.list.pins.contains(row.id)
      return (key: order.key(of: row, name, rows.marginMethod, isPinned: isPinned), name: name)
    }.sorted { left, right in order.precedes(left.key, right.key) { (left.name, right.name) } }
    #expect(fresh.map(\.key.id) == (0..<rows.count).map { rows[$0].id }, "seed \(seed), \(order)")
  }

  @Test("After any input, positions are valid, the cursor keeps its match, and the settled order is correct")
  func law() {
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var board = Board(rows: 14, columns: 80, throttle: seed % 3 == 0 ? .milliseconds(100) : .zero)
      var movedAt = Duration.zero
      for _ in 0..<250 {
        let rows = board.state.list.rows
        let chosen = board.state.list.staysAtTop || rows.count == 0 ? nil : rows[board.state.list.cursor].id
        let before = (0..<rows.count).map { rows[$0].id }
        var isGone = false
        var mayMove = false
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8:
          board.update(Self.allMatches.randomElement(using: &random)!.randomElement(using: &random)!)
        case 8:
          let removed = Self.allMatches.randomElement(using: &random)![0].id
          isGone = removed == chosen
          board.update(removed: [removed])
        case 9: board.type("s")
        case 10: board.type("S")
        case 11:
          board.type("m")
          mayMove = true
        case 12..<15:
          board.press([.down, .up, .pageDown, .home, .end].randomElement(using: &random)!)
          mayMove = true
        case 15:
          let most = Int64.random(in: 100...400, using: &random)
          isGone = true
          board.state.list.reduce(
            .show(only: Bool.random(using: &random) ? nil : Self.below(most)), board.state.context(board.now))
        default:
          board.wait(.milliseconds(Int.random(in: 1...1500, using: &random)))
          board.paint()
          let after = (0..<board.state.list.rows.count).map { board.state.list.rows[$0].id }
          if Set(after) == Set(before), after != before, board.state.settings.order.key != .time {
            #expect(board.now.uptime >= movedAt + ReorderDelay.rest, "seed \(seed)")
          }
        }
        if mayMove { movedAt = board.now.uptime }
        // A row that no longer fits is removed, and the cursor stays at its position.
        if board.state.list.rows.predicate != nil, let chosen, board.state.list.rows.position(of: chosen) == nil {
          isGone = true
        }
        check(board, seed)
        if let chosen, !isGone, !mayMove {
          #expect(board.state.list.rows[board.state.list.cursor].id == chosen, "seed \(seed)")
        }
      }
      board.wait(.seconds(5))
      board.paint()
      board.wait(.seconds(5))
      board.paint()
      checkSettled(board, seed)
    }
  }
}
