import Localization
import OddsModel
import TerminalCore

extension ColumnEntry {
  /// All columns, in the order in which they are listed.
  static let table: [ColumnEntry] =
    [
      ColumnEntry(
        .time, "time", .columnTime, .columnHelpTime, width: 5, wide: (11, from: 120), .right,
        .figure { $0.time.rank(startTime: $0.startTime) }, order: .orderTime
      ) { formatter, match, row, _ in formatter.time(of: match, into: &row) },
      ColumnEntry(
        .minute, "minute", .columnMinute, .columnHelpMinute, width: 4, .right,
        .figure { row in row.playedMinute.map { -Int64($0) } }, isDescending: true
      ) { formatter, match, row, cells in
        guard case .clock(let minute) = match.time else { return }
        formatter.right(ShortText(minute: minute), into: &row, cells, style: Style(.strong))
      },
      ColumnEntry(
        .score, "score", .columnScore, .columnHelpScore, width: 7, .left(indent: 1),
        .figure { row in row.score.map { -Int64(clamping: $0.home.addingReportingOverflow($0.away).partialValue) } },
        isDescending: true
      ) { formatter, match, row, cells in formatter.score(of: match, into: &row, cells) },
      ColumnEntry(
        .sport, "sport", .columnSport, .columnHelpSport, width: 5, wide: (10, from: 140), minWidth: 2, .left(),
        .text { $0.sport }
      ) { _, match, row, cells in
        row.write(match.labels.sport, at: cells.lowerBound, style: Style(.muted), limit: cells.upperBound)
      },
      ColumnEntry(
        .name, "name", .columnMatch, .columnHelpMatch, width: ColumnLayout.maxName, minWidth: ColumnLayout.briefName,
        .left(), .text { $0.name }, order: .orderName
      ) { formatter, match, row, cells in formatter.matchName(of: match, into: &row, cells) },
    ] + prices
    + [
      ColumnEntry(
        .favourite, "favourite", .columnFavourite, .fieldFavourite, width: priceWidth, .price,
        .figure { $0.favourite?.units }, order: .orderFavourite
      ) { formatter, match, row, cells in
        guard let odds = match.favourite else { return }
        formatter.price(PriceCell(state: .live, odds: odds), isTrusted: match.isTrusted, into: &row, cells)
      },
      ColumnEntry(
        .fair, "fair", .columnFair, .columnHelpFairPrices, width: FairTriple.width, .right,
        .fairPrice { row, method in row.fairPrices(method)?.lowest?.units }
      ) { formatter, match, row, cells in formatter.fair(match.fair, into: &row, cells) },
      ColumnEntry(
        .margin, "margin", .columnMargin, .columnHelpMargin, width: 6, .right,
        .figure { $0.margin.newest.map(Int64.init) }, order: .orderMargin
      ) { formatter, match, row, cells in
        guard let margin = match.margin else { return }
        formatter.right(
          formatter.words.tenths(margin), into: &row, cells, style: Style(match.isTrusted ? .plain : .muted))
      },
      ColumnEntry(
        .mover, "mover", .columnMove, .columnHelpMove, width: 6, .right,
        .figure { $0.move.map { -Int64($0.magnitude) } },
        isDescending: true, order: .orderMover
      ) { formatter, match, row, cells in
        if let move = match.move { formatter.move(move, isTrusted: match.isTrusted, into: &row, cells) }
      },
      recentMove(.oneMinute, "1m", minutes: 1) { $0.oneMinute },
      recentMove(.fiveMinutes, "5m", minutes: 5) { $0.fiveMinutes },
      // The fifth cell is for the arrow of the order after the title.
      ColumnEntry(
        .change, "change", .columnAge, .columnHelpAge, width: 5, .right,
        .figure { $0.changedAt.map { Int64(-($0 / .microseconds(1))) } }, order: .orderChange
      ) { formatter, match, row, cells in formatter.age(of: match, into: &row, cells) },
      ColumnEntry(
        .trend, "trend", .detailColumnTrend, .columnHelpTrend, width: 10, minWidth: 2, .left(),
        .figure { $0.trend.slope }
      ) { formatter, match, row, cells in formatter.trend(match.trend, into: &row, cells) },
      ColumnEntry(
        .matched, "matched", .columnMatched, .columnHelpMatched, width: 7, .right, .figure { $0.matched.map { -$0 } },
        isDescending: true
      ) { formatter, match, row, cells in
        guard let matched = match.matched else { return }
        formatter.right(
          formatter.words.size(matched), into: &row, cells, style: Style(match.isTrusted ? .plain : .muted))
      },
    ] + lays + backSizes + laySizes
    + [
      text(.part, "part", .columnPart, .columnHelpPart, width: 14) { $0.part },
      text(.tournament, "tournament", .columnTournament, .fieldTournament, width: 24) { $0.tournament },
      text(.country, "country", .columnCountry, .fieldCountry, width: 16) { $0.category },
    ]

