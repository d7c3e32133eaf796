/// The time that a chart shows: points beside each other, of so many seconds each.
///
/// It begins with the history and grows to the right; where that is full, a point stands for more seconds, and where it
/// reaches as far back as the history does, it moves on by a quarter. So a price at rest changes one cell at a time.
struct ChartWindow: Hashable, Sendable {
  /// A second of `FeedTime`.
  let start: Int
  /// Seconds of a point.
  let unit: Int
  let points: Int

  private static let units = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 1200, 2400]

  /// A window of that many points, from the first second that is known to the newest.
  init(points: Int, first: Int, newest: Int) {
    self.points = max(1, points)
    let wanted = min(newest - first + 1, PriceHistory.reach)
    unit = Self.units.first { [points = self.points] in points * $0 >= wanted } ?? PriceHistory.reach
    let length = self.points * unit
    let least = newest + 1 - length
    let step = max(1, self.points / 4) * unit
    start = least <= first ? first : (least + step - 1) / step * step
  }

  var seconds: Range<Int> { start..<start + points * unit }

  func seconds(of point: Int) -> Range<Int> { start + point * unit..<start + (point + 1) * unit }

  /// The point in which a second lies.
  func point(of second: Int) -> Int { (second - start) / unit }
}
