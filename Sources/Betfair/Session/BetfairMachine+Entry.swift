import AccountModel
import OddsFeed
import OddsModel
import Platform

extension BetfairMachine {
  /// A topic with its connection and its names.
  struct Entry {
    let subscription: Subscription
    let topic: BetfairTopic
    var stream: MarketStreamSession
    var line = Line.idle
    /// True if the provider has said how many more connections the account can have beside the topic's own.
    var isCounted = false
    /// The token with which the connection was opened.
    var token: Secret?
    /// The topic's state as last reported.
    var reported = TopicState.requested
    /// The markets that are subscribed to instead of the topic's criteria, because the topic has a limit or its
    /// criteria select too many; nil if none.
    var listed: [String]?
    /// The time of the next request for the list of these markets.
    var nextListing: Duration?
    var names = NameRequests()
    /// The request for names or for a list that is not answered.
    var request: Request?
    /// True if the last request for names failed.
    var isMissingNames = false
    /// The lines that wait for the first names, with the names so far.
    var pendingLines = PendingLines()
    /// The time at which an image is asked for, because a change cannot be read; nil if none is needed.
    var imageAt: Duration?
    /// The number of times that an image was asked for in a row, and the last time.
    var imageRequests = 0
    var lastImageRequest = Duration.zero

    init(_ subscription: Subscription, _ topic: BetfairTopic, appKey: Secret, conflateMs: Int64) {
      self.subscription = subscription
      self.topic = topic
      var criteria = topic.subscription ?? MarketSubscription()
      criteria.conflateMs = conflateMs
      stream = MarketStreamSession(appKey: appKey.text, subscription: criteria)
    }

    /// False for a topic without markets, for a list that has none, and for a topic that is refused.
    var needsLine: Bool {
      if case .refused = line { return false }
      return topic.selection != .none && listed?.isEmpty != true
    }

    /// The largest number of markets in `listed`.
    var maxListed: Int { topic.limit ?? MarketSubscription.maxMarkets }

    /// True if the connection takes one of those that the account can have: it is subscribed, or only authenticated.
    var hasConnection: Bool { isCounted || line.isSubscribed }

    /// True if nothing happens before the next login.
    var waitsForLogin: Bool {
      switch line {
      case .idle: needsLine
      case .listing: request == nil
      case .connecting, .open, .waiting, .refused: false
      }
    }

    /// True while the names of a market are not known and no request for them has failed.
    var isAwaitingNames: Bool {
      pendingLines.isWaiting && !isMissingNames && (names.areMissing || request?.markets != nil)
    }

    /// The time at which elapsed time next changes something. Requests need a login and the answer to the one before.
    func deadline(canRequest: Bool) -> Duration? {
      let requests = canRequest && request == nil ? [nextListing, names.nextTime] : []
      let overdueAt = reported == .live ? stream.overdueAt : nil
      return ([line.deadline, stream.nextDeadline, pendingLines.deadline, imageAt, overdueAt] + requests)
        .compactMap(\.self).min()
    }
  }

  /// The connection of a topic.
  enum Line {
    /// Waits for the login.
    case idle
    case connecting(link: Int, attempt: Int, deadline: Duration)
    case open(link: Int, attempt: Int, since: Duration, isSubscribed: Bool)
    case waiting(Retry, until: Duration)
    /// Waits for the list of markets to subscribe to.
    case listing(attempt: Int)
    /// Not tried again, because another attempt cannot succeed.
    case refused(FeedError)

    var link: Int? {
      switch self {
      case .connecting(let link, _, _), .open(let link, _, _, _): link
      case .idle, .waiting, .listing, .refused: nil
      }
    }

    var attempt: Int? {
      switch self {
      case .connecting(_, let attempt, _), .open(_, let attempt, _, _), .listing(let attempt): attempt
      case .waiting(let retry, _): retry.attempt
      case .idle, .refused: nil
      }
    }

    var isOpen: Bool { if case .open = self { true } else { false } }
    var isSubscribed: Bool { if case .open(_, _, _, let isSubscribed) = self { isSubscribed } else { false } }
    var retry: Retry? { if case .waiting(let retry, _) = self { retry } else { nil } }

    var deadline: Duration? {
      switch self {
      case .connecting(_, _, let deadline): deadline
      case .waiting(_, let until): until
      case .idle, .open, .listing, .refused: nil
      }
    }
  }

  /// A request to the catalogue.
  struct Request {
    let number: Int
    /// The markets whose names are asked for; nil for a list of markets.
    let markets: [String]?
    let token: Secret
  }

  /// The markets of a topic whose names are not known.
  struct NameRequests {
    /// The largest number of markets in `asked`. The first ones are forgotten; they can be asked for again.
    static let maxAsked = 10_000

    /// The markets that were asked for, also in the order in which that happened.
    private var asked: Set<String> = []
    private var order: [String] = []
    /// The markets to ask for, in the order of their arrival.
    private var missing: [String] = []
    /// The largest number of markets of a request.
    private var batch = MarketSubscription.maxMarkets
    /// The failed requests since the last answer, and the time of the next request.
    private var failures = 0
    private var notBefore: Duration?

    /// The time of the next request; nil if none is needed, or if it need not wait.
    var nextTime: Duration? { areMissing ? notBefore : nil }

    /// Records that an image begins, which replaces all markets. The names of `markets` are known.
    mutating func reset(knowing markets: [String]) {
      asked = []
      order = []
      missing = []
      _ = remember(markets)
    }

    mutating func add(_ markets: [String]) { missing += remember(markets) }

    /// Adds markets to those that were asked for. Returns the new ones.
    private mutating func remember(_ markets: [String]) -> [String] {
      let new = markets.filter { asked.insert($0).inserted }
      order += new
      if order.count > Self.maxAsked {
        asked.subtract(order.prefix(order.count - Self.maxAsked / 2))
        order.removeFirst(order.count - Self.maxAsked / 2)
      }
      return new
    }

    /// Records that the names of markets are known without a request.
    mutating func know(_ markets: [String]) {
      _ = remember(markets)
      let known = Set(markets)
      missing.removeAll { known.contains($0) }
    }

    /// Returns the markets to ask for now; empty if there are none, or if it is too early.
    func due(at now: Duration) -> [String] {
      if let notBefore, now < notBefore { return [] }
      return Array(missing.prefix(batch))
    }

    /// True if names must be asked for.
    var areMissing: Bool { !missing.isEmpty }

    mutating func begin(_ markets: [String]) {
      missing.removeFirst(markets.count)
      notBefore = nil
    }

    mutating func succeeded() { failures = 0 }

    mutating func failed(_ markets: [String], _ kind: CatalogueError.Kind, at now: SessionMoment) {
      missing = markets + missing
      if kind == .tooMuch { batch = max(1, batch / 2) }
      // NB: At least a second, because prices do not wait for the answers of the service.
      notBefore = now.uptime + .seconds(1) + RetryDelay.delay(beforeRetry: failures, chance: now.chance)
      failures += 1
    }
  }
}
