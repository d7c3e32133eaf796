import OddsModel

/// The state of the open feed inspector: the last health report of the channel, and the time of the next request.
struct Inspector: Hashable, Sendable {
  enum Action {
    case channelUpdated
    /// A health report was requested. `id` identifies the request in its answer.
    case requested(id: Int)
    case answered(ChannelHealth, id: Int)
  }

  /// The least time between two requests.
  static let interval = Duration.seconds(1)

  /// The counts received per second.
  struct Rates: Hashable, Sendable {
    var messages = 0.0
    var oddsUpdates = 0.0
    var applied = 0.0
    var ignored = 0.0
  }

  /// The last health report, or nil before the first one.
  private(set) var health: ChannelHealth?
  private(set) var rates = Rates()
  private var requestID: Int?
  private var requestedAt: Duration?
  private var answeredAt: Duration?
  /// True if the channel has changed since the last request.
  private var hasNews = false

  /// The uptime at which the next request is due, or nil while a request is pending or the channel is idle.
  var nextDeadline: Duration? {
    if requestID != nil { return nil }
    guard let requestedAt else { return .zero }
    return hasNews || rates != Rates() ? requestedAt + Self.interval : nil
  }

  mutating func reduce(_ action: Action, now: Duration) {
    switch action {
    case .channelUpdated: hasNews = true
    case .requested(let id):
      requestID = id
      requestedAt = now
      hasNews = false
    case .answered(let new, let id):
      // The answer to another request is that of a closed inspector or of the previous channel.
      guard id == requestID else { return }
      requestID = nil
      if let before = health, let answeredAt {
        // NB: after an idle period, the interval since the last report is long and would distort the rates. Counts are
        // then taken as received within one second.
        let span = now - answeredAt
        let seconds = rates == Rates() && span >= Self.interval * 2 ? 1 : max(span, .milliseconds(1)) / .seconds(1)
        rates = Rates(since: before.received, new.received, seconds: seconds)
      }
      health = new
      answeredAt = now
    }
  }
}

extension Inspector.Rates {
  fileprivate init(since old: FeedCounters, _ new: FeedCounters, seconds: Double) {
    func rate(_ count: (FeedCounters) -> Int) -> Double { Double(count(new) - count(old)) / seconds }
    messages = rate(\.messages)
    oddsUpdates = rate(\.oddsUpdates)
    applied = rate(\.applied)
    ignored = rate(\.ignored)
  }
}
