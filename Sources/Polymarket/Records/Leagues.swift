/// The sports of Polymarket's leagues, by their codes.
enum Leagues {
  /// Returns the name of a league's sport; the code in capitals for a league that is not known.
  static func sport(of code: String) -> String { sports[code] ?? name(of: code) }

  /// Returns the name of a league.
  static func name(of code: String) -> String { code.uppercased() }

  /// Returns true for a league that is known to be of tennis.
  static func isTennis(_ code: String) -> Bool { sport(of: code) == "Tennis" }

  private static let sports: [String: String] = Dictionary(
    uniqueKeysWithValues: [
      ("American football", ["nfl", "cfb"]), ("Basketball", ["nba", "wnba", "cbb", "ncaab", "cwbb", "bkcl"]),
      ("Baseball", ["mlb", "kbo"]), ("Ice hockey", ["nhl", "khl"]),
      (
        "Football",
        [
          "epl", "lal", "bun", "sea", "fl1", "ucl", "uel", "mls", "mex", "ere", "por", "tur", "arg", "bra", "fif",
          "cdr",
          "efa", "efl",
        ]
      ), ("Tennis", ["atp", "wta"]), ("Esports", ["cs2", "lol", "dota2", "val"]), ("Cricket", ["ipl", "odi", "t20"]),
      ("Mixed martial arts", ["ufc"]),
    ].flatMap { sport, codes in codes.map { ($0, sport) } })
}

/// A sport to which a list can be restricted. The raw value is its name in topics.
package enum PolymarketSport: String, CaseIterable, Sendable {
  case football, tennis, basketball
  case iceHockey = "ice-hockey"
  case volleyball

  /// The sport's name in `Leagues`, and Gamma's tag of its leagues. Some leagues lack the tag, such as `nba` and `nhl`.
  private var identity: (name: String, tag: String) {
    switch self {
    case .football: return ("Football", "100350")
    case .tennis: return ("Tennis", "864")
    case .basketball: return ("Basketball", "28")
    case .iceHockey: return ("Ice hockey", "100088")
    case .volleyball: return ("Volleyball", "102883")
    }
  }

  /// Returns true if a league is one of the sport's, by its code and by Gamma's tags of it.
  func includes(league code: String, tags: Set<String>) -> Bool {
    Leagues.sport(of: code) == identity.name || tags.contains(identity.tag)
  }
}
