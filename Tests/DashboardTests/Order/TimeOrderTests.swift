import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The order by time is the order of what the time column shows.
@Suite(.timeLimit(.minutes(45)))
struct TimeOrderTests {
  private static func match(_ id: UInt64, _ random: inout SeededRandom) -> Match {
    // Within the year of the board's day, 2025-06-24.
    let start = 1_750_752_000_000 + Int64.random(in: -150...150, using: &random) * 21_600_000 / 2
    let status: MatchStatus = [.unknown, .pending, .inProgress, .inProgress, .ended].randomElement(using: &random)!
    let minute = Bool.random(using: &random) ? Int.random(in: 0...95, using: &random) : nil
    return Match(
      id: MatchID(raw: id), labels: Match.Names(name: "m\(id) - x"),
      startTime: Int.random(in: 0..<8, using: &random) == 0 ? nil : start, status: status, minute: minute)
  }

  /// Returns the rank of a text of the time column: its group, and its rank in the group. `today` is the day of the
  /// year, and `weekday` is 0 on Monday.
  private static func place(of text: String, today: Int, weekday: Int) -> (group: Int, place: Int) {
    if text.isEmpty { return (4, 0) }
    if text == "end" { return (3, 0) }
    if text == "live" { return (1, 0) }
    if text.hasSuffix("'") { return (0, -Int(text.dropLast())!) }
    let parts = text.split(separator: " ")
    let time = parts.last!.split(separator: ":").map { Int($0)! }
    var day = today
    if parts.count == 2, let name = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].firstIndex(of: parts[0]) {
      day += (name - weekday + 7) % 7
    } else if parts.count == 2 {
      let date = parts[0].split(separator: "-").map { Int($0)! }
      day = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].prefix(date[0] - 1).reduce(0, +) + date[1]
    }
    return (2, day * 1440 + time[0] * 60 + time[1])
  }

  @Test(
    "The rows are sorted by what their time columns show", arguments: 0..<20 as Range<UInt64>
  )
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var board = Board(rows: 44, columns: 120)
    // Not beyond the ends of the day, so that the day of the year is known.
    board.now.zone = ZoneOffsets(fixed: [0, 19_800, -14_400, 45_900].randomElement(using: &random)!)
    let (today, weekday) = (175, 1)
    for round in 0..<12 {
      for _ in 0..<(round == 0 ? 40 : 8) {
        board.update(Self.match(UInt64.random(in: 1...40, using: &random), &random))
      }
      if round % 4 == 3 { board.type("S") }
      for _ in 0..<2 {
        board.wait(.seconds(3))
        board.paint()
      }
      let isReversed = board.state.settings.order.isReversed
      let places = (0..<board.state.list.rows.count).map { row in
        let text = String(board.line(row + 2).prefix(11)).split(separator: " ").joined(separator: " ")
        return Self.place(of: text, today: today, weekday: weekday)
      }
      for (left, right) in zip(places, places.dropFirst()) {
        // Rows without a time are last in either direction.
        let isOrdered = right.group == 4 || left.group != 4 && (isReversed ? right <= left : left <= right)
        #expect(isOrdered, "seed \(seed), round \(round), reversed \(isReversed): \(left) \(right)")
      }
    }
  }

  private static func playing(_ id: MatchID, minute: Int, start: Int64 = 1_750_752_000_000) -> Match {
    Match(
      id: id, labels: Match.Names(name: "m\(id) - x"), startTime: start, status: .inProgress, minute: minute)
  }

  @Test("An advancing match clock moves its row, but not within two seconds after the cursor has moved")
  func clocks() {
    var board = Board(rows: 12, columns: 80)
    var ids: [MatchID] { (0..<board.state.list.rows.count).map { board.state.list.rows[$0].id } }
    board.update(Self.playing(1, minute: 45), Self.playing(2, minute: 44))
    board.press(.down)
    board.update(Self.playing(2, minute: 46))
    #expect(ids == [1, 2])
    board.wait(.milliseconds(1999))
    board.paint()
    #expect(ids == [1, 2])
    board.wait(.milliseconds(1))
    board.paint()
    #expect(ids == [2, 1])
  }

  @Test("A match that begins or ends moves at once; ended matches come after pending ones")
  func stages() {
    var board = Board(rows: 12, columns: 80)
    var ids: [MatchID] { (0..<board.state.list.rows.count).map { board.state.list.rows[$0].id } }
    func match(_ id: MatchID, _ status: MatchStatus) -> Match {
      Match(id: id, labels: Match.Names(name: "m\(id) - x"), startTime: 1_750_752_000_000, status: status)
    }
    board.update(match(1, .pending), match(2, .pending), match(3, .inProgress), Self.playing(4, minute: 1))
    #expect(ids == [4, 3, 1, 2])
    board.update(match(2, .inProgress), match(4, .ended))
    #expect(ids == [2, 3, 1, 4])
  }
}
