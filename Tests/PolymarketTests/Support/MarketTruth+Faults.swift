import TestSupport

// Updates that arrive again, late or damaged.
extension MarketTruth {
  /// Sends the last image again. It resolves a dispute unless the book has changed since, or is disputed by an update
  /// from after the image.
  mutating func repeatedImage(_ id: String) -> String? {
    guard let token = tokens[id], token.known != nil, let image = token.image else { return nil }
    if !token.isChanged, token.disputeTime <= token.imageTime { tokens[id]!.disputed = [] }
    return image
  }

  /// Sends an earlier image again. It counts only if no newer update is known.
  mutating func oldImage(_ id: String) -> String? {
    guard let image = tokens[id]!.images.randomElement(using: &random) else { return nil }
    let isKnown = tokens[id]!.known != nil
    if isKnown, image.text == tokens[id]!.image { return repeatedImage(id) }
    if image.time >= max(tokens[id]!.minImageTime, isKnown ? tokens[id]!.lastTime : 0) { applyImage(image, to: id) }
    return image.text
  }

  /// A late change newer than the book's image. It counts unless its level has changed since.
  mutating func lateChange(_ id: String) -> String {
    let time = Int64.random(in: max(tokens[id]!.imageTime, clock - 50)...clock, using: &random)
    let level = Level(isBid: Bool.random(using: &random), price: price())
    let size = Bool.random(using: &random) ? size() : 0
    if tokens[id]!.changeTimes[level] ?? 0 <= time { applyChange(of: level, size == 0 ? nil : size, to: id, at: time) }
    return """
      {"event_type":"price_change","timestamp":"\(time)","price_changes":[{"asset_id":"\(id)",\
      "price":"\(Self.text(level.price))","size":"\(Self.text(size))","side":"\(level.isBid ? "BUY" : "SELL")",\
      "hash":"\(hash())"}]}
      """
  }

  /// Withdraws prices, all or those before a time.
  mutating func withdrawal(of withdrawn: [String]) -> String {
    let list = withdrawn.map { #""\#($0)""# }.joined(separator: ",")
    guard Bool.random(using: &random) else {
      markUnknown(withdrawn, at: nil)
      return #"{"assets_ids":[\#(list)],"event_type":"withdrawn"}"#
    }
    let time = clock - Int64.random(in: 0...20, using: &random)
    markUnknown(withdrawn.filter { max(tokens[$0]!.minImageTime, tokens[$0]!.lastTime) < time }, at: time)
    return #"{"assets_ids":[\#(list)],"timestamp":"\#(time)","event_type":"withdrawn"}"#
  }

  /// Repeats an applied change, which must have no effect.
  mutating func repeatedChange() -> String? {
    sentChanges.last { tokens[$0.token]!.known != nil }?.text
  }

  /// A change or an image with an unreadable value, after which the token's book is unknown.
  mutating func unreadableUpdate(_ id: String) -> String {
    if Bool.random(using: &random) {
      markUnknown([id], at: clock)
      return """
        {"event_type":"price_change","timestamp":"\(clock)","price_changes":[{"asset_id":"\(id)","price":"x","size":"1",\
        "side":"BUY"}]}
        """
    }
    markUnknown([id], at: nil)
    return #"{"event_type":"book","asset_id":"\#(id)","bids":[{"price":"0.4"}],"asks":[]}"#
  }

  /// An update without a valid token, which can concern any token.
  mutating func unknownToken() -> String {
    markAllUnknown()
    return [
      #"{"event_type":"price_change","timestamp":"\#(clock)"}"#,
      #"{"event_type":"price_change","price_changes":[{"price":"0.5","size":"1","side":"BUY"}]}"#,
      #"{"event_type":"book","bids":[],"asks":[]}"#, #"{"event_type":"market_resolved","assets_ids":[7]}"#,
      #"{"event_type":"withdrawn","assets_ids":["11",null]}"#, #"{"event_type":"events_changed","removed":[{}]}"#,
    ].randomElement(using: &random)!
  }

  /// A change older than the book's image, which already includes it.
  mutating func outdatedChange(_ id: String) -> String {
    let time = tokens[id]!.imageTime - Int64.random(in: 1...1000, using: &random)
    return """
      {"event_type":"price_change","timestamp":"\(time)","price_changes":[{"asset_id":"\(id)",\
      "price":"\(Self.text(price()))","size":"\(Self.text(size()))","side":"BUY","hash":"\(hash())"}]}
      """
  }
}
