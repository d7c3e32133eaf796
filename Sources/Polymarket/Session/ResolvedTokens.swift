/// The tokens of resolved markets, so that their markets stay closed while Gamma is behind.
///
/// A token is kept while a topic has its event, and for an hour after that. So their number is bounded by the tokens of
/// the topics and the markets that are resolved in an hour.
struct ResolvedTokens {
  private(set) var tokens: Set<TokenID> = []
  /// The last time at which a topic had each token.
  private var lastUse: [TokenID: Duration] = [:]

  mutating func insert(_ new: [TokenID], at now: Duration) {
    tokens.formUnion(new)
    for token in new { lastUse[token] = now }
  }

  /// Removes the tokens that no topic has had for an hour. `used` are the tokens that a topic has.
  mutating func expire(except used: some Sequence<TokenID>, at now: Duration) {
    if tokens.isEmpty { return }
    for token in used where tokens.contains(token) { lastUse[token] = now }
    lastUse = lastUse.filter { now - $0.value < PolymarketTiming.resolved }
    tokens = Set(lastUse.keys)
  }
}
