import OddsModel
import TestSupport

@testable import Polymarket

/// A random course of the market channel, and what it means, in dictionaries: slow, and obviously right.
struct MarketTruth {
  struct Level: Hashable {
    var isBid: Bool
    var price: Int64
  }

  struct Token {
    /// The server's book.
    var bids: [Int64: Int64] = [:]
    var asks: [Int64: Int64] = [:]
    /// The book as a client knows it; nil before an image.
    var known: (bids: [Int64: Int64], asks: [Int64: Int64])?
    /// The time of the last image.
    var imageTime: Int64 = 0
    /// The last image as it was sent.
    var image: String?
    /// True if a change has been applied since the image.
    var isChanged = false
    /// The time of the last update that disputes the book.
    var disputeTime: Int64 = 0
    /// The levels of the known book that contradict the best prices that an update has stated.
    var disputed: Set<Level> = []
    var lastTraded: Int64?
    var isResolved = false
  }

  let ids: [String]
  /// The other token of each token's market.
  let siblings: [String: String]
  private(set) var tokens: [String: Token] = [:]
  private var random: SeededRandom
  private var clock: Int64 = 1_769_383_800_000
  private var lastHash = 0
  /// Recent changes as they were sent, and their effect.
  private var sent: [(text: String, token: String)] = []

  init(seed: UInt64, event: GammaEvent = Sample.game) {
    random = SeededRandom(seed: seed)
    ids = event.markets.flatMap(\.tokens).map(\.description)
    siblings = Dictionary(
      uniqueKeysWithValues: event.markets.flatMap { market in
        let pair = market.tokens.map(\.description)
        return [(pair[0], pair[1]), (pair[1], pair[0])]
      })
    for id in ids { tokens[id] = Token() }
  }

  /// Returns the next event, as an object of JSON.
  mutating func next() -> String {
    clock += Int64.random(in: 0...3, using: &random)
    let id = ids.randomElement(using: &random)!
    switch Int.random(in: 0..<100, using: &random) {
    case ..<12: return book(id)
    case ..<15: return repeatedImage(id) ?? book(id)
    case ..<70: return change()
    case ..<76: return repetition() ?? change()
    case ..<80: return trade(id)
    case ..<84:
      forget([id])
      return #"{"old_tick_size":"0.01","asset_id":"\#(id)","event_type":"tick_size_change","new_tick_size":"0.001"}"#
    case ..<87:
      let gone = ids.filter { _ in Bool.random(using: &random) }
      forget(gone)
      return #"{"assets_ids":[\#(gone.map { #""\#($0)""# }.joined(separator: ","))],"event_type":"withdrawn"}"#
    case ..<88: return resolve(id)
    case ..<92: return unreadable(id)
    case ..<93: return unknownToken()
    case ..<95: return older(id)
    case ..<96: return #"{"event_type":"new_kind","asset_id":"\#(id)","price":"0.01"}"#
    case ..<97: return bestPrices(id)
    case ..<98:
      // A change that is lost on its way.
      let price = price()
      tokens[id]!.bids[price] = size()
      return #"{"event_type":"new_kind","asset_id":"\#(id)"}"#
    default:
      return #"{"asset_id":"999","bids":[{"price":"0.1","size":"5"}],"asks":[],"event_type":"book","hash":"z"}"#
    }
  }

  private mutating func hash() -> String {
    lastHash += 1
    return "0x\(String(lastHash, radix: 16))"
  }

  private mutating func price() -> Int64 { Int64.random(in: 1..<20, using: &random) * 500_000 }

  private mutating func size() -> Int64 { Int64.random(in: 1...9000, using: &random) * 100_000 }

  static func text(_ units: Int64) -> String {
    let digits = String(units % 10_000_000 + 10_000_000).dropFirst()
    return "\(units / 10_000_000).\(digits)"
  }

