import Localization
import OddsModel

/// A recursive-descent parser for filters:
///
///     any   = all { "or" all }
///     all   = not { ["and"] not }
///     not   = { "not" } one
///     one   = "(" any ")" | FLAG | FIELD COMPARISON VALUE | WORD | "TEXT"
///
/// Any other word and any quoted text is searched in the names of the match. Adjacent terms are combined with "and".
struct FilterParser {
  /// The maximum nesting depth of parentheses.
  private static let mostLevels = 32

  private let tokens: [FilterToken]
  private let words: Catalog
  /// The end of the text, in characters.
  private let end: Int
  /// True if a field without a comparison is an error. If false, it is read as a word.
  private let isStrict: Bool
  private var at = 0
  private var level = 0

  private init(_ tokens: [FilterToken], end: Int, words: Catalog, isStrict: Bool) {
    (self.tokens, self.end, self.words, self.isStrict) = (tokens, end, words, isStrict)
  }

  /// Parses a filter. Returns nil if the text is blank.
  static func node(_ text: String, _ words: Catalog) throws(FilterError) -> FilterNode? {
    let tokens = FilterLexer.tokens(text)
    if tokens.isEmpty { return nil }
    var parser = FilterParser(tokens, end: text.count, words: words, isStrict: false)
    return try parser.whole()
  }

  /// Parses the longest valid prefix of a filter that is incomplete or has an error at its end. Returns nil if there is
  /// none.
  static func start(_ text: String, _ words: Catalog) -> FilterNode? {
    var tokens = FilterLexer.tokens(text)
    while tokens.popLast() != nil, !tokens.isEmpty {
      var parser = FilterParser(tokens, end: text.count, words: words, isStrict: true)
      if let node = try? parser.whole() { return node }
    }
    return nil
  }

  private mutating func whole() throws(FilterError) -> FilterNode {
    let node = try any()
    // NB: a list ends at "or", which `any()` consumes, or at a closing parenthesis. A token left here is therefore one
    // that was never opened.
    if let token { throw FilterError(at: token.range.lowerBound, LocalizedMessage(.queryClosed)) }
    return node
  }

  private var token: FilterToken? { at < tokens.count ? tokens[at] : nil }

  private mutating func takes(_ joint: LogicalOperator) -> Bool {
    guard token?.isJoint(joint) == true else { return false }
    at += 1
    return true
  }

  private mutating func any() throws(FilterError) -> FilterNode {
    var nodes = [try all()]
    while takes(.or) { nodes.append(try all()) }
    return nodes.count == 1 ? nodes[0] : .any(nodes)
  }

  private mutating func all() throws(FilterError) -> FilterNode {
    var nodes: [FilterNode] = []
    repeat {
      let node = try not()
      if case .words(let more) = node, case .words(let known)? = nodes.last {
        nodes[nodes.count - 1] = .words(known + more)
      } else {
        nodes.append(node)
      }
    } while takes(.and) || token.map { !$0.isJoint(.or) && $0.kind != .close } ?? false
    return nodes.count == 1 ? nodes[0] : .all(nodes)
  }

  private mutating func not() throws(FilterError) -> FilterNode {
    var isNot = false
    while takes(.not) { isNot.toggle() }
    let node = try one()
    return isNot ? .not(node) : node
  }

  private mutating func one() throws(FilterError) -> FilterNode {
    guard let token else { throw missing(at: end) }
    at += 1
    switch token.kind {
    case .open: return try group(from: token)
    case .close: throw missing(at: token.range.lowerBound)
    case .comparison:
      throw FilterError(at: token.range.lowerBound, LocalizedMessage(.queryNoField, token.text, Self.fields))
    case .text, .word:
      if case .comparison(let comparison)? = self.token?.kind { return try self.comparison(of: token, comparison) }
      if token.kind == .text { return .words([FuzzyWord(token.text, isExact: true)]) }
      if let flag = token.flag { return .flag(flag) }
      if LogicalOperator.allCases.contains(where: token.isJoint) { throw missing(at: token.range.lowerBound) }
      if isStrict, token.field != nil { throw missing(at: end) }
      return .words([FuzzyWord(token.text)])
    }
  }

