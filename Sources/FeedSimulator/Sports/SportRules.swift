/// The rules and statistics of a sport that its odds depend on.
///
/// Play advances in beats: a minute of football, a ball possession, a game of tennis, a rally.
struct SportRules: Sendable {
  /// A part of a match that is played by the clock.
  struct Part: Sendable {
    let name: StaticString
    let beats: Int
    var isBreak = false
  }

  /// The rules of a match that is played in sets.
  struct Sets: Sendable {
    let toWin: Int
    /// The games or points that win a set, given a lead of two.
    let target: Int
    let deciderTarget: Int
    /// The games or points that win a set regardless of the lead.
    let cap: Int
    /// The games or points of a usual set.
    let usual: Double
    /// The value of a lead of one set, in games or points.
    let worth: Double
    /// The increase in the chance of winning a beat from serving.
    let serveEdge: Double
  }

  enum Format: Sendable {
    case clock([Part], beatsPerMinute: Int)
    case sets(Sets)
  }

  /// The usual length of a beat, in milliseconds.
  let beat: Int64
  /// The maximum deviation of a beat's length, as a share of it.
  let jitter: Double
  /// The number of beats of a usual match, breaks included.
  let usualBeats: Int
  let format: Format
  /// The goals, points or games of both sides in a usual match.
  let total: Double
  /// The maximum value of one score.
  let largestScore: Int
  /// The standard deviation of the final difference, in the units of `total`.
  let spread: Double
  /// The standard deviation of the home side's expected lead, in the units of `total`.
  let strength: Double
  /// The home advantage, in the units of `total`.
  let homeEdge: Double
  /// The share of scores after which the match is suspended.
  let shock: Double
  /// The range of the bookmaker's margin, as a share of the price.
  let margin: ClosedRange<Double>
}

extension SimulatedSport {
  var rules: SportRules {
    switch self {
    case .football: .football
    case .tennis: .tennis
    case .basketball: .basketball
    case .iceHockey: .iceHockey
    case .volleyball: .volleyball
    }
  }
}
