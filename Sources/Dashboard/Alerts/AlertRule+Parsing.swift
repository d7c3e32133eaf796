import Localization
import OddsModel

struct AlertRuleParser {
  private let text: String
  let tokens: [Token]
  var index = 0

  init(_ text: String) {
    self.text = text
    tokens = Tokenizer.tokens(text, .rule)
  }

  /// Parses a rule. A text that is no rule but has parts of a condition is read as a condition on all matches.
  static func rule(_ text: String) throws(FilterError) -> AlertRule {
    var parser = AlertRuleParser(text)
    do throws(FilterError) { return try parser.rule() } catch {
      let tokens = Tokenizer.tokens(text, .filter)
      let hasField = tokens.indices.dropLast().contains { index in
        tokens[index].field != nil && AlertRule.Selection(tokens[index].keyword) == nil
          && tokens[index + 1].isComparison
      }
      let hasTerm = tokens.contains { $0.isComparison || $0.flag != nil }
      guard hasField || hasTerm && tokens.contains(where: \.isOperator),
        !tokens.contains(where: { $0.keyword == "when" })
      else {
        throw error
      }
      parser.index = 0
      do throws(FilterError) {
        let event = try parser.condition(of: .match)
        return AlertRule(.all, event, try parser.repetition(of: event))
      } catch let second { throw hasField ? second : error }
    }
  }

  private mutating func rule() throws(FilterError) -> AlertRule {
    if let open = tokens.first(where: { $0.kind == .text(isClosed: false) }) {
      throw FilterError(at: open.range.lowerBound, LocalizedMessage(.alertUnclosed))
    }
    let scope = try scope()
    let event = try event()
    let repetition = try repetition(of: event)
    if let rest = next { throw error(.alertTooMuch, at: rest) }
    return AlertRule(scope, event, repetition)
  }

  var next: Token? { index < tokens.count ? tokens[index] : nil }

  /// The position after the last character.
  var end: Int { text.count }

  mutating func nextToken() -> Token? {
    defer { index += 1 }
    return next
  }

  /// Returns an error that quotes a token. If the token is nil, the error is at the end of the text.
  func error(_ message: MessageKey, at token: Token?) -> FilterError {
    FilterError(at: token?.range.lowerBound ?? end, LocalizedMessage(message, token?.text ?? ""))
  }

  private mutating func scope() throws(FilterError) -> AlertRule.Scope {
    if next?.keyword == "match", !isEvent(index) {
      index += 1
      let token = nextToken()
      guard let token, token.isQuoted || token.isNumber, let id = MatchID(token.text) else {
        throw error(.alertNoMatch, at: token)
      }
      guard let name = next, name.isQuoted else { return .match(id, name: "") }
      index += 1
      return .match(id, name: name.text)
    }
    if ["any", "all"].contains(next?.keyword), !isEvent(index) { index += 1 }
    var words: [Substring] = []
    while let token = next, !isEvent(index) {
      if let sign = tokens.dropFirst(index + 1).first, sign.isComparison { throw error(.alertNoPick, at: token) }
      words += token.text.split(whereSeparator: \.isWhitespace)
      index += 1
    }
    return words.isEmpty ? .all : .words(words.joined(separator: " "))
  }

  /// Returns true if a market is named at the token index. Elsewhere, "market" is a word in the names of matches.
  private func isMarket(_ start: Int) -> Bool {
    guard tokens[start].keyword == "market", start + 1 < tokens.count else { return false }
    if tokens[start + 1].isQuoted { return true }
    guard tokens[start + 1].isNumber || tokens[start + 1].keyword == "id" else { return false }
    return tokens.dropFirst(start + 2).first.map { $0.isQuoted || $0.keyword == "outcome" } ?? false
      || tokens[start + 1].keyword == "id" && tokens.dropFirst(start + 3).first?.keyword == "outcome"
  }

  private mutating func outcome() throws(FilterError) -> AlertOutcome {
    index += 1
    let market = try name(.alertNoMarket, of: Market.self)
    guard next?.keyword == "outcome" else { throw error(.alertNoOutcome, at: next) }
    index += 1
    return AlertOutcome(market: market, outcome: try name(.alertNoOutcome, of: Outcome.self))
  }

  /// Parses a name: an id, a text in quotes, or both. An id is a number, or any token that follows `id`.
  private mutating func name<Entity>(
    _ problem: MessageKey, of entity: Entity.Type
  ) throws(FilterError) -> AlertOutcome.Name<Entity> {
    let first = next
    var id: FeedID<Entity>?
    if first?.keyword == "id" { index += 1 }
    if let token = next, first?.keyword == "id" || token.isNumber {
      id = FeedID<Entity>(token.text)
      if id != nil { index += 1 }
    }
    var text = ""
    if let token = next, token.isQuoted, first?.keyword != "id" || id != nil {
      text = token.text
      index += 1
    }
    guard id != nil || !text.isEmpty else { throw error(problem, at: first) }
    return AlertOutcome.Name(id, text)
  }

  /// Returns true if the event of the rule begins at the token index.
  private func isEvent(_ start: Int) -> Bool {
    if isMarket(start) { return true }
    let (word, following) = (tokens[start].keyword, start + 1 < tokens.count ? tokens[start + 1] : nil)
    if tokens[start].isComparison || AlertRule.Direction(rawValue: word) != nil { return true }
    if ["suspended", "resumed", "kickoff", "kick-off", "score", "goal", "when"].contains(word) { return true }
    if AlertRule.Extreme(rawValue: word) != nil || word == "every" && following?.keyword == "outcome" { return true }
    guard AlertRule.Selection(word) != nil, let following else { return false }
    return following.isComparison || AlertRule.Direction(rawValue: following.keyword) != nil
      || AlertRule.Extreme(rawValue: following.keyword) != nil
  }

