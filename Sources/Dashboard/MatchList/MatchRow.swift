import OddsFeed
import TerminalCore

/// What one row of the board shows of a match. Made from a `Match`; knows nothing of markets or records.
struct MatchRow: Sendable {
  let id: MatchID
  /// Grows with each change that could be seen.
  var revision: UInt64
  var labels: Match.Names
  var names: SearchIndex
  var sportID: SportID?
  var startTime: Int64?
  var status: MatchStatus
  /// What the match itself says of its prices, its channel aside.
  var own: Freshness.Grade
  var score: Score?
  var minute: Int?
  var serving: Side?
  /// The main market's prices in the columns 1, X and 2.
  var prices: PriceTriple
  /// The price of the main market's favourite; nil while it cannot be bet on.
  var favourite: DecimalOdds?
  /// The first price that the board has seen of the favourite.
  private var favouriteOpening: DecimalOdds?
  private var openings = OpeningPrices()
  /// The main market's overround.
  var overround = RateLimitedValue()
  /// How the favourite's price went.
  var trend = PriceTrend()
  /// What its prices were of late.
  var recent = RecentPrices()
  /// When a price last changed: uptime, or what the feed's own time of the change comes to.
  var changedAt: Duration?
  /// How long ago that is; nil while it is news.
  var age: Age?
  /// Uptime at which the row changes by itself: a highlight ends, or the age takes its next step.
  var expiry: Duration?
}

/// Three price columns; a market with two outcomes leaves the middle one empty.
struct PriceTriple: Hashable, Sendable {
  var first = PriceCell()
  var middle = PriceCell()
  var last = PriceCell()

  static let indices = 0..<3

  subscript(_ column: Int) -> PriceCell {
    get { column == 0 ? first : column == 1 ? middle : last }
    set {
      switch column {
      case 0: first = newValue
      case 1: middle = newValue
      default: last = newValue
      }
    }
  }
}

/// One price as it is shown.
struct PriceCell: Hashable, Sendable {
  enum State: Hashable, Sendable {
    /// There is no such outcome.
    case none
    /// A price that can be bet on.
    case live
    /// The bookmaker holds the price for a moment.
    case suspended
    /// The price is withdrawn or settled.
    case closed
  }

  var state = State.none
  var odds: DecimalOdds?
  var flash: Flash?
  var offer: OfferID?
}

/// The highlight of a price that has just moved.
struct Flash: Hashable, Sendable {
  /// How long a moved price stays lit.
  static let length = Duration.seconds(1)

  var isUp: Bool
  /// How many characters at the price's end differ from what stood there.
  var changedCharacters: Int
  /// Uptime at which it ends.
  var until: Duration
}

extension MatchRow {
  /// The row of a match that was not there before. The age counts from `newest`, the latest change that the feed has told
  /// of, in milliseconds since 1970: its clock may not be ours.
  init(_ match: Match, at now: Duration, newest: Int64?, second: Int? = nil) {
    (id, revision) = (match.id, 0)
    (labels, names) = (match.labels, SearchIndex(match.labels))
    (status, own, prices) = (match.status, match.tradingStatus, PriceTriple())
    show(match, at: now, newest: newest, second: second)
    settle(at: now)
  }

  /// Takes the match as it is now, with highlights where prices differ from those that stood there.
  mutating func take(_ match: Match, at now: Duration, newest: Int64?, odds format: OddsFormat, second: Int? = nil) {
    let old = prices
    show(match, at: now, newest: newest, second: second)
    for column in PriceTriple.indices {
      prices[column].flash = Self.flash(from: old[column], to: prices[column], at: now, format)
      if prices[column].odds != old[column].odds || prices[column].state != old[column].state { changedAt = now }
    }
    settle(at: now)
  }

