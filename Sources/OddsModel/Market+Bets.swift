extension Market {
  /// True if bets are taken on the market: it is available and not closed, its match is not over, and on an exchange
  /// it is open and its image has arrived.
  public var takesBets: Bool {
    isAvailable && !isClosed && !isMatchOver && (exchange.map { $0.status == .open && !$0.isAwaitingImage } ?? true)
  }

  /// Returns true if an exchange takes bets on an outcome of this market now, so that the odds in its
  /// `Outcome.exchange` can be shown as live. Always false for a market with fixed odds.
  public func takesBets(on outcome: Outcome) -> Bool {
    guard let exchange else { return false }
    // NB: A price without an offer has no status. An outcome that is removed or settled keeps its offer's.
    return takesBets && !exchange.hasLines && outcome.offer?.status == .standard
  }

  /// Returns true if the price of an outcome cannot be bet on only because the match is over or the market awaits its
  /// image. Such a price may be out of date.
  package func isDoubtful(_ outcome: Outcome) -> Bool {
    guard isMatchOver || exchange?.isAwaitingImage == true, isAvailable, !isClosed, !outcome.isBettable,
      exchange.map({ $0.status == .open }) ?? true, let offer = outcome.offer
    else { return false }
    return offer.status == .standard && offer.isAvailable && offer.odds != nil
  }
}
