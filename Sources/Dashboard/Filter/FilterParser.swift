import Localization
import OddsModel

/// A recursive-descent parser for filters:
///
///     or      = and { "or" and }
///     and     = not { ["and"] not }
///     not     = { "not" } primary
///     primary = "(" or ")" | FLAG | FIELD COMPARISON VALUE | WORD | "TEXT"
///
/// Any other word and any quoted text is searched in the names of the match. Adjacent terms are combined with "and".
struct FilterParser {
  /// The maximum nesting depth of parentheses.
  private static let maxLevels = 32

  private let tokens: [Token]
  /// The end of the text, in characters.
  private let end: Int
  /// True if a field without a comparison is an error. If false, it is read as a word.
  private let isStrict: Bool
  private var index = 0
  private var level = 0

  /// Parses a filter. Returns nil if the text is blank.
  @discardableResult
  static func node(_ text: String) throws(FilterError) -> FilterNode? {
    let tokens = Tokenizer.tokens(text, .filter)
    if tokens.isEmpty { return nil }
    var parser = FilterParser(tokens: tokens, end: text.count, isStrict: false)
    return try parser.parse()
  }

  /// Parses the longest valid prefix of a filter that is incomplete or has an error, without its last token. Returns
  /// nil if no prefix is valid.
  static func start(_ text: String) -> FilterNode? {
    var tokens = Tokenizer.tokens(text, .filter)
    while tokens.popLast() != nil, !tokens.isEmpty {
      var parser = FilterParser(tokens: tokens, end: text.count, isStrict: true)
      if let node = try? parser.parse() { return node }
    }
    return nil
  }

  private mutating func parse() throws(FilterError) -> FilterNode {
    let node = try parseOr()
    // NB: a list of terms ends at "or", which `parseOr()` consumes, or at a closing parenthesis. A token left here is a
    // closing parenthesis without an opening one.
    if let token { throw FilterError(at: token.range.lowerBound, LocalizedMessage(.queryClosed)) }
    return node
  }

  private var token: Token? { index < tokens.count ? tokens[index] : nil }

  /// Consumes an operator if it is next.
  private mutating func consume(_ logical: LogicalOperator) -> Bool {
    guard token?.keyword == logical.rawValue else { return false }
    index += 1
    return true
  }

  private mutating func parseOr() throws(FilterError) -> FilterNode {
    var nodes = [try parseAnd()]
    while consume(.or) { nodes.append(try parseAnd()) }
    return nodes.count == 1 ? nodes[0] : .any(nodes)
  }

  private mutating func parseAnd() throws(FilterError) -> FilterNode {
    var nodes: [FilterNode] = []
    repeat {
      let node = try parseNot()
      if case .words(let more) = node, case .words(let known)? = nodes.last {
        nodes[nodes.count - 1] = .words(known + more)
      } else {
        nodes.append(node)
      }
    } while consume(.and) || token.map { $0.keyword != LogicalOperator.or.rawValue && $0.kind != .close } ?? false
    return nodes.count == 1 ? nodes[0] : .all(nodes)
  }

  private mutating func parseNot() throws(FilterError) -> FilterNode {
    var isNot = false
    while consume(.not) { isNot.toggle() }
    let node = try parsePrimary()
    return isNot ? .not(node) : node
  }

  private mutating func parsePrimary() throws(FilterError) -> FilterNode {
    guard let token else { throw missing(at: end) }
    index += 1
    switch token.kind {
    case .open: return try group(from: token)
    case .close: throw missing(at: token.range.lowerBound)
    case .comparison:
      throw FilterError(at: token.range.lowerBound, LocalizedMessage(.queryNoField, token.text, Self.fields))
    case .text, .word:
      if case .comparison(let comparison)? = self.token?.kind { return try self.comparison(of: token, comparison) }
      if token.isQuoted { return .words([FuzzyWord(token.text, isExact: true)]) }
      if let flag = token.flag { return .flag(flag) }
      if token.isOperator { throw missing(at: token.range.lowerBound) }
      if isStrict, token.field != nil { throw missing(at: end) }
      return .words([FuzzyWord(token.text)])
    }
  }

  private mutating func group(from open: Token) throws(FilterError) -> FilterNode {
    level += 1
    defer { level -= 1 }
    guard level <= Self.maxLevels else {
      throw FilterError(at: open.range.lowerBound, LocalizedMessage(.queryTooDeep, Self.maxLevels))
    }
    let node = try parseOr()
    guard token?.kind == .close else { throw FilterError(at: open.range.lowerBound, LocalizedMessage(.queryOpen)) }
    index += 1
    return node
  }
}

extension FilterParser {
  private static let fields = LocalizedMessage.list(FilterField.allCases.map(\.rawValue))

  private func missing(at position: Int) -> FilterError {
    FilterError(at: position, LocalizedMessage(.queryUnfinished, "\(FilterField.odds.usage)"))
  }

  private mutating func comparison(of name: Token, _ comparison: Comparison?) throws(FilterError) -> FilterNode {
    let mark = tokens[index].text
    guard let field = name.field else {
      throw FilterError(at: name.range.lowerBound, LocalizedMessage(.queryUnknownField, name.text, Self.fields))
    }
    guard let comparison, field.comparisons.contains(comparison) else {
      let known = LocalizedMessage.list(field.comparisons.map(\.rawValue))
      throw FilterError(
        at: tokens[index].range.lowerBound, LocalizedMessage(.queryOtherComparison, field.rawValue, mark, known))
    }
    index += 1
    guard let token, token.kind == .word || token.isQuoted else {
      throw FilterError(
        at: token?.range.lowerBound ?? end, LocalizedMessage(.queryNoValue, "\(field.rawValue) \(mark)", field.example))
    }
    index += 1
    guard let node = node(field, comparison, token.text) else {
      throw FilterError(
        at: token.range.lowerBound, LocalizedMessage(.queryOtherValue, token.text, field.rawValue, field.example))
    }
    return node
  }

  /// Returns the node for a comparison, or nil if the value is not valid for the field.
  private func node(_ field: FilterField, _ comparison: Comparison, _ text: String) -> FilterNode? {
    let word = FuzzyWord(text, isExact: true)
    switch field {
    case .score: return FilterValue.score(text).map { .score(comparison, $0) }
    case .name: return .text(.name, comparison, word)
    case .tournament: return .text(.tournament, comparison, word)
    case .country: return .text(.country, comparison, word)
    case .part: return .text(.part, comparison, word)
    case .sport: return .sport(comparison, word, known: sports(text, word, contained: comparison == .contains))
    case .odds, .favourite, .home, .draw, .away, .margin, .move, .minute, .total, .lead, .start:
      return FilterValue.number(text, field.kind).map { .number(field, comparison, $0) }
    }
  }

  /// Returns the sports with that name, and the sport with that id.
  private func sports(_ text: String, _ word: FuzzyWord, contained: Bool) -> Set<SportID> {
    var ids = Set(
      NamedSport.all.filter { sport in
        sport.names.contains { contained ? word.matchedIndices(in: $0) != nil : $0 == word.letters }
      }.map(\.id))
    // NB: `SportID` accepts any text and keeps it permanently, so only numbers are converted.
    if !contained, Int(text) != nil, let id = SportID(text) { ids.insert(id) }
    return ids
  }
}
