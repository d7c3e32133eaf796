/// How a sport is played, as far as its odds care: time, scoring, and how far results spread.
///
/// Play advances in beats: a minute of football, a ball possession, a game of tennis, a rally.
struct SportRules: Sendable {
  /// A part of a match that is played by the clock.
  struct Part: Sendable {
    let name: StaticString
    let beats: Int
    var isBreak = false
  }

  /// A match that is played in sets.
  struct Sets: Sendable {
    let toWin: Int
    /// Games or points that win a set, with a lead of two.
    let target: Int
    let deciderTarget: Int
    /// Reaching this many wins the set whatever the lead.
    let cap: Int
    /// Games or points in a usual set.
    let usual: Double
    /// What a set in hand is worth, in games or points.
    let worth: Double
    /// How much serving adds to the chance of winning a beat.
    let serveEdge: Double
  }

  enum Format: Sendable {
    case clock([Part], beatsPerMinute: Int)
    case sets(Sets)
  }

  /// Milliseconds from one beat to the next.
  let beat: Int64
  /// How far a beat's length strays, as a share of it.
  let jitter: Double
  /// Beats of a usual match, breaks included.
  let usualBeats: Int
  let format: Format
  /// Goals, points or games in a usual match, both sides together.
  let total: Double
  /// The most that one score counts.
  let largestScore: Int
  /// Standard deviation of the final difference, in the units of `total`.
  let spread: Double
  /// Standard deviation of how much better a home side is than its guest, in the units of `total`.
  let strength: Double
  /// What playing at home is worth, in the units of `total`.
  let homeEdge: Double
  /// The share of scores that the traders suspend the match for.
  let shock: Double
  /// The share of the price that the house keeps.
  let margin: ClosedRange<Double>
}

extension SimulatedSport {
  private static let rules: [SportRules] = allCases.map { sport in
    switch sport {
    case .football: .football
    case .tennis: .tennis
    case .basketball: .basketball
    case .iceHockey: .iceHockey
    case .volleyball: .volleyball
    }
  }

  var rules: SportRules { Self.rules[rawValue] }
}
