import TerminalCore

/// The layout of the detail pane, in rows and columns of the screen.
struct DetailLayout: Hashable {
  /// The columns of the pane, without a blank column at each side.
  let columns: Range<Int>
  let rows: Range<Int>
  let name: Int?
  let about: Int?
  let notice: Int?
  let titles: Int?
  let list: Range<Int>
  /// The row above the chart.
  let chartTitle: Int?
  let chart: Range<Int>
  /// The row of the axis below the chart, and the row of times below that.
  let axis: Int?
  let times: Int?
  /// The rows of the bet calculator, below all others.
  let calculator: Range<Int>

  /// The columns of an outcome row. Empty if they do not fit.
  private(set) var outcome = 0..<0
  private(set) var price = 0..<0
  private(set) var fair = 0..<0
  /// The columns of the changes, one for each of `spans`.
  private(set) var changes: [Range<Int>] = []
  private(set) var probability = 0..<0
  /// The column of the stakes of a dutch bet, in place of the changes and the probability.
  var stake: Range<Int> { (changes.first?.lowerBound ?? 0)..<(changes.first?.isEmpty == false ? lastColumn : 0) }
  /// The end of the last column of an outcome row.
  var lastColumn: Int { probability.isEmpty ? columns.upperBound : probability.upperBound }
  /// The columns of the chart, and of the prices beside it.
  private(set) var plot = 0..<0
  private(set) var scale = 0..<0

  /// The spans of the changes in seconds. Nil stands for the time since the first price.
  static let spans: [Int?] = [nil, 60, 300, 1800]

  private enum Width {
    static let price = ShortText.priceWidth + 1
    static let change = 6
    static let probability = 5
    static let minChart = 20
    static let minName = 12
    static let maxName = 40
  }

  init(_ layout: Layout, hasNotice: Bool, hasCalculator: Bool = false) {
    let top = layout.titles ?? layout.body.lowerBound
    rows = top..<max(top, layout.body.upperBound)
    let height = rows.count
    columns = layout.pane.count > 20 ? layout.pane.lowerBound + 1..<layout.pane.upperBound - 1 : layout.pane
    var at = top
    func line(from least: Int) -> Int? {
      guard height >= least else { return nil }
      defer { at += 1 }
      return at
    }
    name = line(from: 1)
    about = line(from: 8)
    notice = hasNotice ? line(from: 3) : nil
    titles = line(from: 10)
    let calculatorHeight = hasCalculator ? max(0, min(BetCalculator.rowCount, height - 2)) : 0
    calculator = rows.upperBound - calculatorHeight..<rows.upperBound
    let drawn = height - calculatorHeight >= 15 && columns.count >= Width.minChart ? max(3, min(11, height / 4)) : 0
    // An odd number of rows has one in the middle.
    let plotHeight = drawn.isMultiple(of: 2) && drawn > 0 ? drawn - 1 : drawn
    let end = calculator.lowerBound - (plotHeight > 0 ? plotHeight + 3 : 0)
    let first = min(at, calculator.lowerBound)
    list = first..<max(first, end)
    let plotEnd = end + 1 + plotHeight
    chartTitle = plotHeight > 0 ? end : nil
    chart = plotHeight > 0 ? end + 1..<plotEnd : end..<end
    axis = plotHeight > 0 ? plotEnd : nil
    times = plotHeight > 0 ? plotEnd + 1 : nil
    placeColumns()
  }

  private mutating func placeColumns() {
    var room = columns.count - 2 - Width.price - 1
    func allocate(_ cells: Int) -> Int {
      guard room - cells - 1 >= Width.minName else { return 0 }
      room -= cells + 1
      return cells
    }
    let open = allocate(Width.change)
    let probability = allocate(Width.probability)
    let fair = allocate(ShortText.priceWidth)
    let changes = [open] + Self.spans.dropFirst().map { _ in allocate(Width.change) }
    var at = columns.lowerBound + 2
    func place(_ cells: Int) -> Range<Int> {
      guard cells > 0 else { return 0..<0 }
      defer { at += cells + 1 }
      return at..<at + cells
    }
    outcome = place(max(1, min(room, Width.maxName)))
    price = place(Width.price)
    self.fair = place(fair)
    self.changes = changes.map(place)
    self.probability = place(probability)
    scale = columns.lowerBound..<min(columns.lowerBound + ShortText.priceWidth + 1, columns.upperBound)
    plot = min(scale.upperBound + 1, columns.upperBound)..<columns.upperBound
  }
}
