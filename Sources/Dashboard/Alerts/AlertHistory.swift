package import OddsHistory
package import OddsModel

/// A request for the recorded prices that a rule compares a price with.
package struct AlertHistoryRequest: Hashable, Sendable {
  package let match: MatchID
  package let market: MarketID
  /// Nil for the favourite of the market.
  package let outcome: OutcomeID?
  /// The outcomes that the market has; nil if it has none, and for a request that is not about the favourite.
  package var present: [OutcomeID]?
  /// The time span before `until`; nil for the opening price only.
  package let span: Duration?
  /// The time at which the rule began to watch the price, in milliseconds since 1970.
  package let until: Int64

  /// The time range of the prices, in milliseconds since 1970; nil for the opening price only.
  package var range: Range<Int64>? { span.map { until - Int64($0 / .milliseconds(1))..<until } }
}

/// The recorded prices for a request.
package struct AlertHistoryAnswer: Sendable {
  let request: AlertHistoryRequest
  /// Nil if nothing is recorded, or the history cannot be read.
  let past: PastPrices?

  package init(_ request: AlertHistoryRequest, _ past: PastPrices?) {
    self.request = request
    self.past = past
  }
}

extension AlertTrace {
  /// The state of the recorded prices that a rule needs. Until they are known, the rule decides nothing.
  enum Past: Hashable, Sendable {
    /// The rule needs none, or they have been read.
    case known
    case missing
    /// The time up to which they were requested, in milliseconds since 1970.
    case requested(until: Int64)
  }

  /// Applies recorded prices from before the trace. The first price that was seen makes the first decision, as it would
  /// have if the recorded prices had been known then.
  mutating func learn(_ past: PastPrices?, _ event: AlertRule.Event, now: FrameTime) {
    self.past = .known
    switch event {
    case .moveFromOpening(_, let direction, let percent):
      // A recorded price is rounded: it can be the first one that was seen.
      if let recorded = past?.opening, recorded != first?.inThousandths { opening = recorded }
      guard let first, let opening else { return }
      holds = first.isBeyond(opening, direction, by: percent)
    case .extreme(_, let extreme, let span):
      let points = (past?.prices ?? []).map { price in
        (odds: price.odds, until: now.uptime - .milliseconds(now.wall - price.until))
      }
      var earlier = SlidingPriceRange(span: span)
      earlier.precede(by: points)
      var history = history.take() ?? earlier
      defer { self.history = history }
      if first == nil { return history = earlier }
      history.precede(by: points)
      guard let first, let firstTime else { return }
      earlier.apply(first.inThousandths, previousUntil: firstTime)
      holds = earlier.isExtreme(extreme, now: firstTime)
    default: break
    }
  }
}

extension AlertRule.Event {
  /// True if the rule compares a price with recorded ones.
  var usesHistory: Bool {
    switch self {
    case .moveFromOpening, .extreme: true
    case .price, .move, .suspended, .resumed, .kickOff, .score, .condition: false
    }
  }

  /// The time span of the recorded prices; nil for the opening price only.
  var historySpan: Duration? { if case .extreme(_, _, let span) = self { span } else { nil } }
}

extension DecimalOdds {
  /// The price as the history has it: rounded half up to thousandths.
  var inThousandths: DecimalOdds { DecimalOdds(thousandths: thousandths) }

  /// Returns true if the price is that far from another in the direction.
  func isBeyond(_ other: DecimalOdds, _ direction: AlertRule.Direction, by percent: AlertRule.Percent) -> Bool {
    direction != .down && isBeyond(other, by: percent.hundredths)
      || direction != .up && isBeyond(other, by: -percent.hundredths)
  }
}
