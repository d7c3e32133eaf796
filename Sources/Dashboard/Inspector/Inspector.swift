import OddsFeed

/// The feed inspector while it is open: what the channel last said of itself, and when to ask it again.
struct Inspector: Hashable, Sendable {
  /// Between two questions, at least.
  static let interval = Duration.seconds(1)

  /// What was received in the last second.
  struct Rates: Hashable, Sendable {
    var messages = 0.0
    var oddsUpdates = 0.0
    var applied = 0.0
    var ignored = 0.0
  }

  /// Lines scrolled down.
  var scroll = 0
  /// Nil before the first answer.
  private(set) var health: ChannelHealth?
  private(set) var rates = Rates()
  /// Grows with each answer that says something new, from one inspector to the next too.
  private(set) var revision = 0
  private var question: Int?
  private var askedAt: Duration?
  private var answeredAt: Duration?
  /// The channel has changed since it was last asked.
  private var hasNews = false

  /// Uptime at which the channel is to be asked; nil while it is being asked, and while nothing happens.
  var nextQuestion: Duration? {
    if question != nil { return nil }
    guard let askedAt else { return .zero }
    return hasNews || rates != Rates() ? askedAt + Self.interval : nil
  }

  mutating func channelChanged() { hasNews = true }

  mutating func ask(_ number: Int, at now: Duration) {
    question = number
    askedAt = now
    hasNews = false
  }

  /// Takes an answer; one to a question of another inspector, or another channel, is none.
  mutating func take(_ new: ChannelHealth, answering number: Int, at now: Duration) {
    guard number == question else { return }
    question = nil
    let old = (health, rates)
    if let before = health, let answeredAt {
      // NB: after a rest the time since the last answer is long and old; what came then is counted as one second's.
      let span = now - answeredAt
      let seconds = rates == Rates() && span >= Self.interval * 2 ? 1 : max(span, .milliseconds(1)) / .seconds(1)
      rates = Rates(since: before.received, new.received, seconds: seconds)
    }
    health = new
    answeredAt = now
    if old != (new, rates) { revision = number }
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
