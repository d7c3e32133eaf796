import Localization
import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// Compares the favourite with a model that keeps each outcome's last price.
struct FavouriteLawTests {
  @Test(
    "After any suspension or deletion, filter, sort, trend and alerts use the true favourite's price or none")
  func law() throws {
    for seed in Laws.seeds(60) {
      var random = SeededRandom(seed: seed)
      var feed = FavouriteFeed(outcomes: Int.random(in: 2...5, using: &random))
      var state = ChannelState()
      state.apply(.of(feed.dump))
      var board = Board(throttle: seed % 3 == 0 ? .milliseconds(500) : .zero)
      let limit = Int.random(in: 150...350, using: &random)
      let isUp = Bool.random(using: &random)
      let rule = try AlertRule("favourite \(isUp ? ">" : "<") \(Double(limit) / 100) again by 1%")
      _ = board.state.reduceAlerts(.add(rule), now: board.now)
      var (isArmed, told, isTrusted) = (true, 0, true)
      var had: Set<Float> = []

      /// Evaluates the rule for a price in the simplest way.
      func judge(_ favourite: Int?) {
        guard let favourite else { return }
        had.insert(Float(favourite * 100_000))
        let isMet = isUp ? favourite > limit : favourite < limit
        let isBack = isUp ? favourite * 100 <= limit * 99 : favourite * 100 >= limit * 101
        if isArmed, isMet { (isArmed, told) = (false, told + 1) } else if isBack { isArmed = true }
      }

      for _ in 0..<150 {
        state.apply(.of(feed.next(using: &random)))
        let known = state.match(100)
        let match = try #require(known)
        let favourite = feed.favourite
        #expect(match.mainMarket?.favourite?.hundredths == favourite.map(Int64.init), "seed \(seed)")
        // Several updates may be merged into one.
        if Int.random(in: 0..<4, using: &random) == 0 { continue }
        board.wait(.milliseconds(Int.random(in: 0...800, using: &random)))
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
          board.updateFreshness(.locked, changed: match)
          isTrusted = false
          had.formUnion(favourite.map { [Float($0 * 100_000)] } ?? [])
        case 1: board.update(removed: [100])
        default:
          board.update(match)
          isTrusted = true
        }
        if isTrusted, board.state.alerts.engine.match(100) != nil { judge(favourite) }
        board.paint()
        #expect(board.state.alerts.rules.active[0].count == told, "seed \(seed), \(rule.text)")
        guard let row = board.state.list.rows[id: 100] else { continue }
        #expect(Set(row.trend.prices).isSubset(of: had), "seed \(seed)")
        if board.state.list.throttle.interval != .zero { continue }
        #expect(row.favourite?.hundredths == favourite.map(Int64.init), "seed \(seed)")
        let fits = try #require(try MatchFilter("favourite > 0", .english, FilterContext())).matches(row)
        #expect(fits == (favourite != nil), "seed \(seed)")
        let figure = RowOrder(.favourite).key(of: row, "", .proportional, isPinned: false).figure
        #expect(figure == favourite.map { Int64($0 * 100_000) }, "seed \(seed)")
        #expect(favourite != nil || row.move == nil, "seed \(seed)")
      }
    }
  }
}

/// A match whose prices are suspended, cleared and deleted at random, with its expected prices in hundredths.
private struct FavouriteFeed {
  struct Offer {
    var odds: Int?
    var status = 1
    var isAvailable = true
  }

  struct Market {
    var isAvailable = true
    var offers: [Offer?]
    /// Each outcome's last price.
    var last: [Int?]
  }

  private let count: Int
  /// The markets by id; the lowest id is that of the main market.
  private var markets: [Int: Market] = [:]

  init(outcomes: Int) {
    count = outcomes
    var random = SeededRandom(seed: 1)
    _ = create(market: 110, using: &random)
  }

  /// The lowest last price if each outcome has one and all outcomes at the lowest can be bet on; otherwise nil.
  var favourite: Int? {
    guard let market = markets[markets.keys.min()!], market.last.allSatisfy({ $0 != nil }) else { return nil }
    let lowest = market.last.compactMap { $0 }.min()!
    let isBettable = market.last.indices.allSatisfy { index in
      guard market.last[index] == lowest else { return true }
      guard market.isAvailable, let offer = market.offers[index] else { return false }
      return offer.odds != nil && offer.status == 1 && offer.isAvailable
    }
    return isBettable ? lowest : nil
  }

  var dump: String {
    let records = markets.keys.sorted().map { id in
      ([marketRecord(id)] + (0..<count).flatMap { [outcomeRecord(id, $0), relationRecord(id, $0)] }
        + markets[id]!.offers.enumerated().compactMap { index, offer in offer.map { offerRecord(id, index, $0) } })
        .joined(separator: ",")
    }
    return FeedText.dump(
      #"{"_type":"MATCH","id":"100","sportId":"1","name":"Ajax - Porto","statusId":"2"},"#
        + records.joined(separator: ","))
  }

