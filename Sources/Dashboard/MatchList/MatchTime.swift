import OddsModel

/// The content of the time column, which is also what the order by time compares.
enum MatchTime: Hashable, Sendable {
  /// In play, at a minute of the match clock.
  case clock(Int)
  /// In play, without a match clock.
  case live
  /// Not in play: the start time, in milliseconds since 1970.
  case start(Int64)
  case ended
  case unknown

  /// The highest minute that fits the column.
  private static let maxMinute = 999

  init(_ status: MatchStatus, minute: Int?, startTime: Int64?) {
    self =
      switch (status, minute) {
      case (.ended, _): .ended
      case (.inProgress, let minute?): .clock(max(0, min(minute, Self.maxMinute)))
      case (.inProgress, nil): .live
      case (.pending, _), (.unknown, _): startTime.map { .start($0) } ?? .unknown
      }
  }
}

/// The rank in the order by time: matches in play by their clocks, the most advanced first, then those in play without
/// a clock, then the others by start time, then ended ones. A match without a time has no rank.
extension MatchTime {
  private static let firstClock = Int64.min / 2
  private static let firstLive = Int64.min / 4
  private static let firstEnded = Int64.max / 2

  /// Returns the rank. Of matches that show the same text, the one that starts first comes first, except with a clock:
  /// their order is that of all equal rows.
  func rank(startTime: Int64?) -> Int64? {
    // Limited, so that the groups of ranks do not overlap.
    let start = max(0, min(startTime ?? .max, Int64.max / 16))
    return switch self {
    case .clock(let minute): Self.firstClock + Int64(Self.maxMinute - minute)
    case .live: Self.firstLive + start
    case .start(let time): max(Self.firstLive / 2, min(time, Self.firstEnded - 1))
    case .ended: Self.firstEnded + start
    case .unknown: nil
    }
  }

  /// Returns true if the rank is that of a match clock.
  static func isClock(_ rank: Int64?) -> Bool { rank.map { $0 < firstLive } ?? false }
}