  private mutating func group(from open: FilterToken) throws(FilterError) -> FilterNode {
    level += 1
    defer { level -= 1 }
    guard level <= Self.mostLevels else {
      throw FilterError(at: open.range.lowerBound, LocalizedMessage(.queryTooDeep, Self.mostLevels))
    }
    let node = try any()
    guard token?.kind == .close else { throw FilterError(at: open.range.lowerBound, LocalizedMessage(.queryOpen)) }
    at += 1
    return node
  }
}

extension FilterParser {
  private static let fields = LocalizedMessage.list(FilterField.allCases.map(\.rawValue))

  private func missing(at position: Int) -> FilterError {
    FilterError(at: position, LocalizedMessage(.queryUnfinished, "\(FilterField.odds.usage)"))
  }

  private mutating func comparison(of name: FilterToken, _ comparison: FilterComparison) throws(FilterError)
    -> FilterNode
  {
    let mark = tokens[at].text
    guard let field = name.field else {
      throw FilterError(at: name.range.lowerBound, LocalizedMessage(.queryUnknownField, name.text, Self.fields))
    }
    guard field.comparisons.contains(comparison) else {
      let known = LocalizedMessage.list(field.comparisons.map(\.rawValue))
      throw FilterError(
        at: tokens[at].range.lowerBound, LocalizedMessage(.queryOtherComparison, field.rawValue, mark, known))
    }
    at += 1
    guard let token, token.kind == .word || token.kind == .text else {
      throw FilterError(
        at: token?.range.lowerBound ?? end, LocalizedMessage(.queryNoValue, "\(field.rawValue) \(mark)", field.example))
    }
    at += 1
    guard let node = node(field, comparison, token.text) else {
      throw FilterError(
        at: token.range.lowerBound, LocalizedMessage(.queryOtherValue, token.text, field.rawValue, field.example))
    }
    return node
  }

  /// Returns the node for a comparison, or nil if the value is not valid for the field.
  private func node(_ field: FilterField, _ comparison: FilterComparison, _ text: String) -> FilterNode? {
    let word = FuzzyWord(text, isExact: true)
    switch field {
    case .score: return FilterValue.score(text).map { .score(comparison, $0) }
    case .name: return .text(.name, comparison, word)
    case .tournament: return .text(.tournament, comparison, word)
    case .country: return .text(.country, comparison, word)
    case .part: return .text(.part, comparison, word)
    case .sport:
      return .sport(comparison, word, known: SportNames.ids(of: text, contained: comparison == .contains, words))
    case .odds, .favourite, .home, .draw, .away, .overround, .move, .minute, .total, .lead, .start:
      return FilterValue.number(text, field.kind).map { .number(field, comparison, $0) }
    }
  }
}

/// The sports that the board names itself, in the language of the user.
enum SportNames {
  private static let known: [(id: SportID, name: MessageKey)] = [
    (1, .channelFootball), (3, .channelTennis), (8, .channelBasketball),
  ]

  /// Returns the sports with that name in English or in the language of the board, and the sport with that id.
  static func ids(of text: String, contained: Bool, _ words: Catalog) -> Set<SportID> {
    let wanted = FuzzyWord(text, isExact: true)
    var ids = Set(
      known.filter { _, name in
        [words(name), Catalog.english(name)].map { FoldedText($0).letters }.contains {
          contained ? wanted.places(in: $0) != nil : $0 == wanted.letters
        }
      }.map(\.id))
    // NB: `SportID` accepts any text and keeps it permanently, so only numbers are converted.
    if !contained, Int(text) != nil, let id = SportID(text) { ids.insert(id) }
    return ids
  }
}
