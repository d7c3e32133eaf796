import OddsHistory
import OddsModel

/// The title above a chart.
struct ChartTitle: Equatable {
  /// The name of the outcome.
  var name: String
  var current: ChartPrice
  var opening: DecimalOdds?
  /// The closing price and the last live price of a match that is over.
  var closing: DecimalOdds?
  var last: DecimalOdds?
  var cursor: Cursor?
  var frame: ChartFrame

  /// The time of the cursor, and the price then.
  struct Cursor: Equatable {
    var time: ChartTime
    var price: ChartPrice
  }
}

/// A row of a chart.
struct ChartRow: Equatable {
  var cells: [Unicode.Scalar?]
  /// The candle of each column; nil for a column of the line.
  var candles: [Candle?] = []
  /// The price beside the row, and true if it is a limit of an alert rule.
  var label: DecimalOdds?
  var isLimitLabel = false
  /// True if the line of a limit is in the row.
  var hasLimit = false
  /// The column of the cursor.
  var cursor: Int?
}

/// The row of times below the axis.
struct ChartTimes: Equatable {
  /// The duration of the chart in seconds. The labels at the left and in the middle are relative to the right edge, so
  /// that they are constant while the chart moves.
  var length: Int
  var end: ChartTime
  /// True if the legend for suspended prices is shown.
  var isSuspended: Bool
}

/// The price of an outcome, now or at the time of the cursor.
enum ChartPrice: Equatable {
  case live(DecimalOdds)
  /// A price that may be out of date.
  case doubtful(DecimalOdds)
  case suspended, unknown

  init(_ step: PriceHistory.Step?) {
    switch (step?.state, step?.odds) {
    case (.live, let odds?): self = .live(odds)
    case (.suspended, _): self = .suspended
    default: self = .unknown
    }
  }

  init(_ cell: PriceCell, isTrusted: Bool) {
    switch (cell.state, cell.odds) {
    case (.live, let odds?): self = isTrusted ? .live(odds) : .doubtful(odds)
    case (.doubtful, let odds?): self = .doubtful(odds)
    case (.suspended, _), (.closed, _): self = .suspended
    default: self = .unknown
    }
  }
}

enum ChartTime: Equatable {
  case now
  /// A wall time in milliseconds since 1970.
  case wall(Int64)
  /// A position in a recording and the recording's length, in seconds.
  case position(Int, of: Int)
}
