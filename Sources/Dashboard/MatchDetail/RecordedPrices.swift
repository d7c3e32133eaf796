import OddsHistory
import OddsModel

/// A request for the recorded prices of an outcome of the open match.
package struct PriceRequest: Hashable, Sendable {
  /// The number of the request. A later one has a higher number.
  let number: Int
  let match: MatchID
  let outcome: OutcomeKey
  /// The time of the first price, in milliseconds since 1970.
  let begin: Int64
  /// The time of second zero of `FeedClock`, in milliseconds since 1970.
  let epoch: Int64

  /// Returns the request for another time of second zero.
  func moved(to epoch: Int64) -> PriceRequest {
    PriceRequest(
      number: number, match: match, outcome: outcome, begin: max(0, begin - self.epoch + epoch), epoch: epoch)
  }
}

/// The recorded prices of an outcome, up to the time at which they were read.
package struct RecordedPrices: Hashable, Sendable {
  let request: PriceRequest
  var match: MatchID { request.match }
  var outcome: OutcomeKey { request.outcome }
  /// The recorded prices, at seconds of `FeedClock`. Those before the clock's second zero are negative.
  let history: PriceHistory
  let opening: DecimalOdds?
  /// The last live price before the match began; nil if it has not begun.
  let closing: DecimalOdds?
  /// The last live price.
  let last: DecimalOdds?

  init(_ record: OutcomeRecord, for request: PriceRequest) {
    self.request = request
    history = PriceHistory(record.series, epoch: request.epoch)
    opening = record.opening
    closing = record.closing
    last = record.last
  }

  var openingBatch: OpeningBatch? {
    opening.map { odds in
      OpeningBatch(prices: [
        OpeningBatch.Price(match: match, market: outcome.market, outcome: outcome.outcome, odds: odds)
      ])
    }
  }
}

extension PriceHistory {
  /// The maximum number of recorded steps. Beyond it, steps are conflated.
  static let recordedLimit = 50_000

  /// Creates the history of a recorded price. Steps within one second are one step.
  init(_ series: PriceSeries, epoch: Int64) {
    self.init()
    for step in series.steps {
      let second = (Double(step.time - epoch) / 1000).rounded(.down)
      append(Step(step.odds, State(step.state), at: Int(second)))
    }
    var grain = 2
    while steps.count > Self.recordedLimit {
      conflate(inBucketsOf: grain)
      grain *= 2
    }
  }

  /// Returns this history with the recorded price wherever its own is unknown.
  func filled(from recorded: PriceHistory) -> PriceHistory {
    var filled = PriceHistory()
    var (own, other) = (0, 0)
    while own < steps.count || other < recorded.steps.count {
      let ownSecond = own < steps.count ? steps[own].second : .max
      let otherSecond = other < recorded.steps.count ? recorded.steps[other].second : .max
      let second = min(ownSecond, otherSecond)
      if ownSecond == second { own += 1 }
      if otherSecond == second { other += 1 }
      let seen = own > 0 ? steps[own - 1] : nil
      let known = other > 0 ? recorded.steps[other - 1] : nil
      let isSeen = seen.map { $0.state != .unknown } ?? false
      guard let step = isSeen ? seen : known ?? seen else { continue }
      filled.append(step.restated(at: second))
    }
    filled.keepOpening(opening)
    return filled
  }
}

extension PriceHistory.State {
  fileprivate init(_ state: PriceSeries.State) {
    self =
      switch state {
      case .live: .live
      case .suspended: .suspended
      case .unknown: .unknown
      }
  }
}
