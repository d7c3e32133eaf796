import Localization
import OddsModel

/// A parser for the text of an alert rule.
struct AlertRuleParser {
  /// The maximum time span in a rule, in seconds.
  private static let longest = 24 * 3600

  private let text: String
  private var tokens: [AlertToken] = []
  private var at = 0

  init(_ text: String) { self.text = text }

  mutating func rule() throws(FilterError) -> AlertRule {
    tokens = try AlertToken.tokens(of: text)
    let scope = try scope()
    let event = try event()
    let repetition = try repetition(of: event)
    if let rest = next { throw FilterError(at: rest.position, LocalizedMessage(.alertTooMuch, rest.text)) }
    return AlertRule(scope, event, repetition)
  }

  private var next: AlertToken? { at < tokens.count ? tokens[at] : nil }

  /// The position after the last character.
  private var end: Int { text.count }

  private mutating func nextToken() -> AlertToken? {
    defer { at += 1 }
    return next
  }

  private mutating func scope() throws(FilterError) -> AlertRule.Scope {
    if next?.word == "match", !isEvent(at) {
      at += 1
      guard let token = nextToken() else { throw FilterError(at: end, LocalizedMessage(.alertNoMatch, "")) }
      guard token.isQuoted || token.isNumber,
        let id = MatchID(token.text)
      else { throw FilterError(at: token.position, LocalizedMessage(.alertNoMatch, token.text)) }
      guard let name = next, name.isQuoted else { return .match(id, name: "") }
      at += 1
      return .match(id, name: name.text)
    }
    if ["any", "all"].contains(next?.word), !isEvent(at) { at += 1 }
    var words: [Substring] = []
    while let token = next, !isEvent(at) {
      if let sign = tokens.dropFirst(at + 1).first, sign.isComparison {
        throw FilterError(at: token.position, LocalizedMessage(.alertNoPick, token.text))
      }
      words += token.text.split(whereSeparator: \.isWhitespace)
      at += 1
    }
    return words.isEmpty ? .all : .words(words.joined(separator: " "))
  }

  /// Returns true if a market is named at the token index. In any other position the word "market" is searched in the
  /// names of matches.
  private func isMarket(_ place: Int) -> Bool {
    guard tokens[place].word == "market", place + 1 < tokens.count else { return false }
    if tokens[place + 1].isQuoted { return true }
    guard tokens[place + 1].isNumber || tokens[place + 1].word == "id" else { return false }
    return tokens.dropFirst(place + 2).first.map { $0.isQuoted || $0.word == "outcome" } ?? false
      || tokens[place + 1].word == "id" && tokens.dropFirst(place + 3).first?.word == "outcome"
  }

  private mutating func outcome() throws(FilterError) -> AlertOutcome {
    at += 1
    let market = try name(.alertNoMarket, of: Market.self)
    guard let word = next, word.word == "outcome" else {
      throw FilterError(at: next?.position ?? end, LocalizedMessage(.alertNoOutcome, next?.text ?? ""))
    }
    at += 1
    return AlertOutcome(market: market, outcome: try name(.alertNoOutcome, of: Outcome.self))
  }

  /// Parses a name: an id, a text in quotes, or both. An id is a number, or any token that follows `id`.
  private mutating func name<Entity>(
    _ problem: MessageKey, of entity: Entity.Type
  ) throws(FilterError) -> AlertOutcome.Name<Entity> {
    let first = next
    var id: FeedID<Entity>?
    if first?.word == "id" { at += 1 }
    if let token = next, first?.word == "id" || token.isNumber {
      id = FeedID<Entity>(token.text)
      if id != nil { at += 1 }
    }
    var text = ""
    if let token = next, token.isQuoted, first?.word != "id" || id != nil {
      text = token.text
      at += 1
    }
    guard id != nil || !text.isEmpty else {
      throw FilterError(at: first?.position ?? end, LocalizedMessage(problem, first?.text ?? ""))
    }
    return AlertOutcome.Name(id, text)
  }

  /// Returns true if the event of the rule begins at the token index.
  private func isEvent(_ place: Int) -> Bool {
    if isMarket(place) { return true }
    let (word, following) = (tokens[place].word, place + 1 < tokens.count ? tokens[place + 1] : nil)
    if tokens[place].isComparison || AlertRule.Direction(word) != nil { return true }
    if ["suspended", "resumed", "kickoff", "kick-off", "score", "goal"].contains(word) { return true }
    guard AlertRule.Selection(word) != nil, let following else { return false }
    return following.isComparison || AlertRule.Direction(following.word) != nil
  }

  private mutating func event() throws(FilterError) -> AlertRule.Event {
    if next != nil, isMarket(at) { return try event(of: outcome()) }
    guard let token = nextToken() else { throw FilterError(at: end, LocalizedMessage(.alertNoEvent)) }
    switch token.word {
    case "suspended": return .suspended(nil)
    case "resumed": return .resumed(nil)
    case "score", "goal": return .score
    case "kickoff", "kick-off":
      if next?.word != "in" { return .kickOff(before: .zero) }
      at += 1
      return .kickOff(before: try time())
    default: break
    }
    if token.isComparison { throw FilterError(at: token.position, LocalizedMessage(.alertNoPick, token.text)) }
    if let direction = AlertRule.Direction(token.word) { return try move(.any, direction) }
    guard let pick = AlertRule.Selection(token.word), let sign = nextToken() else {
      throw FilterError(at: token.position, LocalizedMessage(.alertNoEvent))
    }
    return try event(of: pick, sign)
  }