  private mutating func levels(_ levels: [Int64: Int64]) -> String {
    let worstFirst = levels.shuffled(using: &random)
    return worstFirst.map { #"{"size":"\#(Self.text($1))","price":"\#(Self.text($0))"}"# }.joined(separator: ",")
  }

  private mutating func book(_ id: String) -> String {
    if Bool.random(using: &random) {
      // The server's book has become another one, without crossed orders.
      let middle = price()
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        let price = price()
        if price < middle { tokens[id]!.bids[price] = size() } else { tokens[id]!.asks[price] = size() }
      }
    }
    tokens[id]!.known = (tokens[id]!.bids, tokens[id]!.asks)
    tokens[id]!.imageTime = clock
    tokens[id]!.disputed = []
    tokens[id]!.disputeTime = 0
    tokens[id]!.isChanged = false
    sent.removeAll { $0.token == id }
    let text = """
      {"market":"0xc0","asset_id":"\(id)","timestamp":"\(clock)","hash":"\(hash())","bids":[\(levels(tokens[id]!.bids))],\
      "asks":[\(levels(tokens[id]!.asks))],"event_type":"book"}
      """
    tokens[id]!.image = text
    return text
  }

  /// The last image is sent again. It settles a dispute unless the book has changed since, or is disputed by an update
  /// from after the image.
  private mutating func repeatedImage(_ id: String) -> String? {
    guard let token = tokens[id], token.known != nil, let image = token.image else { return nil }
    if !token.isChanged, token.disputeTime <= token.imageTime { tokens[id]!.disputed = [] }
    return image
  }

  private mutating func change() -> String {
    var changes: [String] = []
    var statements: [String: (bid: Int64?, ask: Int64?)] = [:]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let (id, price) = (ids.randomElement(using: &random)!, price())
      let size = Bool.random(using: &random) ? size() : 0
      let isBid = Bool.random(using: &random)
      set(id, isBid, price, size)
      let best = statement(id)
      statements[id] = best
      let text = """
        {"asset_id":"\(id)","price":"\(Self.text(price))","size":"\(size == 0 ? "0" : Self.text(size))",\
        "side":"\(isBid ? "BUY" : "SELL")","hash":"\(hash())",\(Self.text(best))}
        """
      changes.append(text)
      sent.append((#"{"timestamp":"\#(clock)","price_changes":[\#(text)],"event_type":"price_change"}"#, id))
    }
    for (id, best) in statements { compare(id, best) }
    sent.removeFirst(max(0, sent.count - 5))
    let list = changes.joined(separator: ",")
    return #"{"timestamp":"\#(clock)","price_changes":[\#(list)],"event_type":"price_change","market":"0xc0"}"#
  }

  /// Returns best prices to state: those of the server's book, none, or wrong ones.
  private mutating func statement(_ id: String) -> (bid: Int64?, ask: Int64?) {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return (price(), nil)
    case 1: return (nil, price())
    case ..<6: return (nil, nil)
    default: return (tokens[id]!.bids.keys.max() ?? 0, tokens[id]!.asks.keys.min() ?? 10_000_000)
    }
  }

  private static func text(_ best: (bid: Int64?, ask: Int64?)) -> String {
    #""best_bid":"\#(best.bid.map(text) ?? "")","best_ask":"\#(best.ask.map(text) ?? "")""#
  }

  private mutating func bestPrices(_ id: String) -> String {
    let best = statement(id)
    compare(id, best)
    return #"{"event_type":"best_bid_ask","asset_id":"\#(id)","timestamp":"\#(clock)",\#(Self.text(best))}"#
  }

  /// Disputes each level of the known book because of which its best prices are not the stated ones.
  private mutating func compare(_ id: String, _ best: (bid: Int64?, ask: Int64?)) {
    guard let known = tokens[id]!.known else { return }
    let old = tokens[id]!.disputed
    defer { if tokens[id]!.disputed != old { tokens[id]!.disputeTime = clock } }
    for price in Int64(1)...20 {
      let price = price * 500_000
      if let bid = best.bid, price > bid ? known.bids[price] != nil : price == bid && known.bids[price] == nil {
        tokens[id]!.disputed.insert(Level(isBid: true, price: price))
      }
      if let ask = best.ask, price < ask ? known.asks[price] != nil : price == ask && known.asks[price] == nil,
        price < 10_000_000
      {
        tokens[id]!.disputed.insert(Level(isBid: false, price: price))
      }
    }
  }

