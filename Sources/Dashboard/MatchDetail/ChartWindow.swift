/// The time frame of a chart. The right edge is always the newest second.
enum ChartFrame: CaseIterable, Hashable, Sendable {
  case fiveMinutes, hour, sixHours, day, all

  /// The lengths of `all` in seconds. They are few, so that a growing history is rarely drawn at another scale.
  private static let lengths =
    [
      60, 90, 120, 180, 300, 450, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200, 10_800, 14_400, 18_000, 21_600, 28_800,
      43_200, 64_800,
    ] + [1, 2, 3, 4, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 180, 365].map { $0 * secondsPerDay }

  private static let secondsPerDay = 86_400

  var shorter: ChartFrame { Self(at: -1, from: self) }
  var longer: ChartFrame { Self(at: 1, from: self) }

  private init(at step: Int, from frame: ChartFrame) {
    let index = (Self.allCases.firstIndex(of: frame) ?? 0) + step
    self = Self.allCases[max(0, min(index, Self.allCases.count - 1))]
  }

  /// The length in seconds; for `all`, the longest one.
  var seconds: Int {
    switch self {
    case .fiveMinutes: 300
    case .hour: 3600
    case .sixHours: 6 * 3600
    case .day: Self.secondsPerDay
    case .all: 365 * Self.secondsPerDay
    }
  }

  /// False for the frame that shows all prices.
  var hasBegin: Bool { self != .all }

  /// Returns the length in seconds, for a history that begins at `first`.
  func length(first: Int, newest: Int) -> Int {
    self == .all ? Self.lengths.first { $0 > newest - first } ?? seconds : seconds
  }
}

/// The time range of a chart, divided into columns of equal duration.
///
/// The columns are those of a grid that is fixed in time. The window moves on by whole columns, so a column keeps its
/// content while it moves to the left, and a constant price changes nothing once it fills the window.
struct ChartWindow: Hashable, Sendable {
  let columns: Int
  /// The duration of all columns in seconds. It need not be a multiple of their number.
  let length: Int
  /// The newest second, in `FeedClock`. The last column contains it.
  let newest: Int
  /// The first second that has a time: zero in a recording.
  let earliest: Int
  /// The index of the first column in the grid. Negative if the window begins before second zero.
  private let first: Int

  init(columns: Int, length: Int, newest: Int, earliest: Int = 0) {
    self.earliest = min(earliest, newest)
    self.columns = max(1, columns)
    self.length = max(1, length)
    self.newest = newest
    // If columns are shorter than a second, the last one is at the end of the newest second.
    let last = max(
      (newest * self.columns).dividedRoundingDown(by: self.length),
      ((newest + 1) * self.columns).dividedRoundingDown(by: self.length) - 1)
    first = last + 1 - self.columns
  }

  /// Returns the seconds of a point. A column is divided into `across` points; without that, returns those of a column.
  /// Empty if a point is shorter than a second and none begins in it.
  func seconds(of point: Int, across: Int = 1) -> Range<Int> {
    let index = first * across + point
    return start(of: index, across)..<start(of: index + 1, across)
  }

  /// Returns the column that contains a second, or the nearest one if the second is out of the window.
  func column(of second: Int) -> Int {
    max(0, min((second * columns).dividedRoundingDown(by: length) - first, columns - 1))
  }

  /// The first second after the newest at which the window moves on.
  var nextSecond: Int { start(of: (newest * columns).dividedRoundingDown(by: length) + 1, 1) }

  /// Returns the second that a cursor is at: at least the end of the first column and the earliest second, and at most
  /// the newest one.
  func cursor(at second: Int) -> Int { min(newest, max(earliest, seconds(of: 0).upperBound - 1, second)) }

  /// Returns the second that a cursor moves to: the end of the next column to the left (-1) or to the right (1).
  func cursor(movedFrom second: Int, by step: Int) -> Int {
    let end = seconds(of: column(of: second) + step).upperBound - 1
    // A column can be shorter than a second.
    return cursor(at: step > 0 ? max(end, second + 1) : end)
  }

  /// Returns the first second of a point of the grid.
  private func start(of index: Int, _ across: Int) -> Int { (index * length).dividedRoundingUp(by: columns * across) }
}

extension Int {
  fileprivate func dividedRoundingDown(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
  }

  fileprivate func dividedRoundingUp(by divisor: Int) -> Int { -(-self).dividedRoundingDown(by: divisor) }
}