  private mutating func event(of outcome: AlertOutcome) throws(FilterError) -> AlertRule.Event {
    guard let token = nextToken() else { throw FilterError(at: end, LocalizedMessage(.alertNoEvent)) }
    switch token.word {
    case "suspended": return .suspended(outcome)
    case "resumed": return .resumed(outcome)
    default: return try event(of: .outcome(outcome), token)
    }
  }

  private mutating func event(of pick: AlertRule.Selection, _ sign: AlertToken) throws(FilterError) -> AlertRule.Event {
    if let direction = AlertRule.Direction(sign.word) { return try move(pick, direction) }
    guard let comparison = AlertRule.Comparison(rawValue: sign.text) else {
      throw FilterError(at: sign.position, LocalizedMessage(.alertNoComparison, sign.text))
    }
    return .price(pick, comparison, try price())
  }

  private mutating func move(
    _ pick: AlertRule.Selection, _ direction: AlertRule.Direction
  ) throws(FilterError) -> AlertRule.Event {
    let percent = try percent(1...100_000)
    guard let token = nextToken(), token.word == "in" else {
      throw FilterError(at: at <= tokens.count ? tokens[at - 1].position : end, LocalizedMessage(.alertNoSpan))
    }
    return .move(pick, direction, percent, within: try time())
  }

  private mutating func repetition(of event: AlertRule.Event) throws(FilterError) -> AlertRule.Repetition {
    guard let token = next else { return event.usualRepetition }
    if token.word == "once" {
      at += 1
      return .once
    }
    if case .kickOff = event { return .once }
    guard token.word == "again" else { return event.usualRepetition }
    at += 1
    guard case .price = event else { return .again }
    guard next?.word == "by" else { return .againBy(AlertRule.usualMargin) }
    at += 1
    return .againBy(try percent(1...5000))
  }

  // MARK: Numbers

  private mutating func price() throws(FilterError) -> DecimalOdds {
    let token = nextToken()
    guard let token, let units = token.text.fixed(decimals: 7), units > DecimalOdds.unitsPerOne,
      units <= AlertRule.highestPrice.units
    else { throw FilterError(at: token?.position ?? end, LocalizedMessage(.alertNoPrice, token?.text ?? "")) }
    return DecimalOdds(units: units)
  }

  private mutating func percent(_ range: ClosedRange<Int>) throws(FilterError) -> AlertRule.Percent {
    let token = nextToken()
    var digits = token?.text ?? ""
    if digits.hasSuffix("%") { digits.removeLast() } else if next?.text == "%" { at += 1 }
    guard let hundredths = digits.fixed(decimals: 2), range.contains(Int(hundredths)) else {
      let bounds = [range.lowerBound, range.upperBound].map { AlertRule.Percent(hundredths: $0).text }
      throw FilterError(
        at: token?.position ?? end, LocalizedMessage(.alertNoPercent, token?.text ?? "", bounds[0], bounds[1]))
    }
    return AlertRule.Percent(hundredths: Int(hundredths))
  }

  private mutating func time() throws(FilterError) -> Duration {
    let token = nextToken()
    let text = token?.word ?? ""
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units = ["s": 1, "m": 60, "min": 60, "h": 3600]
    guard let count = Int(digits), let unit = units[String(text.dropFirst(digits.count))],
      1...Self.longest / unit ~= count
    else { throw FilterError(at: token?.position ?? end, LocalizedMessage(.alertNoTime, token?.text ?? "")) }
    return .seconds(count * unit)
  }
}

extension AlertRule.Selection {
  fileprivate init?(_ word: String) {
    switch word {
    case "draw": self = .draw
    case "home": self = .home
    case "away": self = .away
    case "fav", "favorite": self = .favourite
    default:
      guard let known = Self.words.first(where: { $0.word.lowercased() == word }) else { return nil }
      self = known.pick
    }
  }
}

extension AlertRule.Direction {
  fileprivate init?(_ word: String) { self.init(rawValue: word) }
}

extension String {
  /// Parses a number with a point or a comma before at most `decimals` decimals. Returns its value in units of the last
  /// decimal, or nil if the text is not such a number.
  fileprivate func fixed(decimals: Int) -> Int64? {
    let parts = replacing(",", with: ".").split(separator: ".", omittingEmptySubsequences: false)
    guard 1...2 ~= parts.count, 1...10 ~= parts[0].utf8.count else { return nil }
    let fraction = parts.count == 2 ? parts[1] : "0"
    guard 1...decimals ~= fraction.utf8.count else { return nil }
    let digits = parts[0] + fraction + String(repeating: "0", count: decimals - fraction.utf8.count)
    guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return Int64(digits)
  }
}
