// Derived values of a match in play, for the wire records and the odds.
extension MatchProgress {
  /// The score as it is usually given: goals or points, or sets.
  var score: SimulatedScore {
    switch sport.rules.format {
    case .clock: tally
    case .sets: sets
    }
  }

  var partName: String {
    switch sport.rules.format {
    case .clock(let parts, _): parts[part].name.description
    case .sets: ["1st", "2nd", "3rd", "4th", "5th"][part] + " Set"
    }
  }

  var isBreak: Bool {
    if case .clock(let parts, _) = sport.rules.format { parts[part].isBreak } else { false }
  }

  /// The whole minutes played, or nil if the sport is not played by the clock.
  var minute: Int? {
    guard case .clock(let parts, let beatsPerMinute) = sport.rules.format else { return nil }
    return beatsPlayed(parts) / beatsPerMinute
  }

  /// The share of a usual match that is still to be played, at least 0.01.
  var remaining: Double {
    switch sport.rules.format {
    case .clock(let parts, _):
      let all = parts.reduce(0) { $0 + ($1.isBreak ? 0 : $1.beats) }
      return max(0.01, 1 - Double(beatsPlayed(parts)) / Double(all))
    case .sets(let rules):
      let needs = (home: rules.toWin - sets.home, away: rules.toWin - sets.away)
      let fewest = min(needs.home, needs.away)
      let most = needs.home + needs.away - 1
      let setsLeft = Double(fewest + most) / 2 - min(0.9, Double(inSet.total) / rules.usual)
      return max(0.03, setsLeft / (Double(3 * rules.toWin - 1) / 2))
    }
  }

  private func beatsPlayed(_ parts: [SportRules.Part]) -> Int {
    let before = parts[..<part].reduce(0) { $0 + ($1.isBreak ? 0 : $1.beats) }
    return before + (parts[part].isBreak ? 0 : beatsInPart)
  }
}
