import TerminalCore

/// The parts of a screen of a given size: whole rows from top and bottom, and columns by importance.
struct Layout: Hashable {
  let size: Size
  /// The row of column titles; nil if it does not fit.
  let titles: Int?
  /// The rows of matches.
  let body: Range<Int>
  /// The row of counters; nil if it does not fit.
  let counters: Int?
  /// The row of key hints; nil if it does not fit.
  let hints: Int?

  /// The columns of a match's row; each is empty if it does not fit.
  private(set) var time = 0..<0
  private(set) var score = 0..<0
  /// The column of the sport, if the rows are of different ones.
  private(set) var sport = 0..<0
  private(set) var name = 0..<0
  private(set) var tournament = 0..<0
  private(set) var category = 0..<0
  private(set) var part = 0..<0
  /// The price columns 1, X and 2 that fit, each with a last cell for the arrow.
  private(set) var prices: [Price] = []
  private(set) var margin = 0..<0
  private(set) var age = 0..<0
  private(set) var trend = 0..<0

  /// The columns of the open match's pane; empty if none is open.
  let pane: Range<Int>
  private let hasTrend: Bool
  private let hasSports: Bool
  private let hasSides: Bool

  struct Price: Hashable {
    let column: Int
    let cells: Range<Int>
    /// The columns of an exchange; each is empty for fixed odds and if it does not fit.
    var backSize = 0..<0
    var lay = 0..<0
    var laySize = 0..<0
  }

  private enum Width {
    static let time = 5
    /// The width of a start time with its date: `12-24 14:30`.
    static let date = 11
    static let sport = 10
    /// The width of the first letters of a sport.
    static let briefSport = 5
    /// The least screen width for a whole sport. On narrower ones the tournament needs the room.
    static let sportFrom = 140
    /// The least screen width for a start time with its date in the column of the time.
    static let dateFrom = 120
    static let score = 7
    static let price = ShortText.priceWidth + 1
    static let size = 5
    static let margin = 6
    /// An age takes four cells. The fifth is for the arrow of the order after the title.
    static let age = 5
    static let minTrend = 10
    /// The least screen width for a trend. A trend changes with each price; narrower screens save those bytes.
    static let trendFrom = 130
    static let minName = 14
    static let minNameBesideSport = 18
    /// The least width of a name that still identifies a match. A price column is more important than the rest of the
    /// name.
    static let briefName = 8
    static let maxName = 48
    static let gap = 1
  }

  /// The least screen width at which a match's pane is beside the rows.
  static let splitFrom = 120

  /// True if the pane is beside the rows; false if it covers them.
  var isSplit: Bool { pane.lowerBound > 0 }

  /// The layout of the rows beside a pane. A blank column and a vertical line separate them.
  var list: Layout {
    isSplit
      ? Layout(
        size: Size(rows: size.rows, columns: pane.lowerBound - 2), hasTrend: hasTrend, hasSports: hasSports,
        hasSides: hasSides)
      : self
  }

  init(
    size: Size, hasPane: Bool = false, hasTrend: Bool = true, hasSports: Bool = false, hasSides: Bool = false
  ) {
    self.size = size
    self.hasSides = hasSides
    self.hasTrend = hasTrend
    self.hasSports = hasSports
    let width = max(0, size.columns)
    pane = !hasPane ? 0..<0 : width >= Self.splitFrom ? (width + 1) / 2..<width : 0..<width
    let height = max(0, size.rows)
    hints = height >= 8 ? height - 1 : nil
    counters = Self.counters(height)
    titles = height >= 6 ? 1 : nil
    body = Self.body(of: size)
    placeColumns(width: max(0, size.columns))
  }

  private static func counters(_ height: Int) -> Int? { height >= 4 ? height - (height >= 8 ? 2 : 1) : nil }

  /// Returns the rows of matches on a screen of a size; they do not depend on the columns.
  static func body(of size: Size) -> Range<Int> {
    let height = max(0, size.rows)
    let first = min(height, height >= 6 ? 2 : 1)
    return first..<max(first, counters(height) ?? height)
  }

  /// Places the columns in order of importance as long as the name keeps its least width, and gives name and trend the
  /// remaining cells.
  private mutating func placeColumns(width: Int) {
    let priceCount = max(0, min(3, (width - Width.briefName) / (Width.price + Width.gap)))
    var room = width - priceCount * (Width.price + Width.gap)
    func allocate(_ cells: Int, leaving rest: Int = Width.minName) -> Int {
      guard room - cells - Width.gap >= rest else { return 0 }
      room -= cells + Width.gap
      return cells
    }
    // Prices to lay are more important than the time, amounts less important than the age.
    func allocateSides(_ cells: Int, leaving rest: Int) -> Bool {
      hasSides && priceCount > 0 && allocate(priceCount * (cells + Width.gap) - Width.gap, leaving: rest) > 0
    }
    let hasLay = allocateSides(Width.price, leaving: Width.briefName)
    let time = allocate(width >= Width.dateFrom ? Width.date : Width.time)
    let score = allocate(Width.score)
    let margin = allocate(Width.margin)
    let age = allocate(Width.age)
    let hasSizes = hasLay && allocateSides(Width.size * 2 + Width.gap, leaving: Width.minName)
    let sport =
      hasSports
      ? allocate(width >= Width.sportFrom ? Width.sport : Width.briefSport, leaving: Width.minNameBesideSport) : 0
    var trend = hasTrend && width >= Width.trendFrom ? allocate(Width.minTrend, leaving: 55) : 0
    let tournament = allocate(24, leaving: 30)
    let category = tournament > 0 ? allocate(16, leaving: 34) : 0
    let part = allocate(14, leaving: 36)
    let name = min(room, Width.maxName)
    if trend > 0 { trend = min(trend + room - name, PriceTrend.limit) }

    var at = 0
    func place(_ cells: Int) -> Range<Int> {
      guard cells > 0 else { return 0..<0 }
      defer { at += cells + Width.gap }
      return at..<at + cells
    }
    self.time = place(time)
    self.score = place(score)
    self.sport = place(sport)
    self.name = place(name)
    // If only two prices fit, the draw is dropped: every sport has two sides.
    prices = (priceCount == 2 ? [0, 2] : Array(0..<priceCount)).map { column in
      // The amount to back comes before its price, so that both prices are beside each other.
      let backSize = hasSizes ? place(Width.size) : 0..<0
      return Price(
        column: column, cells: place(Width.price), backSize: backSize, lay: hasLay ? place(Width.price) : 0..<0,
        laySize: hasSizes ? place(Width.size) : 0..<0)
    }
    self.margin = place(margin)
    self.age = place(age)
    self.trend = place(trend)
    self.part = place(part)
    self.tournament = place(tournament)
    self.category = place(category)
  }
}
