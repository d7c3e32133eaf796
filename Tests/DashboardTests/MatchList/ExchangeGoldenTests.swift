import Betfair
import JSONText
import Localization
import OddsFeed
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The board of an exchange: back and lay prices, and ladders. RECORD=1 rewrites the golden texts.
struct ExchangeGoldenTests {
  /// A generated recording of four matches, applied line by line.
  private struct Exchange {
    var state = ChannelState()
    private var decoder = BetfairDecoder(isRecorded: true)
    private let lines: [String]

    init() {
      var options = BetfairStream.Options()
      options.isMatch = true
      options.hasNames = true
      options.markets = 4
      options.steps = 80
      lines = BetfairStream(seed: 11, options: options).lines
    }

    mutating func play(to end: Int) { for line in lines.prefix(end) { apply(line) } }

    mutating func apply(_ line: String) {
      var batch = FeedBatch()
      Array(line.utf8).withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
      state.apply(batch)
    }

    var matches: [Match] { mutating get { Array(state.matchIDs).sorted().compactMap { state.match($0) } } }
  }

  private func board(
    rows: Int, columns: Int, lines: Int, glyphs: GlyphSet = .unicode, words: Catalog = .english
  ) -> (board: Board, matches: [Match]) {
    var (board, exchange) = (
      Board(rows: rows, columns: columns, rate: nil, glyphs: glyphs, feedName: "betfair", words: words), Exchange()
    )
    exchange.play(to: lines)
    let matches = exchange.matches
    for match in matches { board.update(match) }
    board.paint()
    return (board, matches)
  }

  @Test("Boards have golden texts", arguments: [(24, 80), (40, 120), (60, 200), (10, 40), (5, 20), (1, 1), (2, 7)])
  func sizes(rows: Int, columns: Int) {
    board(rows: rows, columns: columns, lines: 20).board.expectGolden("exchange-\(columns)x\(rows)")
  }

  @Test("The board has its golden text in ASCII, in French and in Chinese")
  func languages() {
    board(rows: 10, columns: 120, lines: 20, glyphs: .ascii).board.expectGolden("exchange-ascii-120x10")
    for language in [Language.french, .traditionalChinese] {
      let board = board(rows: 10, columns: 120, lines: 20, words: Catalog(language)).board
      board.expectGolden("\(language.rawValue)-exchange-120x10")
    }
  }

  @Test("A match's ladders have levels of both sides with depth, last traded price and matched stakes")
  func ladders() {
    for (rows, columns) in [(24, 80), (40, 120), (60, 200), (10, 40), (5, 20)] {
      var (board, matches) = board(rows: rows, columns: columns, lines: 20)
      board.openMatch(matches[0], hasTopic: false)
      board.paint()
      board.expectGolden("exchange-detail-\(columns)x\(rows)")
    }
    var (board, matches) = board(rows: 24, columns: 80, lines: 20, glyphs: .ascii)
    board.openMatch(matches[0], hasTopic: false)
    board.paint()
    board.expectGolden("exchange-detail-ascii-80x24")
  }