  /// Parses the rest of the rule, without its repetition, as a condition.
  private mutating func condition(of subject: AlertRule.ConditionSubject) throws(FilterError) -> AlertRule.Event {
    var rest = tokens[min(index, tokens.count)...]
    if rest.count > 1, ["once", "again"].contains(rest.last?.keyword) { rest.removeLast() }
    guard let first = rest.first, let last = rest.last else {
      throw FilterError(at: end, LocalizedMessage(.queryUnfinished, FilterField.odds.usage))
    }
    index = rest.endIndex
    let start = first.range.lowerBound
    do throws(FilterError) {
      return .condition(try AlertCondition(String(Array(text)[start..<last.range.upperBound])), subject)
    } catch { throw FilterError(at: start + error.position, error.sentence) }
  }

  private mutating func event() throws(FilterError) -> AlertRule.Event {
    if next != nil, isMarket(index) { return try event(of: outcome()) }
    guard let token = nextToken() else { throw FilterError(at: end, LocalizedMessage(.alertNoEvent)) }
    switch token.keyword {
    case "suspended": return .suspended(nil)
    case "resumed": return .resumed(nil)
    case "score", "goal": return .score
    case "when": return try condition(of: .match)
    case "every" where next?.keyword == "outcome":
      index += 1
      guard let token = nextToken() else { throw error(.alertNoEvent, at: nil) }
      if token.keyword == "when" { return try condition(of: .everyOutcome) }
      if token.field != nil, next?.isComparison == true {
        index -= 1
        return try condition(of: .everyOutcome)
      }
      return try event(of: .everyOutcome, token)
    case "kickoff", "kick-off":
      if next?.keyword != "in" { return .kickOff(before: .zero) }
      index += 1
      return .kickOff(before: try time())
    default: break
    }
    if token.isComparison { throw error(.alertNoPick, at: token) }
    if let direction = AlertRule.Direction(rawValue: token.keyword) { return try move(.any, direction) }
    if let extreme = AlertRule.Extreme(rawValue: token.keyword) { return try self.extreme(.any, extreme) }
    guard let selection = AlertRule.Selection(token.keyword), let sign = nextToken() else {
      throw FilterError(at: token.range.lowerBound, LocalizedMessage(.alertNoEvent))
    }
    return try event(of: selection, sign)
  }

  private mutating func event(of outcome: AlertOutcome) throws(FilterError) -> AlertRule.Event {
    guard let token = nextToken() else { throw FilterError(at: end, LocalizedMessage(.alertNoEvent)) }
    switch token.keyword {
    case "suspended": return .suspended(outcome)
    case "resumed": return .resumed(outcome)
    case "when": return try condition(of: .outcome(outcome))
    default: return try event(of: .outcome(outcome), token)
    }
  }

  private mutating func event(of selection: AlertRule.Selection, _ sign: Token) throws(FilterError) -> AlertRule.Event {
    if let direction = AlertRule.Direction(rawValue: sign.keyword) { return try move(selection, direction) }
    if let extreme = AlertRule.Extreme(rawValue: sign.keyword) { return try self.extreme(selection, extreme) }
    guard case .comparison(let comparison?) = sign.kind, AlertRule.comparisons.contains(comparison) else {
      throw error(.alertNoComparison, at: sign)
    }
    return .price(selection, comparison, try price())
  }

  private mutating func move(
    _ selection: AlertRule.Selection, _ direction: AlertRule.Direction
  ) throws(FilterError) -> AlertRule.Event {
    let percent = try percent(1...100_000)
    if next?.keyword == "from", index + 1 < tokens.count, tokens[index + 1].keyword == "opening" {
      index += 2
      return .moveFromOpening(selection, direction, percent)
    }
    guard let token = nextToken(), token.keyword == "in" else {
      throw FilterError(
        at: index <= tokens.count ? tokens[index - 1].range.lowerBound : end, LocalizedMessage(.alertNoSpan))
    }
    return .move(selection, direction, percent, within: try time())
  }

  private mutating func extreme(
    _ selection: AlertRule.Selection, _ extreme: AlertRule.Extreme
  ) throws(FilterError) -> AlertRule.Event {
    if tokens[min(index, tokens.count)...].prefix(3).map(\.keyword) == ["of", "the", "day"] {
      index += 3
      return .extreme(selection, extreme, within: .seconds(86_400))
    }
    guard next?.keyword == "in" else { throw error(.alertNoExtremeSpan, at: next) }
    index += 1
    return .extreme(selection, extreme, within: try time())
  }

  private mutating func repetition(of event: AlertRule.Event) throws(FilterError) -> AlertRule.Repetition {
    guard let token = next else { return event.usualRepetition }
    if token.keyword == "once" {
      index += 1
      return .once
    }
    if case .kickOff = event { return .once }
    guard token.keyword == "again" else { return event.usualRepetition }
    index += 1
    guard case .price = event else { return .again }
    guard next?.keyword == "by" else { return .againBy(AlertRule.usualMargin) }
    index += 1
    return .againBy(try percent(1...5000))
  }
}

extension AlertRule.Selection {
  private static let aliases: [String: AlertRule.Selection] = [
    "home": .home, "draw": .draw, "away": .away, "fav": .favourite, "favorite": .favourite,
  ]

  fileprivate init?(_ word: String) {
    let known = Self.words.first { $0.word.lowercased() == word }
    guard let selection = Self.aliases[word] ?? known?.selection else { return nil }
    self = selection
  }
}