  private mutating func show(_ match: Match, at now: Duration, newest: Int64?, second: Int?) {
    revision += 1
    if labels != match.labels { names = SearchIndex(match.labels) }
    labels = match.labels
    (sportID, startTime) = (match.sportID, match.startTime)
    (status, own) = (match.status, match.tradingStatus)
    (score, minute, serving) = (match.score, match.minute, match.serving)
    let (market, old) = (match.mainMarket, prices)
    prices = market.map(PriceTriple.init) ?? PriceTriple()
    favourite = market?.favourite
    openings.take(market)
    favouriteOpening = favourite.flatMap { favourite in market.flatMap { openings.opening(of: favourite, in: $0) } }
    trend.take(favourite, of: market?.id)
    recent.take(prices, replacing: old, of: market?.id, at: second ?? now.wholeSeconds)
    overround.take(market?.overround.map { Int(($0 * 1000).rounded()) }, at: now)
    if changedAt == nil, let newest, let change = match.lastChange { changedAt = now - .milliseconds(newest - change) }
  }

  /// Prices are written otherwise: no digit has changed that was not written anew.
  mutating func clearFlashes(at now: Duration) {
    for column in PriceTriple.indices { prices[column].flash = nil }
    expire(at: now)
  }

  /// How far the favourite's chance, as its price has it, has moved since the board first saw that price: in hundredths
  /// of a per cent of what it was, up where the price has shortened. Nil where there is no favourite, or where two outcomes
  /// are the favourite and have moved differently.
  var move: Int? {
    guard let favourite, let favouriteOpening, favourite.units > 0 else { return nil }
    return Int((Double(favouriteOpening.units) / Double(favourite.units) * 10_000).rounded()) - 10_000
  }

  /// Ends the highlights that are over and lets the price's age take its steps.
  mutating func expire(at now: Duration) {
    revision += 1
    settle(at: now)
  }

  private mutating func settle(at now: Duration) {
    age = changedAt.flatMap { Age(now - $0) }
    expiry = changedAt.map { $0 + Age.end(of: age) }
    if let due = overround.settle(at: now) { expiry = min(expiry ?? due, due) }
    for column in PriceTriple.indices {
      guard let flash = prices[column].flash else { continue }
      if flash.until <= now { prices[column].flash = nil } else { expiry = min(expiry ?? flash.until, flash.until) }
    }
  }

  static func flash(from old: PriceCell, to new: PriceCell, at now: Duration, _ format: OddsFormat) -> Flash? {
    guard new.state == .live, let price = new.odds, let before = old.odds else { return nil }
    if price == before { return old.state == .live ? old.flash : nil }
    let text = ShortText(price, format)
    let changed = text.changedCharacters(since: ShortText(before, format))
    if changed == 0 { return old.flash }
    // What is lit stays lit while the price keeps moving: digits that go dark and light up again tell nobody anything.
    let lit = max(changed, min(old.flash?.changedCharacters ?? 0, text.count))
    return Flash(isUp: price > before, changedCharacters: lit, until: now + Flash.length)
  }
}

extension Match {
  /// When a price of the main market last changed, in milliseconds since 1970 by the feed's clock.
  var lastChange: Int64? {
    var last: Int64?
    for outcome in mainMarket?.outcomes ?? [] {
      if let changed = outcome.offer?.lastChanged { last = max(last ?? changed, changed) }
    }
    return last
  }
}

extension PriceTriple {
  init(_ market: Market) {
    for (place, outcome) in market.outcomes.enumerated() {
      guard let column = Self.column(of: outcome, place, of: market.outcomes.count) else { continue }
      self[column] = PriceCell(outcome, in: market)
    }
  }

  /// 1, X, 2 by what the feed says an outcome is, else by its place.
  static func column(of outcome: Outcome, _ place: Int, of count: Int) -> Int? {
    switch outcome.key {
    case "home": return 0
    case "draw": return 1
    case "away": return 2
    default: break
    }
    switch outcome.name {
    case "1": return 0
    case "X": return 1
    case "2": return 2
    default: return count == 2 ? place * 2 : place < 3 ? place : nil
    }
  }
}

extension PriceCell {
  init(_ outcome: Outcome, in market: Market) {
    odds = outcome.offer?.odds
    offer = outcome.offer?.id
    if outcome.isBettable {
      state = .live
    } else if outcome.offer?.status == .suspended || outcome.offer?.isAvailable == true && !market.isClosed {
      state = .suspended
    } else {
      state = .closed
    }
  }
}