  /// The width of a price and of the arrow after it.
  static let priceWidth = ShortText.priceWidth + 1

  /// The titles of the columns 1, X and 2, and the beginnings of the names of what belongs to them.
  private static let sides: [(title: MessageKey, name: String, order: MessageKey)] = [
    (.columnHome, "home", .orderHome), (.columnDraw, "draw", .orderDraw), (.columnAway, "away", .orderAway),
  ]

  private static let prices = PriceTriple.indices.map { index in
    ColumnEntry(
      BoardColumn.prices[index], sides[index].name, sides[index].title, .columnHelpPrices, width: priceWidth, .price,
      .figure { $0.prices[index].bettable?.units }, order: sides[index].order
    ) { formatter, match, row, cells in
      formatter.price(match.prices[index], isTrusted: match.isTrusted, into: &row, cells)
    }
  }

  private static func recentMove(
    _ column: BoardColumn, _ name: String, minutes: Int, _ move: @escaping @Sendable (RecentMoves) -> Int32?
  ) -> ColumnEntry {
    ColumnEntry(
      column, name, LocalizedMessage(.detailColumnSpan, minutes), LocalizedMessage(.columnHelpRecentMove, minutes),
      width: 7, .right, .figure { row in move(row.moves).map { -Int64($0.magnitude) } }, isDescending: true
    ) { formatter, match, row, cells in
      if match.isTrusted, let move = move(match.moves) { formatter.change(Int(move), into: &row, cells) }
    }
  }

  private static let lays = PriceTriple.indices.map { index in
    ColumnEntry(
      BoardColumn.lays[index], "\(sides[index].name)-lay",
      LocalizedMessage(.columnLayOf, LocalizedMessage(sides[index].title)), LocalizedMessage(.columnHelpLay),
      width: priceWidth, .price, .figure { $0.exchange[index].lay.bettable?.units }
    ) { formatter, match, row, cells in
      formatter.price(match.exchange[index].lay, isTrusted: match.isTrusted, into: &row, cells)
    }
  }

  private static let backSizes = PriceTriple.indices.map { index in
    size(BoardColumn.backSizes[index], "\(sides[index].name)-back-size", .columnHelpBackSize, index) {
      $0[index].backSize
    }
  }

  private static let laySizes = PriceTriple.indices.map { index in
    size(BoardColumn.laySizes[index], "\(sides[index].name)-lay-size", .columnHelpLaySize, index) { $0[index].laySize }
  }

  private static func size(
    _ column: BoardColumn, _ name: String, _ help: MessageKey, _ index: Int,
    _ size: @escaping @Sendable (ExchangeCells) -> Int64?
  ) -> ColumnEntry {
    ColumnEntry(
      column, name, LocalizedMessage(.columnSizeOf, LocalizedMessage(sides[index].title)), LocalizedMessage(help),
      width: ColumnLayout.sizeWidth, .right, .figure { size($0.exchange).map { -$0 } }, isDescending: true
    ) { formatter, match, row, cells in
      // NB: A size has no sign that it is not live.
      guard match.isTrusted, let size = size(match.exchange) else { return }
      formatter.right(formatter.words.size(size), into: &row, cells, style: Style(.muted))
    }
  }

  private static func text(
    _ column: BoardColumn, _ name: String, _ title: MessageKey, _ help: MessageKey, width: Int,
    _ text: @escaping @Sendable (Match.Names) -> String
  ) -> ColumnEntry {
    ColumnEntry(column, name, title, help, width: width, minWidth: 2, .left(), .text(text)) {
      formatter, match, row, cells in
      formatter.clip(text(match.labels), into: &row, cells, style: Style(.muted))
    }
  }
}