  mutating func next(using random: inout SeededRandom) -> String {
    let id = markets.keys.randomElement(using: &random)!
    let index = Int.random(in: 0..<count, using: &random)
    let offer = (id * 10 + 4000 + index)
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return dump
    case 1:
      // Another market becomes the main market, or is removed again.
      guard markets[105] == nil else {
        markets[105] = nil
        return FeedText.update(FeedText.delete("MARKET", 105))
      }
      return create(market: 105, using: &random)
    case 2:
      markets[id]!.isAvailable.toggle()
      return FeedText.update(FeedText.change("MARKET", id, #""isAvailable":\#(markets[id]!.isAvailable)"#))
    default: break
    }
    guard var known = markets[id]!.offers[index] else {
      let new = Offer(odds: Self.odds(using: &random))
      put(new, id, index)
      return FeedText.update(FeedText.create("BETTING_OFFER", offer, offerRecord(id, index, new)))
    }
    var changes: [String] = []
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      markets[id]!.offers[index] = nil
      return FeedText.update(FeedText.delete("BETTING_OFFER", offer))
    case 1:
      known.isAvailable.toggle()
      changes.append(#""isAvailable":\#(known.isAvailable)"#)
    case 2, 3:
      known.status = [1, 1, 7, 7, 4].randomElement(using: &random)!
      changes.append(#""statusId":"\#(known.status)""#)
    case 4:
      known.odds = nil
      known.status = 7
      changes += [#""odds":null"#, #""statusId":"7""#]
    case 5:
      known.odds = known.odds ?? Self.odds(using: &random)
      known.status = 1
      changes += [#""odds":\#(Double(known.odds!) / 100)"#, #""statusId":"1""#]
    default:
      known.odds = Self.odds(using: &random)
      changes.append(#""odds":\#(Double(known.odds!) / 100)"#)
    }
    put(known, id, index)
    return FeedText.update(FeedText.change("BETTING_OFFER", offer, changes.joined(separator: ",")))
  }

  /// Returns one of few prices, so that two are often equal.
  private static func odds(using random: inout SeededRandom) -> Int {
    Bool.random(using: &random) ? .random(in: 12...40, using: &random) * 10 : .random(in: 101...600, using: &random)
  }

  private mutating func put(_ offer: Offer, _ market: Int, _ index: Int) {
    markets[market]!.offers[index] = offer
    if let odds = offer.odds { markets[market]!.last[index] = odds }
  }

  private mutating func create(market id: Int, using random: inout SeededRandom) -> String {
    let offers = (0..<count).map { _ in
      Int.random(in: 0..<9, using: &random) == 0 ? nil : Offer(odds: Self.odds(using: &random))
    }
    markets[id] = Market(offers: offers, last: offers.map { $0?.odds })
    var changes = [FeedText.create("MARKET", id, marketRecord(id))]
    for index in 0..<count {
      changes.append(FeedText.create("OUTCOME", id * 10 + 2000 + index, outcomeRecord(id, index)))
      changes.append(FeedText.create("MARKET_OUTCOME_RELATION", id * 10 + 3000 + index, relationRecord(id, index)))
      if let offer = offers[index] {
        changes.append(FeedText.create("BETTING_OFFER", id * 10 + 4000 + index, offerRecord(id, index, offer)))
      }
    }
    return FeedText.update(changes.joined(separator: ","))
  }

  private func marketRecord(_ id: Int) -> String {
    #"{"_type":"MARKET","id":"\#(id)","eventId":"100","name":"Market \#(id)","isAvailable":\#(markets[id]!.isAvailable)}"#
  }

  private func outcomeRecord(_ market: Int, _ index: Int) -> String {
    #"{"_type":"OUTCOME","id":"\#(market * 10 + 2000 + index)","eventId":"100","translatedName":"\#(index)"}"#
  }

  private func relationRecord(_ market: Int, _ index: Int) -> String {
    let outcome = market * 10 + 2000 + index
    return
      #"{"_type":"MARKET_OUTCOME_RELATION","id":"\#(outcome + 1000)","marketId":"\#(market)","outcomeId":"\#(outcome)"}"#
  }

  private func offerRecord(_ market: Int, _ index: Int, _ offer: Offer) -> String {
    let outcome = market * 10 + 2000 + index
    let odds = offer.odds.map { #""odds":\#(Double($0) / 100),"# } ?? ""
    return
      #"{"_type":"BETTING_OFFER","id":"\#(outcome + 2000)","outcomeId":"\#(outcome)","statusId":"\#(offer.status)",\#(odds)"isAvailable":\#(offer.isAvailable)}"#
  }
}
