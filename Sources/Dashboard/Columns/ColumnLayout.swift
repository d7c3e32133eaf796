import TerminalCore

/// The values on which the choice of columns depends besides the width.
struct ColumnSource: Hashable, Sendable {
  /// The columns that the user has chosen; empty for the automatic choice.
  var chosen: [ChosenColumn] = []
  var hasTrend = true
  /// True if the rows are of different sports.
  var hasSports = false
  /// True if a row has had prices to lay.
  var hasSides = false
  /// True if the favourite's movement is in place of the margin.
  var showsMove = false
}

/// The columns of a match's row that fit a width, from left to right.
struct ColumnLayout: Hashable, Sendable {
  struct Placed: Hashable, Sendable {
    let column: BoardColumn
    let cells: Range<Int>
  }

  private(set) var placed: [Placed] = []
  private(set) var shown = ColumnSet()
  /// The chosen columns that do not fit.
  private(set) var hidden: [BoardColumn] = []
  /// The cells of these columns, as `subscript` returns them; each is empty if its column is not shown.
  private(set) var time = 0..<0
  private(set) var score = 0..<0
  private(set) var name = 0..<0
  private var end = 0

  /// The least width of a name that still identifies a match. A price column is more important than the rest of the
  /// name.
  static let briefName = 8
  static let maxName = 48
  /// The width of an amount beside its price.
  static let sizeWidth = 5
  private static let minName = 14
  private static let minNameBesideSport = 18
  /// The least screen width for a trend. A trend changes with each price; narrower screens save those bytes.
  private static let trendFrom = 130
  private static let gap = 1

  init(_ source: ColumnSource, width: Int) {
    if source.chosen.isEmpty { placeUsual(source, width: width) } else { placeChosen(source, width: width) }
  }

  /// Returns the cells of a column; empty if it is not shown.
  subscript(column: BoardColumn) -> Range<Int> { placed.first { $0.column == column }?.cells ?? 0..<0 }

  /// Places the columns in order of importance as long as the name keeps its least width, and gives name and trend the
  /// remaining cells.
  private mutating func placeUsual(_ source: ColumnSource, width: Int) {
    let priceWidth = ColumnEntry.priceWidth
    let priceCount = max(0, min(3, (width - Self.briefName) / (priceWidth + Self.gap)))
    var room = width - priceCount * (priceWidth + Self.gap)
    func allocate(_ cells: Int, leaving rest: Int = Self.minName) -> Int {
      guard room - cells - Self.gap >= rest else { return 0 }
      room -= cells + Self.gap
      return cells
    }
    func allocate(_ column: BoardColumn, leaving rest: Int = Self.minName) -> Int {
      allocate(column.entry.width(onScreenOf: width), leaving: rest)
    }
    // Prices to lay are more important than the time, amounts less important than the age.
    func allocateSides(_ cells: Int, leaving rest: Int) -> Bool {
      source.hasSides && priceCount > 0 && allocate(priceCount * (cells + Self.gap) - Self.gap, leaving: rest) > 0
    }
    let hasLay = allocateSides(priceWidth, leaving: Self.briefName)
    let time = allocate(.time)
    let score = allocate(.score)
    let figure = source.showsMove ? BoardColumn.mover : .margin
    let margin = allocate(figure)
    let age = allocate(.change)
    let hasSizes = hasLay && allocateSides(Self.sizeWidth * 2 + Self.gap, leaving: Self.minName)
    let sport = source.hasSports ? allocate(.sport, leaving: Self.minNameBesideSport) : 0
    var trend = source.hasTrend && width >= Self.trendFrom ? allocate(.trend, leaving: 55) : 0
    let tournament = allocate(.tournament, leaving: 30)
    let country = tournament > 0 ? allocate(.country, leaving: 34) : 0
    let part = allocate(.part, leaving: 36)
    let name = min(room, Self.maxName)
    if trend > 0 { trend = min(trend + room - name, PriceTrend.limit) }

    place(.time, time)
    place(.score, score)
    place(.sport, sport)
    place(.name, name)
    // If only two prices fit, the draw is dropped: every sport has two sides.
    for index in priceCount == 2 ? [0, 2] : Array(0..<priceCount) {
      // The amount to back comes before its price, so that both prices are beside each other.
      if hasSizes { place(BoardColumn.backSizes[index], Self.sizeWidth) }
      place(BoardColumn.prices[index], priceWidth)
      if hasLay { place(BoardColumn.lays[index], priceWidth) }
      if hasSizes { place(BoardColumn.laySizes[index], Self.sizeWidth) }
    }
    place(figure, margin)
    place(.change, age)
    place(.trend, trend)
    place(.part, part)
    place(.tournament, tournament)
    place(.country, country)
  }

  /// Places the chosen columns. As long as they do not fit, the last one is left out, but never the name, which is
  /// shortened first. Name and trend get the remaining cells, unless the user has chosen their widths.
  private mutating func placeChosen(_ source: ColumnSource, width: Int) {
    var columns = source.chosen
    if !source.hasTrend { columns.removeAll { $0.column == .trend } }
    func minWidth(of column: ChosenColumn) -> Int {
      let cells = column.width ?? column.column.entry.width(onScreenOf: width)
      return column.column == .name ? min(cells, Self.briefName) : cells
    }
    var total = columns.reduce(-Self.gap) { $0 + minWidth(of: $1) + Self.gap }
    while total > width, let last = columns.lastIndex(where: { $0.column != .name }) {
      total -= minWidth(of: columns[last]) + Self.gap
      hidden.append(columns.remove(at: last).column)
    }
    hidden.reverse()
    var room = max(0, width - total)
    var cells = columns.map(minWidth)
    func extend(_ column: BoardColumn, to maxWidth: Int) {
      guard let index = columns.firstIndex(where: { $0.column == column }) else { return }
      let more = max(0, min(room, (columns[index].width ?? maxWidth) - cells[index]))
      cells[index] += more
      room -= more
    }
    extend(.name, to: Self.maxName)
    extend(.trend, to: PriceTrend.limit)
    for (column, cells) in zip(columns, cells) { place(column.column, min(cells, width)) }
  }

  private mutating func place(_ column: BoardColumn, _ count: Int) {
    guard count > 0 else { return }
    let cells = end..<end + count
    end = cells.upperBound + Self.gap
    placed.append(Placed(column: column, cells: cells))
    shown.insert(column)
    switch column {
    case .time: time = cells
    case .score: score = cells
    case .name: name = cells
    default: break
    }
  }
}
