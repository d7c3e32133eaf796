/// A row's trend as heights from 0 up to a number of levels, from the left.
///
/// Drawn values keep their column until the width is full; then the newer half moves to the left. So most changes
/// redraw one cell.
struct Sparkline: Equatable {
  let heights: [Int]

  init(_ trend: PriceTrend, cells: Int, levels: Int) {
    let step = max(1, cells / 2)
    let beyond = max(0, trend.count - cells)
    let skipped = (beyond + step - 1) / step * step
    let shown = trend.prices.suffix(min(trend.count - skipped, trend.prices.count, max(0, cells)))
    guard let low = shown.min(), let high = shown.max() else {
      heights = []
      return
    }
    heights = shown.map { price in
      high == low ? levels / 2 : Int(((price - low) / (high - low) * Float(levels - 1)).rounded())
    }
  }
}
