import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The time column: match clocks, "live", start times and their dates.
struct TimeColumnTests {
  /// 2025-06-25 00:30 UTC, a Wednesday. The board's day is Tuesday.
  private static let tomorrow: Int64 = 1_750_811_400_000
  private static let day: Int64 = 86_400_000

  private static func match(
    _ id: MatchID = 100, start: Int64? = nil, _ status: MatchStatus = .pending, minute: Int? = nil,
    score: Score? = nil, part: String = ""
  ) -> Match {
    Match(
      id: id, labels: Match.Names(name: "Ajax - Porto", part: part), startTime: start, status: status, score: score,
      minute: minute)
  }

  private func line(_ match: Match, columns: Int = 80, zone: ZoneOffsets = 0) -> String {
    var board = Board(rows: 8, columns: columns)
    board.now.zone = zone
    board.update(match)
    board.paint()
    return board.line(2)
  }

  @Test(
    "A start on another day has its weekday within a week, and otherwise month and day",
    arguments: [
      (-86_400_000 * 25, "05-31 00:30 "), (-86_400_000, "06-24 00:30 "), (0, "Wed 00:30   "),
      (86_400_000, "Thu 00:30   "),
      (86_400_000 * 5, "Mon 00:30   "), (86_400_000 * 6, "07-01 00:30 "), (86_400_000 * 200, "01-11 00:30 "),
    ] as [(Int64, String)])
  func dates(after: Int64, expected: String) {
    let text = line(Self.match(start: Self.tomorrow + after))
    // The day before `tomorrow` is the board's day.
    if after == -Self.day { #expect(text.hasPrefix("00:30 ")) } else { #expect(text.hasPrefix(expected), "\(text)") }
  }

  @Test(
    "The day is that of the board's time zone",
    arguments: [
      (0, "Wed 00:30"), (-3600, "23:30 "), (45_900, "Wed 13:15"), (-36_000, "Tue 14:30 "), (57_600, "16:30 "),
    ])
  func zones(zone: Int, expected: String) {
    #expect(line(Self.match(start: Self.tomorrow), zone: ZoneOffsets(fixed: zone)).hasPrefix(expected))
  }

  @Test(
    "The offset at a time is that of the zone, whichever times were asked for before",
    arguments: 0..<20 as Range<UInt64>)
  func offsets(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    // Another offset at each millisecond.
    @Sendable func offset(at wall: Int64) -> Int { Int((wall &* 31) % 50_000) }
    let zone = ZoneOffsets(offset)
    // More times than the zone remembers, of which many have the same place.
    let step = 60_000 * [1, 127, 1000].randomElement(using: &random)!
    let times = (0..<200).map { Self.tomorrow + Int64($0 * step) + Int64($0 % 3) } + [0, -1, .max, .min + 1]
    for _ in 0..<2000 {
      let time = times.randomElement(using: &random)!
      #expect(zone.seconds(at: time) == offset(at: time))
    }
  }

  @Test("A start after a change between summer and winter time has the offset of its own time")
  func clockChange() {
    // On Tuesday it is 10:00, and clocks are set back by an hour at 00:00 UTC.
    let zone = ZoneOffsets { $0 < Self.tomorrow - 1_800_000 ? 7200 : 3600 }
    var board = Board(rows: 8, columns: 80)
    board.now.zone = zone
    board.update(Self.match(start: Self.tomorrow))
    board.paint()
    #expect(board.line(0).contains("10:00") && board.line(2).hasPrefix("Wed 01:30 "))
    #expect(line(Self.match(start: Self.tomorrow - 3_600_000), zone: zone).hasPrefix("Wed 01:30 "))
    #expect(line(Self.match(start: Self.tomorrow - 7_200_000), zone: zone).hasPrefix("Wed 00:30 "))
    let late = Self.tomorrow + Self.day - 7_200_000
    #expect(line(Self.match(start: late), zone: zone).hasPrefix("Wed 23:30 "))
  }

  @Test(
    "A date that does not fit beside the time uses the empty score column, or replaces the time",
    arguments: [(50, "  Wed "), (80, "Wed 00:30 "), (120, "  Wed 00:30 ")])
  func widths(columns: Int, expected: String) {
    #expect(line(Self.match(start: Self.tomorrow), columns: columns).hasPrefix(expected))
  }

  @Test("A score that is known keeps its column")
  func score() {
    #expect(line(Self.match(start: Self.tomorrow, score: Score(home: 0, away: 0))).hasPrefix("  Wed  0-0 "))
  }

  @Test("The mark of a pinned row follows the date")
  func pinned() {
    var board = Board(rows: 8, columns: 80)
    board.update(Self.match(start: Self.tomorrow + Self.day * 10))
    board.type("m")
    board.paint()
    #expect(board.line(2).hasPrefix("07-05 00:30 ★ Ajax"))
  }

  @Test("At midnight the rows that start on the new day are repainted")
  mutating func midnight() {
    var board = Board(rows: 8, columns: 80)
    board.update(Self.match(start: Self.tomorrow), Self.match(200, start: Self.tomorrow + Self.day))
    board.wait(.seconds(15 * 3600 + 59 * 60 + 30))
    board.paint()
    #expect(board.line(2).hasPrefix("Wed 00:30 ") && board.line(3).hasPrefix("Thu 00:30 "))
    #expect(board.state.nextDeadline(after: board.now) <= board.now.uptime + .seconds(30))
    board.wait(.seconds(30))
    let damage = board.paint()
    #expect(board.line(2).hasPrefix("00:30 ") && board.line(3).hasPrefix("Thu 00:30 "))
    #expect(damage.map(\.row).contains(2) && !damage.map(\.row).contains(3))
  }

  @Test(
    "A match in play without a clock shows live, or its part if the part has no column and fits",
    arguments: [(80, " live "), (120, "    2nd Set "), (200, "       live ")])
  func live(columns: Int, expected: String) {
    let text = line(Self.match(start: Self.tomorrow, .inProgress, part: "2nd Set"), columns: columns)
    #expect(text.hasPrefix(expected), "\(text)")
  }

  @Test("The time column shows the minute or the end of a match, and is empty if nothing is known")
  func others() {
    #expect(line(Self.match(start: 0, .inProgress, minute: 63)).hasPrefix("  63' "))
    #expect(line(Self.match(start: 0, .inProgress, minute: 12_345)).hasPrefix(" 999' "))
    #expect(line(Self.match(start: 0, .ended, minute: 90)).hasPrefix("  end "))
    #expect(line(Self.match()).hasPrefix("              Ajax"))
  }
}
