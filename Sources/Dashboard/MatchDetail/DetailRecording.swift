import OddsModel

/// The recorded prices of the selected outcome of the open match. They are read again at intervals: the board itself
/// remembers its last prices only.
struct DetailRecording: Sendable {
  /// The time after which the prices are read again, in seconds. Less than the board remembers.
  static let interval = 1800

  private struct Request: Hashable, Sendable {
    let match: MatchID
    let outcome: OutcomeKey
    /// True if the match was over.
    let isOver: Bool
    let second: Int
    /// The time frame of the chart.
    let frame: ChartFrame

    func covers(_ other: Request) -> Bool {
      match == other.match && outcome == other.outcome && isOver == other.isOver
        && other.second - second < DetailRecording.interval && frame.seconds >= other.frame.seconds
    }
  }

  /// The number of requests so far. Only the answer to the last one counts: a recording may have jumped in between.
  private(set) var number = 0
  /// The last request.
  private var request: Request?
  /// The recorded prices; nil until they are read.
  private(set) var prices: RecordedPrices?
  /// The prices that the board has seen, as they were last combined with the recorded ones.
  private var seen: PriceHistory?
  /// The prices that the board has seen, and the recorded ones of other times. Nil without recorded prices.
  private(set) var combined: PriceHistory?

  /// Returns the effect that reads the prices of the selected outcome; nil if they are read or being read.
  mutating func request(for pane: DetailPane?, _ frame: ChartFrame, second: Int) -> Effect? {
    guard let pane, let outcome = pane.chosen else {
      clear()
      return nil
    }
    let new = Request(match: pane.id, outcome: outcome, isOver: pane.isOver, second: second, frame: frame)
    if let request, request.covers(new) { return nil }
    if request?.match != new.match || request?.outcome != new.outcome { clear() }
    request = new
    number += 1
    // A frame may end at an earlier second of the board's, and the prices are read again after an interval only.
    let begin = frame.hasBegin ? second - frame.seconds - Self.interval : nil
    return .readPrices(
      PriceRequest(
        number: number, match: new.match, outcome: outcome, begin: begin.map { max(0, pane.wall(of: $0)) } ?? 0,
        epoch: pane.wall(of: 0)))
  }

  /// Forgets the prices, and the request if its answer is still missing.
  mutating func clear() {
    let number = number
    self = DetailRecording()
    self.number = number
  }

  /// Stores the answer to the last request.
  mutating func received(_ prices: RecordedPrices, for pane: DetailPane?) {
    guard request != nil, prices.request.number == number, prices.match == pane?.id, prices.outcome == pane?.chosen
    else { return }
    self.prices = prices
    combined = nil
  }

  /// Returns the last live price of an outcome: the recorded one, or the one that the board has seen if it is later.
  func last(seen: PriceHistory?) -> DecimalOdds? {
    let recorded = prices?.history.steps.last { $0.state == .live }
    guard let newest = seen?.steps.last(where: { $0.state == .live }), newest.second > recorded?.second ?? .min else {
      return prices?.last
    }
    return newest.odds
  }

  /// Combines the recorded prices with those that the board has seen since.
  mutating func update(_ pane: DetailPane?, _ histories: PriceHistories) {
    guard let pane, let prices, prices.match == pane.id, prices.outcome == pane.chosen,
      !prices.history.steps.isEmpty
    else {
      combined = nil
      seen = nil
      return
    }
    let newest = histories[pane.id, prices.outcome] ?? PriceHistory()
    // NB: Equal arrays that share their storage compare in constant time.
    if combined != nil, seen == newest { return }
    seen = newest
    combined = newest.filled(from: prices.history)
  }
}
