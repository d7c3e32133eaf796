// NB: Margins must stay within 4 to 5.8 %, so that the overround of a market stays within 2 to 8 % after prices are
// rounded to the ladder; see `Pricing`.
extension SportRules {
  static let football = SportRules(
    beat: 60_000, jitter: 0, usualBeats: 108,
    format: .clock(
      [
        Part(name: "1st Half", beats: 45), Part(name: "Half Time", beats: 15, isBreak: true),
        Part(name: "2nd Half", beats: 48),
      ], beatsPerMinute: 1),
    total: 2.7, largestScore: 1, spread: 1.65, strength: 0.7, homeEdge: 0.3, shock: 1, margin: 0.045...0.055)

  static let iceHockey = SportRules(
    beat: 100_000, jitter: 0, usualBeats: 80,
    format: .clock(
      [
        Part(name: "1st Period", beats: 20), Part(name: "1st Break", beats: 10, isBreak: true),
        Part(name: "2nd Period", beats: 20), Part(name: "2nd Break", beats: 10, isBreak: true),
        Part(name: "3rd Period", beats: 20),
      ], beatsPerMinute: 1),
    total: 5.6, largestScore: 1, spread: 2.4, strength: 0.8, homeEdge: 0.3, shock: 1, margin: 0.048...0.058)

  static let basketball = SportRules(
    beat: 34_000, jitter: 0.4, usualBeats: 188,
    format: .clock(
      [
        Part(name: "1st Quarter", beats: 40), Part(name: "1st Break", beats: 4, isBreak: true),
        Part(name: "2nd Quarter", beats: 40), Part(name: "Half Time", beats: 20, isBreak: true),
        Part(name: "3rd Quarter", beats: 40), Part(name: "3rd Break", beats: 4, isBreak: true),
        Part(name: "4th Quarter", beats: 40),
      ], beatsPerMinute: 4),
    total: 164, largestScore: 3, spread: 12, strength: 6, homeEdge: 2.5, shock: 0.12, margin: 0.042...0.052)

  static let tennis = SportRules(
    beat: 230_000, jitter: 0.4, usualBeats: 23,
    format: .sets(Sets(toWin: 2, target: 6, deciderTarget: 6, cap: 7, usual: 9.5, worth: 5, serveEdge: 0.25)),
    total: 22.5, largestScore: 1, spread: 5, strength: 3, homeEdge: 0, shock: 0.35, margin: 0.045...0.058)

  static let volleyball = SportRules(
    beat: 28_000, jitter: 0.4, usualBeats: 180,
    format: .sets(Sets(toWin: 3, target: 25, deciderTarget: 15, cap: .max, usual: 45, worth: 10, serveEdge: 0)),
    total: 182, largestScore: 1, spread: 12, strength: 6, homeEdge: 2, shock: 0.06, margin: 0.045...0.058)
}
