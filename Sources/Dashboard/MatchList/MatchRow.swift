import OddsModel
import TerminalCore

/// The values of a match that its row shows, or by which it is sorted and filtered.
struct MatchRow: Sendable {
  let id: MatchID
  var labels: Match.Names
  var names: SearchIndex
  /// The positions of both sides in the name.
  var name: MatchName
  var sportID: SportID?
  var startTime: Int64?
  var status: MatchStatus
  /// The grade of the match itself, without that of its channel.
  var tradingStatus: Freshness.Grade
  var score: Score?
  /// The highlight of a score that has just changed.
  var scoreFlash: ScoreFlash?
  var minute: Int?
  var serving: Side?
  var redCards: Score?
  /// The main market's prices in the columns 1, X and 2.
  var prices: PriceTriple
  /// The main market's outcomes.
  private var outcomes: [Outcome] = []
  /// The prices to lay and the amounts of the main market on an exchange.
  var exchange = ExchangeCells()
  /// The stakes matched on the main market of an exchange, in ten-millionths.
  private(set) var matched: Int64?
  /// The price of the main market's favourite; nil while it cannot be bet on.
  var favourite: DecimalOdds?
  /// The opening price of the favourite.
  private var favouriteOpening: DecimalOdds?
  private(set) var openings: OpeningPrices
  /// True if the main market lacks no outcome, each of its outcomes has a column, and one of them wins.
  private(set) var hasWholeMarket = false
  /// The main market's margin.
  var margin = RateLimitedValue()
  /// The last prices of the favourite.
  var trend = PriceTrend()
  /// The changes of the favourite's price over one and five minutes; empty while nothing shows them.
  var moves = RecentMoves()
  /// The recent prices of the row.
  var recent = RecentPrices()
  /// The uptime at which a price of the main market last changed, or the uptime computed from the feed's own time of
  /// the change.
  var changedAt: Duration?
  /// The age of the last change; nil for the first 15 seconds, and if no change is known.
  var age: Age?
  /// The uptime at which the row changes by itself: a highlight ends, a newer margin is due, or the age reaches its
  /// next step.
  var expiry: Duration?
}

extension MatchRow {
  /// The content of the time column.
  @inline(__always)
  var time: MatchTime { MatchTime(status, minute: minute, startTime: startTime) }

  /// The minute of the match clock while the match is in play.
  var playedMinute: Int? { if case .clock(let minute) = time { minute } else { nil } }

  /// The ids of the offers that a watch list requests for the match.
  var offers: [OfferID] { prices.offers(among: outcomes) }

  /// Creates the row of a new match. The age counts from `newest`, the latest change that the feed has reported, in
  /// milliseconds since 1970: the feed's clock may differ from the local clock.
  init(
    _ match: Match, now: Duration, newest: Int64?, second: Int? = nil, recorded: RecordedOpenings = RecordedOpenings()
  ) {
    id = match.id
    openings = OpeningPrices(recorded: recorded)
    labels = match.labels
    names = SearchIndex(match.labels)
    name = MatchName(match.labels)
    status = match.status
    tradingStatus = match.tradingStatus
    prices = PriceTriple()
    show(match, now: now, newest: newest, second: second)
    expire(now: now)
  }

  /// Applies the current state of the match and highlights prices that moved.
  mutating func apply(_ match: Match, now: Duration, newest: Int64?, odds format: OddsFormat, second: Int? = nil) {
    let old = prices
    let oldMarket = recent.market
    let oldScore = status == .inProgress ? score : nil
    show(match, now: now, newest: newest, second: second)
    if status == .inProgress, let flash = ScoreFlash(from: oldScore, to: score, now: now) { scoreFlash = flash }
    // Prices of different main markets are not compared.
    for column in PriceTriple.indices where recent.market == oldMarket {
      prices[column].flash = Self.flash(from: old[column], to: prices[column], now: now, format)
      if prices[column].odds != old[column].odds || prices[column].state != old[column].state { changedAt = now }
    }
    expire(now: now)
  }

