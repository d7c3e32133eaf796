import JSONText
import OddsModel

/// A message of the sports channel: the state of a game (Scores.md).
package struct SportsUpdate: Hashable, Sendable {
  package var gameID: UInt64
  var slug = ""
  var homeTeam = ""
  var awayTeam = ""
  var score = ""
  var period = ""
  var elapsed = ""
  var isLive = false
  var hasEnded = false

  /// Reads the object at the cursor. Returns nil if it has no usable game.
  init?(_ cursor: inout JSONCursor) throws(JSONError) {
    var update = Self()
    var id: UInt64?
    try cursor.fields { key, cursor throws(JSONError) in
      switch String(decoding: key, as: UTF8.self) {
      case "gameId": id = try Gamma.number(&cursor)
      case "slug": update.slug = try Gamma.text(&cursor)
      case "homeTeam": update.homeTeam = try Gamma.text(&cursor)
      case "awayTeam": update.awayTeam = try Gamma.text(&cursor)
      case "score": update.score = try Gamma.text(&cursor)
      case "period": update.period = try Gamma.text(&cursor)
      case "elapsed": update.elapsed = try Gamma.text(&cursor)
      case "live": update.isLive = try Gamma.flag(&cursor, absent: false, unreadable: false)
      case "ended": update.hasEnded = try Gamma.flag(&cursor, absent: false, unreadable: true)
      default: try cursor.skip()
      }
      return true
    }
    guard let id else { return nil }
    update.gameID = id
    self = update
  }

  private init() { gameID = 0 }

  /// Reads a message of the sports channel. Returns nil if it is no game's state.
  package static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> SportsUpdate? {
    var cursor = JSONCursor(bytes)
    guard cursor.peek() == UInt8(ascii: "{"), let update = try? SportsUpdate(&cursor), cursor.peek() == 0 else {
      return nil
    }
    return update
  }

  /// True if the message names the participants in the reverse order of the slug, `LEAGUE-FIRST-SECOND-DATE`, and of
  /// the event's title.
  var isReversed: Bool {
    let parts = slug.split(separator: "-")
    guard parts.count >= 3, homeTeam.lowercased() != awayTeam.lowercased() else { return false }
    return parts[2] == homeTeam.lowercased() || parts[1] == awayTeam.lowercased()
  }
}

/// The score and the clock of a game, from texts whose form depends on the sport.
enum GameState {
  /// Returns the score of `2-1`; the games won of `000-000|2-0|Bo3`; the sets won of `6-4, 3-2`, and in tennis also of
  /// the first set, `6-4`. Nil for other texts.
  static func score(_ text: String, isTennis: Bool) -> Score? {
    let parts = text.split(separator: "|")
    if parts.count > 1 { return pair(parts[1]) }
    let sets = text.split(separator: ",")
    if sets.isEmpty || sets.count == 1 && !isTennis { return pair(text[...]) }
    var won = Score(home: 0, away: 0)
    for set in sets {
      guard let games = pair(set.drop { $0 == " " }) else { return nil }
      let (high, low) = (max(games.home, games.away), min(games.home, games.away))
      guard high >= 6 && high - low >= 2 || high == 7 && low == 6 else { continue }
      if games.home > games.away { won.home += 1 } else { won.away += 1 }
    }
    return won
  }

  /// Returns a score with the participants exchanged: `1-2` for `2-1`, in each part of a longer text.
  static func reversed(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).map { part in
      part.split(separator: ",", omittingEmptySubsequences: false).map { set in
        guard let score = pair(set.drop { $0 == " " }) else { return String(set) }
        return "\(score.away)-\(score.home)"
      }.joined(separator: ", ")
    }.joined(separator: "|")
  }

  private static func pair(_ text: Substring) -> Score? {
    let numbers = text.prefix { $0 != "(" }.split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, let home = number(numbers[0]), let away = number(numbers[1]) else { return nil }
    return Score(home: home, away: away)
  }

  /// Returns the minute of a clock that counts whole minutes: `81`, `45+2`, `81'`. Nil for other texts.
  static func minute(_ elapsed: String) -> Int? {
    let digits = elapsed.prefix { $0.isASCII && $0.isNumber }
    let rest = elapsed[digits.endIndex...]
    guard rest.isEmpty || rest.first == "+" || rest.first == "'" else { return nil }
    return number(digits)
  }

  private static func number(_ text: Substring) -> Int? {
    guard 1...4 ~= text.utf8.count, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(text)
  }
}
