/// How far prices can be trusted (Freshness.md), and since when. Whatever is not live must not look live.
public struct Freshness: Hashable, Sendable {
  /// From what can be bet on to what never can again; a later one is worse.
  public enum Grade: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// Prices are as the feed has them.
    case live
    /// Connected, but the line has missed a sign of life.
    case delayed
    /// Not connected, silent for too long, or not heard of since: every price may be dead.
    case locked
    /// The bookmaker takes no bets for now.
    case suspended
    /// It is over: nothing more will come.
    case closed

    public static func < (left: Grade, right: Grade) -> Bool { left.rawValue < right.rawValue }

    /// The word used in JSON.
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

  /// How far.
  public var grade: Grade
  /// When that began, in milliseconds since 1970.
  public var since: Int64

  /// A grade that began at a time in milliseconds since 1970.
  public init(_ grade: Grade, since: Int64) {
    self.grade = grade
    self.since = since
  }

  /// The worse of two, as a row is no better than its channel. Where both are live, since the later began; where both
  /// are equally bad, since the earlier did.
  public func worse(_ other: Freshness) -> Freshness {
    if grade != other.grade { return grade > other.grade ? self : other }
    return Freshness(grade, since: grade == .live ? max(since, other.since) : min(since, other.since))
  }
}

extension Match {
  /// What the match itself says of its prices, its channel aside: `live`, `suspended` where no outcome of its main
  /// market can be bet on, or `closed` where it or that market is over.
  public var tradingStatus: Freshness.Grade {
    if status == .ended { return .closed }
    guard let market = mainMarket else { return .live }
    if market.isClosed { return .closed }
    return market.outcomes.isEmpty || market.outcomes.contains(where: \.isBettable) ? .live : .suspended
  }
}
