/// The degree to which prices can be trusted (Freshness.md), and the time since which it applies.
///
/// Programs must not show prices as live unless the grade is `live`.
public struct Freshness: Hashable, Sendable {
  /// The grades, from the best to the worst.
  public enum Grade: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// Prices are as the feed has them.
    case live
    /// The connection has been silent for longer than expected, or the prices come from the REST interface.
    case delayed
    /// There is no working connection, it has been silent for too long, or no complete dump has been applied since it
    /// was opened; for a match, the image of its main market has not arrived. Any price may be out of date.
    case locked
    /// The bookmaker takes no bets at present.
    case suspended
    /// The match, market or feed has ended, and no more data follows.
    case closed

    public static func < (left: Grade, right: Grade) -> Bool { left.rawValue < right.rawValue }

    /// False if a price that looks as if it can be bet on may be out of date.
    package var isTrusted: Bool { self != .locked && self != .closed }

    /// The word used in JSON, which is the name of the case.
    public var word: String {
      switch self {
      case .live: "live"
      case .delayed: "delayed"
      case .locked: "locked"
      case .suspended: "suspended"
      case .closed: "closed"
      }
    }
  }

  /// A reason for a grade that the provider itself gives.
  public enum Cause: UInt8, Hashable, Sendable, CaseIterable {
    /// The connection works, but the provider does not receive prices, or not in time. The client can only wait.
    case sourceStale = 1
    /// The provider sends prices with a delay, because the account or key has no right to live ones.
    case delayedAccess = 2
    /// The provider merges the updates of some time into one, because the client asks for that, so that a price can be
    /// as old as that time.
    case updatesMerged = 3
    /// The provider's list of events and markets has not answered for some time, so that markets can have closed
    /// without notice.
    case catalogueStale = 4

    /// The grade of prices for this reason.
    public var grade: Grade {
      switch self {
      case .sourceStale, .delayedAccess, .updatesMerged, .catalogueStale: .delayed
      }
    }

    /// The word used in JSON, which is the name of the case.
    public var word: String {
      switch self {
      case .sourceStale: "sourceStale"
      case .delayedAccess: "delayedAccess"
      case .updatesMerged: "updatesMerged"
      case .catalogueStale: "catalogueStale"
      }
    }
  }

  /// The grade.
  public var grade: Grade
  /// The time at which the grade began, in milliseconds since 1970.
  public var since: Int64
  /// The provider's own reason for the grade; nil if there is none.
  public var cause: Cause?

  /// Creates a freshness from a grade and the time at which it began, in milliseconds since 1970.
  public init(_ grade: Grade, since: Int64, cause: Cause? = nil) {
    self.grade = grade
    self.since = since
    self.cause = cause
  }

  /// True if prices are those of the provider, though perhaps late by a time that is known. False if it is not known
  /// how old they are: they raise no alerts, and the history does not record them.
  package var hasKnownPrices: Bool {
    switch cause {
    case .sourceStale, .catalogueStale: false
    case .delayedAccess, .updatesMerged, nil: grade.isTrusted
    }
  }

  /// Returns the worse of two freshness values, because a row is no better than its channel.
  ///
  /// If both are live, the result has the later time. If both have the same other grade, it has the earlier time.
  public func worse(_ other: Freshness) -> Freshness {
    if grade != other.grade { return grade > other.grade ? self : other }
    return Freshness(
      grade, since: grade == .live ? max(since, other.since) : min(since, other.since), cause: cause ?? other.cause)
  }
}

extension Match {
  /// The grade that follows from the match alone, without its channel.
  ///
  /// - `closed` if the match has ended or its main market is closed
  /// - `locked` if the main market is on an exchange and its first image has not arrived
  /// - `suspended` if the main market is on an exchange and not open or not available, or if it has fixed odds and
  ///   outcomes of which none is bettable
  /// - `live` otherwise, also without a main market
  public var tradingStatus: Freshness.Grade {
    if status == .ended { return .closed }
    guard let market = mainMarket else { return .live }
    if market.isClosed { return .closed }
    if let exchange = market.exchange {
      if exchange.isAwaitingImage { return .locked }
      // A line has no odds, so the status alone decides. An open market may have no offers.
      if market.isAvailable, exchange.status == .open { return .live }
      return .suspended
    }
    return market.outcomes.isEmpty || market.outcomes.contains(where: \.isBettable) ? .live : .suspended
  }
}