  private mutating func set(_ id: String, _ isBid: Bool, _ price: Int64, _ size: Int64) {
    let value = size == 0 ? nil : size
    if isBid { tokens[id]!.bids[price] = value } else { tokens[id]!.asks[price] = value }
    if tokens[id]!.known == nil { return }
    tokens[id]!.isChanged = true
    tokens[id]!.disputed.remove(Level(isBid: isBid, price: price))
    if isBid { tokens[id]!.known!.bids[price] = value } else { tokens[id]!.known!.asks[price] = value }
  }

  /// A change that was applied is sent again: it must have no effect.
  private mutating func repetition() -> String? {
    sent.last { tokens[$0.token]!.known != nil }?.text
  }

  private mutating func trade(_ id: String) -> String {
    let price = price()
    tokens[id]!.lastTraded = price
    return """
      {"asset_id":"\(id)","event_type":"last_trade_price","fee_rate_bps":"0","price":"\(Self.text(price))",\
      "side":"BUY","size":"10","timestamp":"\(clock)"}
      """
  }

  private mutating func resolve(_ id: String) -> String {
    for id in [id, siblings[id]!] { tokens[id]!.isResolved = true }
    return #"{"event_type":"market_resolved","assets_ids":["\#(id)","\#(siblings[id]!)"],"winning_asset_id":"\#(id)"}"#
  }

  /// A change or an image with a value that cannot be read: the token's book is unknown.
  private mutating func unreadable(_ id: String) -> String {
    forget([id])
    if Bool.random(using: &random) {
      return """
        {"event_type":"price_change","timestamp":"\(clock)","price_changes":[{"asset_id":"\(id)","price":"x","size":"1",\
        "side":"BUY"}]}
        """
    }
    return #"{"event_type":"book","asset_id":"\#(id)","bids":[{"price":"0.4"}],"asks":[]}"#
  }

  /// An update that does not say of which token it is: it can be of any.
  private mutating func unknownToken() -> String {
    forgetAll()
    return [
      #"{"event_type":"price_change","timestamp":"\#(clock)"}"#,
      #"{"event_type":"price_change","price_changes":[{"price":"0.5","size":"1","side":"BUY"}]}"#,
      #"{"event_type":"book","bids":[],"asks":[]}"#, #"{"event_type":"market_resolved","assets_ids":[7]}"#,
      #"{"event_type":"withdrawn","assets_ids":["11",null]}"#, #"{"event_type":"events_changed","removed":[{}]}"#,
    ].randomElement(using: &random)!
  }

  /// A change from before the book's image, which has it or what came after it.
  private mutating func older(_ id: String) -> String {
    let time = tokens[id]!.imageTime - Int64.random(in: 1...1000, using: &random)
    return """
      {"event_type":"price_change","timestamp":"\(time)","price_changes":[{"asset_id":"\(id)",\
      "price":"\(Self.text(price()))","size":"\(Self.text(size()))","side":"BUY","hash":"\(hash())"}]}
      """
  }

  mutating func forgetAll() { forget(ids) }

  private mutating func forget(_ ids: [String]) {
    for id in ids {
      tokens[id]!.known = nil
      tokens[id]!.disputed = []
      sent.removeAll { $0.token == id }
    }
  }

  /// The prices that a reader must see: the price of a share, best first, with the shares.
  func prices(of id: String) -> (asks: [(Int64, Int64)], bids: [(Int64, Int64)]) {
    guard let token = tokens[id], !token.isResolved, token.disputed.isEmpty, let known = token.known else {
      return ([], [])
    }
    let asks = known.asks.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let bids = known.bids.sorted { $0.key > $1.key }.map { ($0.key, $0.value) }
    if let ask = asks.first, let bid = bids.first, bid.0 >= ask.0 { return ([], []) }
    return (Array(asks.prefix(3)), Array(bids.prefix(3)))
  }

  /// True if the market of a token awaits an image.
  func isAwaiting(_ id: String) -> Bool {
    !tokens[id]!.isResolved
      && [id, siblings[id]!].contains { tokens[$0]!.known == nil || !tokens[$0]!.disputed.isEmpty }
  }
}
