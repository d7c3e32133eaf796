import OddsModel
import TestSupport

@testable import Polymarket

/// Random events of the market channel, and a slow and simple model of their effect in dictionaries.
struct MarketTruth {
  struct Level: Hashable {
    var isBid: Bool
    var price: Int64
  }

  struct Image {
    var text: String
    var time: Int64
    var bids: [Int64: Int64]
    var asks: [Int64: Int64]
  }

  struct Token {
    /// The server's book.
    var bids: [Int64: Int64] = [:]
    var asks: [Int64: Int64] = [:]
    /// The book as a client knows it; nil before an image.
    var known: (bids: [Int64: Int64], asks: [Int64: Int64])?
    /// The time of the last image.
    var imageTime: Int64 = 0
    /// The time of the last update of the known book.
    var lastTime: Int64 = 0
    /// The minimum time of an acceptable image. An older one lacks an applied or an unreadable update.
    var minImageTime: Int64 = 0
    /// The times of the last changes since the image.
    var changeTimes: [Level: Int64] = [:]
    /// The last image as it was sent.
    var image: String?
    /// The last images that were sent, also those that were not accepted.
    var images: [Image] = []
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
  var tokens: [String: Token] = [:]
  var random: SeededRandom
  private(set) var clock: Int64 = 1_769_383_800_000
  private var lastHash = 0
  /// Recent changes as they were sent, and their effect.
  var sentChanges: [(text: String, token: String)] = []

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
    case ..<12: return newImage(id)
    case ..<14: return repeatedImage(id) ?? newImage(id)
    case ..<18: return oldImage(id) ?? newImage(id)
    case ..<24: return lateChange(id)
    case ..<70: return change()
    case ..<76: return repeatedChange() ?? change()
    case ..<80: return trade(id)
    case ..<84:
      markUnknown([id], at: nil)
      return #"{"old_tick_size":"0.01","asset_id":"\#(id)","event_type":"tick_size_change","new_tick_size":"0.001"}"#
    case ..<87: return withdrawal(of: ids.filter { _ in Bool.random(using: &random) })
    case ..<88: return resolve(id)
    case ..<92: return unreadableUpdate(id)
    case ..<93: return unknownToken()
    case ..<95: return outdatedChange(id)
    case ..<96: return #"{"event_type":"new_kind","asset_id":"\#(id)","price":"0.01"}"#
    case ..<97: return bestPrices(id)
    case ..<98:
      // A change that does not reach the client.
      let price = price()
      tokens[id]!.bids[price] = size()
      return #"{"event_type":"new_kind","asset_id":"\#(id)"}"#
    default:
      return #"{"asset_id":"999","bids":[{"price":"0.1","size":"5"}],"asks":[],"event_type":"book","hash":"z"}"#
    }
  }

  mutating func hash() -> String {
    lastHash += 1
    return "0x\(String(lastHash, radix: 16))"
  }

  mutating func price() -> Int64 { Int64.random(in: 1..<20, using: &random) * 500_000 }

  mutating func size() -> Int64 { Int64.random(in: 1...9000, using: &random) * 100_000 }

  static func text(_ units: Int64) -> String {
    let digits = String(units % 10_000_000 + 10_000_000).dropFirst()
    return "\(units / 10_000_000).\(digits)"
  }

  private mutating func levels(_ levels: [Int64: Int64]) -> String {
    let worstFirst = levels.shuffled(using: &random)
    return worstFirst.map { #"{"size":"\#(Self.text($1))","price":"\#(Self.text($0))"}"# }.joined(separator: ",")
  }

  private mutating func newImage(_ id: String) -> String {
    if Bool.random(using: &random) {
      // The server's book changes, without crossed orders.
      let middle = price()
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        let price = price()
        if price < middle { tokens[id]!.bids[price] = size() } else { tokens[id]!.asks[price] = size() }
      }
    }
    let text = """
      {"market":"0xc0","asset_id":"\(id)","timestamp":"\(clock)","hash":"\(hash())","bids":[\(levels(tokens[id]!.bids))],\
      "asks":[\(levels(tokens[id]!.asks))],"event_type":"book"}
      """
    let image = Image(text: text, time: clock, bids: tokens[id]!.bids, asks: tokens[id]!.asks)
    tokens[id]!.images = tokens[id]!.images.suffix(3) + [image]
    applyImage(image, to: id)
    return text
  }

  /// Replaces the book by that of an image.
  mutating func applyImage(_ image: Image, to id: String) {
    tokens[id]!.known = (image.bids, image.asks)
    tokens[id]!.image = image.text
    tokens[id]!.imageTime = image.time
    tokens[id]!.lastTime = image.time
    tokens[id]!.changeTimes = [:]
    tokens[id]!.disputed = []
    tokens[id]!.disputeTime = 0
    tokens[id]!.isChanged = false
    sentChanges.removeAll { $0.token == id }
  }

  private mutating func change() -> String {
    var changes: [String] = []
    var statements: [String: (bid: Int64?, ask: Int64?)] = [:]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let (id, price) = (ids.randomElement(using: &random)!, price())
      let size = Bool.random(using: &random) ? size() : 0
      let isBid = Bool.random(using: &random)
      set(id, isBid, price, size)
      let best = bestPricesToState(id)
      statements[id] = best
      let text = """
        {"asset_id":"\(id)","price":"\(Self.text(price))","size":"\(size == 0 ? "0" : Self.text(size))",\
        "side":"\(isBid ? "BUY" : "SELL")","hash":"\(hash())",\(Self.text(best))}
        """
      changes.append(text)
      sentChanges.append((#"{"timestamp":"\#(clock)","price_changes":[\#(text)],"event_type":"price_change"}"#, id))
    }
    for (id, best) in statements { disputeLevels(of: id, by: best) }
    sentChanges.removeFirst(max(0, sentChanges.count - 5))
    let list = changes.joined(separator: ",")
    return #"{"timestamp":"\#(clock)","price_changes":[\#(list)],"event_type":"price_change","market":"0xc0"}"#
  }

  private mutating func set(_ id: String, _ isBid: Bool, _ price: Int64, _ size: Int64) {
    let value = size == 0 ? nil : size
    if isBid { tokens[id]!.bids[price] = value } else { tokens[id]!.asks[price] = value }
    applyChange(of: Level(isBid: isBid, price: price), value, to: id, at: clock)
  }

  /// Applies a change to a level of the known book.
  mutating func applyChange(of level: Level, _ size: Int64?, to id: String, at time: Int64) {
    if tokens[id]!.known == nil { return }
    tokens[id]!.isChanged = true
    tokens[id]!.lastTime = max(tokens[id]!.lastTime, time)
    tokens[id]!.changeTimes[level] = time
    tokens[id]!.disputed.remove(level)
    if level.isBid { tokens[id]!.known!.bids[level.price] = size } else { tokens[id]!.known!.asks[level.price] = size }
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

  mutating func markAllUnknown() { markUnknown(ids, at: nil) }

  /// Marks the books as unknown. `time` is that of a missing update.
  mutating func markUnknown(_ ids: [String], at time: Int64?) {
    for id in ids {
      tokens[id]!.minImageTime = max(tokens[id]!.minImageTime, tokens[id]!.lastTime, time ?? 0)
      tokens[id]!.known = nil
      tokens[id]!.disputed = []
      sentChanges.removeAll { $0.token == id }
    }
  }

  /// Returns the prices that a reader must see, best first: the price of a share and the number of shares.
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
