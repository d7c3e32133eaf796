import OddsModel

@testable import Dashboard

/// The names of the random matches and filters of a law.
enum FilterNames {
  static let sides = ["Ajax", "Porto", "Atlético Madrid", "Beşiktaş", "北京国安", "上海海港", "Paris - SG"]
  static let separators = [" - ", " v ", " vs. ", " – "]
  static let tournaments = ["", "Serie A", "Ligue 1", "中超"]
  static let countries = ["", "France", "Côte d'Ivoire", "中国"]
  static let parts = ["", "1st Half", "2nd Half"]
  static let sports = ["", "Football", "足球", "Hockey", "Basket"]

  /// The names of the sports that the board names itself, in all languages.
  fileprivate static let knownSports: [SportID: [String]] = [
    1: ["Football", "足球"], 3: ["Tennis", "網球"], 8: ["Basketball", "Basket", "籃球"],
  ]
  private static let plainLetters: [Character: Character] = ["é": "e", "ô": "o", "ş": "s", "–": "-"]

  /// Returns a name without case and accents.
  static func folded(_ name: String) -> String { String(name.lowercased().map { plainLetters[$0] ?? $0 }) }

  fileprivate static func contains(_ name: String, _ part: String) -> Bool {
    let (name, part) = (Array(name.utf16), Array(part.utf16))
    guard part.count <= name.count else { return false }
    return (0...name.count - part.count).contains { Array(name[$0..<$0 + part.count]) == part }
  }
}

extension FilterExpression {
  /// Returns true if the filter covers the match.
  func holds(for match: Match, _ context: FilterContext) -> Bool {
    switch self {
    case .all(let nodes): return nodes.allSatisfy { $0.holds(for: match, context) }
    case .any(let nodes): return nodes.contains { $0.holds(for: match, context) }
    case .not(let node): return !node.holds(for: match, context)
    case .flag(let flag): return Self.has(flag, match, context)
    case .number(let field, let sign, let value, _):
      return Self.values(field, match, wall: context.wall).contains { Self.compare($0, sign, value) }
    case .score(let sign, let value, _):
      guard let score = match.score else { return false }
      let isEqual = score.home == value.home && score.away == value.away
      return sign == "=" ? isEqual : !isEqual
    case .text(let field, let sign, let value):
      switch sign {
      case "~": return Self.isNamed(field, match, value, isPart: true)
      case "=": return Self.isNamed(field, match, value, isPart: false)
      default: return !Self.isNamed(field, match, value, isPart: false)
      }
    case .word(let word, let isQuoted):
      let labels = match.labels
      let wanted = FilterNames.folded(word)
      return [labels.name, labels.tournament, labels.category, labels.part].contains { name in
        let name = FilterNames.folded(name)
        if isQuoted { return FilterNames.contains(name, wanted) }
        return SlowFuzzyWord(letters: Array(wanted.utf16), text: Array(name.utf16)).fits
      }
    }
  }

  private static func has(_ flag: FilterFlag, _ match: Match, _ context: FilterContext) -> Bool {
    switch flag {
    case .live: return match.status == .inProgress
    case .pending: return match.status == .pending
    case .ended: return match.status == .ended
    case .pinned: return context.pinned.contains(match.id)
    case .suspended:
      let outcomes = match.mainMarket?.outcomes ?? []
      if outcomes.contains(where: { $0.offer?.status == .suspended }) { return true }
      return match.status != .ended && !outcomes.isEmpty && !outcomes.contains(where: \.isBettable)
    }
  }

  private static func compare(_ left: Int64, _ sign: String, _ right: Int64) -> Bool {
    switch sign {
    case "<": left < right
    case "<=", "≤": left <= right
    case ">": left > right
    case ">=", "≥": left >= right
    case "=", "==": left == right
    default: left != right
    }
  }

  private static func isNamed(_ field: FilterField, _ match: Match, _ value: String, isPart: Bool) -> Bool {
    let labels = match.labels
    var names: [String] = []
    switch field {
    case .tournament: names = [labels.tournament]
    case .country: names = [labels.category]
    case .part: names = [labels.part]
    case .sport:
      names = [labels.sport]
      if let id = match.sportID {
        names += FilterNames.knownSports[id] ?? []
        if !isPart, "\(id)" == value { return true }
      }
    default:
      names = [labels.name]
      if !isPart { names += [labels.home, labels.away].filter { !$0.isEmpty } }
    }
    let wanted = FilterNames.folded(value)
    return names.map(FilterNames.folded).contains { isPart ? FilterNames.contains($0, wanted) : $0 == wanted }
  }

  /// Returns the values of a field in hundredths: several odds, otherwise one or none.
  private static func values(_ field: FilterField, _ match: Match, wall: Int64) -> [Int64] {
    let outcomes = match.mainMarket?.outcomes ?? []
    let bettable = outcomes.filter(\.isBettable)
    func prices(_ keys: Set<String>) -> [Int64] {
      bettable.filter { keys.contains($0.key) }.compactMap { $0.offer?.odds?.hundredths }
    }
    switch field {
    case .odds: return prices(["home", "draw", "away"])
    case .home: return prices(["home"])
    case .draw: return prices(["draw"])
    case .away: return prices(["away"])
    case .favourite: return favourite(outcomes)
    // A row that has just been made has no other opening price.
    case .move: return favourite(outcomes).map { _ in 0 }
    case .margin:
      guard outcomes.count > 1, bettable.count == outcomes.count else { return [] }
      var sum = 0.0
      for outcome in outcomes { sum += 100 / Double(outcome.offer!.odds!.hundredths) }
      return [Int64(((sum - 1) * 1000).rounded()) * 10]
    case .minute: return match.status == .inProgress ? match.minute.map { [Int64($0) * 100] } ?? [] : []
    case .total: return match.score.map { [Int64($0.home + $0.away) * 100] } ?? []
    case .lead: return match.score.map { [Int64(abs($0.home - $0.away)) * 100] } ?? []
    case .start:
      guard match.status == .pending || match.status == .unknown, let start = match.startTime else { return [] }
      return [(start - wall) / 10]
    case .score, .name, .tournament, .country, .part, .sport: return []
    }
  }

  private static func favourite(_ outcomes: [Outcome]) -> [Int64] {
    let odds = outcomes.compactMap { $0.lastOdds?.hundredths }
    guard odds.count == outcomes.count, let lowest = odds.min() else { return [] }
    let favourites = zip(outcomes, odds).filter { $0.1 == lowest }
    return favourites.allSatisfy { $0.0.isBettable } ? [lowest] : []
  }
}
