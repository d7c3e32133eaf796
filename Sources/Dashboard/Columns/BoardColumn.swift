import Localization

/// A column of the rows of matches. It is also the key of the order by that column. `ColumnEntry.table` describes each.
///
/// The first nine are the keys that the sort command goes through.
package enum BoardColumn: UInt8, Hashable, Sendable, CaseIterable {
  /// The match clock or the start time; sorted by the match clock, the most advanced first, then by start time.
  case time
  case name
  /// The age of the row's last price change; sorted the latest first.
  case change
  /// The change of the favourite's implied probability since its opening price; sorted by its size, the largest first.
  case mover
  case margin
  /// The price of the favourite.
  case favourite
  /// The prices in the columns 1, X and 2.
  case home, draw, away
  case score, minute, sport, part, tournament, country, trend
  /// The changes of the favourite's price over the last minute and over five.
  case oneMinute, fiveMinutes
  /// The stakes matched on an exchange.
  case matched
  /// The prices to lay on an exchange, in the columns 1, X and 2.
  case homeLay, drawLay, awayLay
  /// The amounts at the best prices of an exchange.
  case homeBackSize, drawBackSize, awayBackSize, homeLaySize, drawLaySize, awayLaySize
  /// The fair prices of 1, X and 2.
  case fair

  static let prices = [home, draw, away]
  static let lays = [homeLay, drawLay, awayLay]
  static let backSizes = [homeBackSize, drawBackSize, awayBackSize]
  static let laySizes = [homeLaySize, drawLaySize, awayLaySize]
  /// The keys that the sort command goes through, in its order.
  static let usualOrders = [time, name, change, mover, margin, favourite, home, draw, away]

  /// The names of all columns, in the order of the table.
  package static let names = ColumnEntry.table.map(\.name)

  var entry: ColumnEntry { ColumnEntry.byColumn[Int(rawValue)] }

  /// The name in the configuration and on the command line.
  package var name: String { entry.name }

  package init?(name: String) {
    guard let entry = ColumnEntry.table.first(where: { $0.name == name }) else { return nil }
    self = entry.column
  }
}

/// A set of columns, cheap to make and to compare.
struct ColumnSet: Hashable, Sendable {
  private var bits: UInt64 = 0

  func contains(_ column: BoardColumn) -> Bool { bits & 1 << UInt64(column.rawValue) != 0 }

  mutating func insert(_ column: BoardColumn) { bits |= 1 << UInt64(column.rawValue) }

  mutating func remove(_ column: BoardColumn) { bits &= ~(1 << UInt64(column.rawValue)) }
}
