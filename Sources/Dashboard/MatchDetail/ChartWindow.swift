/// The time range of a chart, divided into points of equal duration.
///
/// The window begins with the history and grows to the right. When it is full, each point covers more seconds. When it
/// covers the whole reach of the history, it advances by a quarter of its length. Thus a constant price changes only
/// one cell at a time.
struct ChartWindow: Hashable, Sendable {
  /// The first second, in `FeedTime`.
  let start: Int
  /// The duration of a point in seconds.
  let unit: Int
  let points: Int

  private static let units = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 1200, 2400]

  /// Creates a window from the first known second to the newest.
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

  /// Returns the index of the point that contains a second.
  func point(of second: Int) -> Int { (second - start) / unit }
}