  @Test("Suspended and closed markets show no price, in the list and in the pane")
  func suspended() throws {
    var exchange = Exchange()
    exchange.play(to: 20)
    let open = exchange.matches[0]
    let prices = open.markets[0].outcomes.flatMap { outcome in
      ((outcome.exchange?.backs ?? []) + (outcome.exchange?.lays ?? [])).compactMap { $0.odds?.description }
    }
    #expect(prices.count > 6)
    for status in ["SUSPENDED", "CLOSED", "INACTIVE"] {
      var other = exchange
      let market = open.markets[0]
      let runners = market.outcomes.map { outcome in
        let id = "\(outcome.id)".split(separator: "/")[1]
        return #"{"id":\#(id),"status":"ACTIVE","sortPriority":1}"#
      }
      other.apply(
        #"{"op":"mcm","id":1,"pt":1750000009000,"mc":[{"id":"\#(market.id)","marketDefinition":{"status":"\#(status)","#
          + #""eventId":"\#(open.id)","marketType":"MATCH_ODDS","runners":[\#(runners.joined(separator: ","))]}}]}"#)
      let match = try #require(other.matches.first { $0.id == open.id })
      var board = Board(rows: 40, columns: 200, rate: nil, feedName: "betfair")
      board.update(match)
      board.paint()
      board.openMatch(match, hasTopic: false)
      board.paint()
      let text = view(board.state, now: board.now, glyphs: board.screen.glyphs).text
      // The last traded price and the scale of the chart may show past prices.
      let rows = text.split(separator: "\n").prefix(22).map { $0.split(separator: "last traded")[0] }
      for price in Set(prices) {
        #expect(!rows.contains { $0.contains(" \(price)") }, "\(price) \(status)\n\(rows.joined(separator: "\n"))")
      }
    }
  }

  /// An open market of a file without offers, with the last traded prices 2.50 and 1000.
  private static func traded() -> Exchange {
    var exchange = Exchange()
    exchange.apply(
      #"{"op":"mcm","pt":1,"mc":[{"id":"1.5","marketDefinition":{"status":"OPEN","bettingType":"ODDS","#
        + #""marketType":"MATCH_ODDS","eventId":"29","eventTypeId":"1","eventName":"Ajax v Porto","runners":["#
        + #"{"id":1,"status":"ACTIVE","sortPriority":1},{"id":2,"status":"ACTIVE","sortPriority":2}]},"#
        + #""rc":[{"id":1,"ltp":2.5},{"id":2,"ltp":1000}]}]}"#)
    return exchange
  }

  @Test("Without offers the last traded price is dim, in parentheses, and not treated as an offer")
  func lastTraded() throws {
    var exchange = Self.traded()
    var board = Board(rows: 10, columns: 80, rate: nil, feedName: "betfair", words: .english)
    for match in exchange.matches { board.update(match) }
    board.paint()
    let row = try #require((0..<10).first { board.line($0).contains("Ajax v Porto") })
    // The longest price loses a decimal, but keeps its parentheses.
    #expect(board.line(row).contains("(2.50)") && board.line(row).contains("(1000.0)"), "\(board.line(row))")
    let cells = board.screen.content.rows[row].cells
    let parentheses = "()".unicodeScalars.map(\.value)
    #expect(cells.filter { parentheses.contains($0.scalar) }.map(\.style.role) == Array(repeating: .muted, count: 4))
    let content = try #require(exchange.matches.first?.mainMarket)
    let prices = PriceTriple(content)
    #expect(
      prices.first.state == .lastTraded && prices.first.bettable == nil && ExchangeCells(content)[0].backSize == nil)
  }

  @Test("The last traded price is in parentheses in the pane, in copies and in French, too")
  func lastTradedElsewhere() throws {
    var exchange = Self.traded()
    let (match, french) = (try #require(exchange.matches.first), Catalog(.french))
    var board = Board(rows: 24, columns: 160, rate: nil, feedName: "betfair", words: french)
    board.update(match)
    board.paint()
    #expect(board.text.contains("(2,50)") && board.text.contains("(1000,0)"))
    board.openMatch(match, hasTopic: false)
    board.paint()
    #expect(board.text.split(separator: "\n").contains { $0.contains("(2,50)") && !$0.contains("Ajax v Porto") })
    let cell = PriceCell(try #require(match.mainMarket?.outcomes.last), in: try #require(match.mainMarket))
    #expect(board.state.text(of: cell, isTrusted: true) == "(1000,00)")
    #expect(board.state.text(of: cell, isTrusted: false) == "(1000,00)")
    let help = HelpRow.symbols(.unicode, french).map { french.text($0.label) }
    #expect(help.contains("(2,50)"))
  }

  @Test("Plain text labels a last traded price in words, and the price raises no alert")
  func lastTradedInWords() throws {
    var (exchange, settings) = (Self.traded(), BoardSettings())
    settings.alerts = [try AlertRule("any >= 1.5"), try AlertRule("any move 1% from opening")]
    var plain = try PlainBoard(title: "Live", settings: settings)
    var now = FrameTime(uptime: .seconds(10), wall: 1_750_752_000_000, zone: 0)
    func lines() -> [String] {
      plain.apply(
        ChannelUpdate(
          changed: exchange.matches, removed: [], connection: .live, isLoaded: true,
          freshness: Freshness(.live, since: now.wall), topic: .live, source: .stream), now: now)
      now.uptime += .seconds(60)
      now.wall += 60_000
      return plain.lines(now: now)
    }
    _ = lines()
    exchange.apply(#"{"op":"mcm","pt":2,"mc":[{"id":"1.5","rc":[{"id":1,"ltp":2.8}]}]}"#)
    let text = lines()
    #expect(text.count == 1 && text[0].contains("last traded 2.80"), "\(text)")
    #expect(plain.drainReports().isEmpty)
    // The first offer is the opening price.
    exchange.apply(#"{"op":"mcm","pt":3,"mc":[{"id":"1.5","rc":[{"id":1,"atb":[[1.4,5]]}]}]}"#)
    _ = lines()
    #expect(plain.drainReports().isEmpty)
  }

  @Test("A price text that is too long loses decimals only; digits, fractions and signs are never cut")
  func shortened() {
    func text(_ price: String, _ format: OddsFormat = .decimal, to limit: Int) -> String? {
      let odds = DecimalOdds(units: Int64((Double(price)! * 10_000_000).rounded()))
      return ShortText(odds, format).shortened(to: limit, point: UInt8(ascii: "."))?.description
    }
    #expect((3...8).map { text("1000", to: $0) } == [nil, "1000", "1000", "1000.0", "1000.00", "1000.00"])
    #expect(text("2.5", to: 6) == "2.50" && text("2.5", to: 0) == nil && text("2.5", to: -1) == nil)
    #expect(text("501", .fractional, to: 4) == nil && text("501", .fractional, to: 5) == "500/1")
    #expect(text("1.25", .implied, to: 4) == nil && text("1.25", .implied, to: 5) == "80.0%")
  }

  @Test("A locked channel marks the prices of both sides; the header names the cause of a delay")
  func stale() {
    var (board, matches) = board(rows: 10, columns: 120, lines: 20)
    board.send(
      .channelUpdated(ChannelUpdate(changed: matches, freshness: Freshness(.locked, since: board.now.wall - 5000))))
    board.paint()
    board.expectGolden("exchange-locked-120x10")
    for (cause, words) in [
      (Freshness.Cause.delayedAccess, "delayed 3 min by the key"), (.sourceStale, "delayed by the provider"),
      (.updatesMerged, "delayed by merged updates"), (.catalogueStale, "market list out of date"),
    ] {
      let freshness = Freshness(cause.grade, since: board.now.wall, cause: cause)
      board.send(.channelUpdated(ChannelUpdate(changed: matches, freshness: freshness)))
      board.paint()
      #expect(board.line(0).contains(words), "\(board.line(0))")
      #expect(board.text.contains(#/\d\?/#), "\(cause)")
    }
    board.send(.channelUpdated(ChannelUpdate(changed: matches, freshness: Freshness(.live, since: board.now.wall))))
    board.paint()
    #expect(!board.text.contains(#/\d\?/#))
  }

  @Test("An amount has at most five characters and is never shown larger than it is")
  func amounts() {
    let one = DecimalOdds.unitsPerOne
    let texts: [(Int64, String)] = [
      (0, "0"), (9_000_000, "0"), (999, "999"), (1000, "1k"), (1250, "1.2k"), (9999, "9.9k"), (10_500, "10k"),
      (999_999, "999k"), (1_260_000, "1.2M"), (99_999_999_999, "9999M"),
    ]
    for (amount, text) in texts {
      let units = amount == 9_000_000 ? amount : amount * one
      #expect(Catalog.english.size(units) == text)
    }
  }
}