  private mutating func show(_ match: Match, now: Duration, newest: Int64?, second: Int?) {
    if labels != match.labels {
      names = SearchIndex(match.labels)
      name = MatchName(match.labels)
    }
    labels = match.labels
    sportID = match.sportID
    startTime = match.startTime
    status = match.status
    tradingStatus = match.tradingStatus
    score = match.score
    minute = match.minute
    serving = match.serving
    redCards = match.redCards
    let (market, old) = (match.mainMarket, prices)
    prices = market.map(PriceTriple.init) ?? PriceTriple()
    exchange = market.map(ExchangeCells.init) ?? ExchangeCells()
    outcomes = market?.outcomes ?? []
    updateWholeMarket(market)
    matched = market?.exchange?.totalMatched?.units
    favourite = market?.favourite
    openings.apply(market, favourite: favourite)
    favouriteOpening = openings.favourite
    trend.apply(favourite, of: market?.id)
    if market?.id != recent.market { changedAt = nil }
    recent.apply(prices, replacing: old, of: market?.id, at: second ?? now.wholeSeconds)
    margin.apply(market?.margin.map { Int(($0 * 1000).rounded()) }, now: now)
    if changedAt == nil, let newest, let change = match.lastChange { changedAt = now - .milliseconds(newest - change) }
  }

  private mutating func updateWholeMarket(_ market: Market?) {
    guard let market else {
      hasWholeMarket = false
      return
    }
    let columns = PriceTriple.indices.count { prices[$0].state != .none }
    hasWholeMarket = market.winnerCount == 1 && columns == market.outcomes.count && !market.lacksOutcomes
  }

  /// Applies the recorded opening prices of the match.
  mutating func apply(_ recorded: RecordedOpenings) {
    openings.recorded = recorded
    favouriteOpening = openings.favourite
  }

  /// Ends the highlights of prices, because the odds format changed: a changed digit does not mean a moved price then.
  mutating func clearFlashes(now: Duration) {
    for column in PriceTriple.indices { prices[column].flash = nil }
    expire(now: now)
  }

  /// The change of the favourite's implied chance since its opening price, in hundredths of a per cent of the first
  /// chance. Positive if the price has shortened. Nil if there is no favourite, or if two outcomes are the
  /// favourite and have moved differently.
  @inline(__always)
  var move: Int? {
    guard let favourite, let favouriteOpening, favourite.units > 0 else { return nil }
    return Int((Double(favouriteOpening.units) / Double(favourite.units) * 10_000).rounded()) - 10_000
  }

  /// Ends expired highlights and updates the age and the shown margin.
  mutating func expire(now: Duration) {
    age = changedAt.flatMap { Age(now - $0) }
    expiry = changedAt.map { $0 + Age.end(of: age) }
    if let due = margin.settle(now: now) { expiry = min(expiry ?? due, due) }
    if let flash = scoreFlash {
      if flash.until <= now { scoreFlash = nil } else { expiry = min(expiry ?? flash.until, flash.until) }
    }
    for column in PriceTriple.indices {
      guard let flash = prices[column].flash else { continue }
      if flash.until <= now { prices[column].flash = nil } else { expiry = min(expiry ?? flash.until, flash.until) }
    }
  }

  static func flash(from old: PriceCell, to new: PriceCell, now: Duration, _ format: OddsFormat) -> Flash? {
    guard new.state == .live, let price = new.odds, let before = old.odds else { return nil }
    if price == before { return old.state == .live ? old.flash : nil }
    let text = ShortText(price, format)
    let changed = text.changedCharacters(since: ShortText(before, format))
    if changed == 0 { return old.flash }
    // Highlighted digits stay highlighted while the price keeps moving; switching them off and on would only flicker.
    let highlighted = max(changed, min(old.flash?.changedCharacters ?? 0, text.count))
    return Flash(isUp: price > before, changedCharacters: highlighted, until: now + Flash.length)
  }
}

extension Match {
  /// The time at which a price of the main market last changed, in milliseconds since 1970 by the feed's clock.
  var lastChange: Int64? {
    var last: Int64?
    for outcome in mainMarket?.outcomes ?? [] {
      if let changed = outcome.offer?.lastChanged { last = max(last ?? changed, changed) }
    }
    return last
  }
}
