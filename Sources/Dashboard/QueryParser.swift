import OddsFeed
import Wording

/// Reads a filter:
///
///     any   = all { "or" all }
///     all   = not { ["and"] not }
///     not   = { "not" } one
///     one   = "(" any ")" | FLAG | FIELD COMPARISON VALUE | WORD | "TEXT"
///
/// A word that is nothing else is looked for in the names, so is text in quotes. Two things beside each other are both asked.
struct QueryParser {
  /// More parentheses in parentheses nobody means.
  private static let mostLevels = 32

  private let tokens: [QueryToken]
  private let words: Catalog
  /// Where the text ends.
  private let end: Int
  /// A field without a comparison is an error, not a word.
  private let isStrict: Bool
  private var at = 0
  private var level = 0

  private init(_ tokens: [QueryToken], end: Int, words: Catalog, isStrict: Bool) {
    (self.tokens, self.end, self.words, self.isStrict) = (tokens, end, words, isStrict)
  }

  /// Nil where the text is blank.
  static func node(_ text: String, _ words: Catalog) throws(QueryError) -> QueryNode? {
    let tokens = QueryLexer.tokens(text)
    if tokens.isEmpty { return nil }
    var parser = QueryParser(tokens, end: text.count, words: words, isStrict: false)
    return try parser.whole()
  }

  /// What can be read of a text that is not finished, or wrong at its end: as much from its start as is a filter.
  static func start(_ text: String, _ words: Catalog) -> QueryNode? {
    var tokens = QueryLexer.tokens(text)
    while tokens.popLast() != nil, !tokens.isEmpty {
      var parser = QueryParser(tokens, end: text.count, words: words, isStrict: true)
      if let node = try? parser.whole() { return node }
    }
    return nil
  }

  private mutating func whole() throws(QueryError) -> QueryNode {
    let node = try any()
    // NB: what stops the reading of a list is "or", which it goes on with, or a parenthesis.
    if let token { throw QueryError(at: token.range.lowerBound, Sentence(.queryClosed)) }
    return node
  }

  private var token: QueryToken? { at < tokens.count ? tokens[at] : nil }

  private mutating func takes(_ joint: QueryJoint) -> Bool {
    guard token?.isJoint(joint) == true else { return false }
    at += 1
    return true
  }

  private mutating func any() throws(QueryError) -> QueryNode {
    var nodes = [try all()]
    while takes(.or) { nodes.append(try all()) }
    return nodes.count == 1 ? nodes[0] : .any(nodes)
  }

  private mutating func all() throws(QueryError) -> QueryNode {
    var nodes: [QueryNode] = []
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

  private mutating func not() throws(QueryError) -> QueryNode {
    var isNot = false
    while takes(.not) { isNot.toggle() }
    let node = try one()
    return isNot ? .not(node) : node
  }

  private mutating func one() throws(QueryError) -> QueryNode {
    guard let token else { throw missing(at: end) }
    at += 1
    switch token.kind {
    case .open: return try group(from: token)
    case .close: throw missing(at: token.range.lowerBound)
    case .comparison:
      throw QueryError(at: token.range.lowerBound, Sentence(.queryNoField, token.text, Self.fields))
    case .text, .word:
      if case .comparison(let comparison)? = self.token?.kind { return try self.comparison(of: token, comparison) }
      if token.kind == .text { return .words([FuzzyWord(token.text, isExact: true)]) }
      if let flag = token.flag { return .flag(flag) }
      if QueryJoint.allCases.contains(where: token.isJoint) { throw missing(at: token.range.lowerBound) }
      if isStrict, token.field != nil { throw missing(at: end) }
      return .words([FuzzyWord(token.text)])
    }
  }

  private mutating func group(from open: QueryToken) throws(QueryError) -> QueryNode {
    level += 1
    defer { level -= 1 }
    guard level <= Self.mostLevels else {
      throw QueryError(at: open.range.lowerBound, Sentence(.queryTooDeep, Self.mostLevels))
    }
    let node = try any()
    guard token?.kind == .close else { throw QueryError(at: open.range.lowerBound, Sentence(.queryOpen)) }
    at += 1
    return node
  }
}

extension QueryParser {
  private static let fields = Sentence.list(QueryField.allCases.map(\.rawValue))

  private func missing(at position: Int) -> QueryError {
    QueryError(at: position, Sentence(.queryUnfinished, "\(QueryField.odds.usage)"))
  }

  private mutating func comparison(of name: QueryToken, _ comparison: QueryComparison) throws(QueryError) -> QueryNode {
    let mark = tokens[at].text
    guard let field = name.field else {
      throw QueryError(at: name.range.lowerBound, Sentence(.queryUnknownField, name.text, Self.fields))
    }
    guard field.comparisons.contains(comparison) else {
      let known = Sentence.list(field.comparisons.map(\.rawValue))
      throw QueryError(at: tokens[at].range.lowerBound, Sentence(.queryOtherComparison, field.rawValue, mark, known))
    }
    at += 1
    guard let token, token.kind == .word || token.kind == .text else {
      throw QueryError(
        at: token?.range.lowerBound ?? end, Sentence(.queryNoValue, "\(field.rawValue) \(mark)", field.example))
    }
    at += 1
    guard let node = node(field, comparison, token.text) else {
      throw QueryError(
        at: token.range.lowerBound, Sentence(.queryOtherValue, token.text, field.rawValue, field.example))
    }
    return node
  }

  /// Nil where the value is none of the field's.
  private func node(_ field: QueryField, _ comparison: QueryComparison, _ text: String) -> QueryNode? {
    let word = FuzzyWord(text, isExact: true)
    switch field {
    case .score: return QueryValue.score(text).map { .score(comparison, $0) }
    case .name: return .text(.name, comparison, word)
    case .tournament: return .text(.tournament, comparison, word)
    case .country: return .text(.country, comparison, word)
    case .part: return .text(.part, comparison, word)
    case .sport:
      return .sport(comparison, word, known: SportNames.ids(of: text, contained: comparison == .contains, words))
    case .odds, .favourite, .home, .draw, .away, .overround, .move, .minute, .total, .lead, .start:
      return QueryValue.number(text, field.kind).map { .number(field, comparison, $0) }
    }
  }
}

/// Sports that the board calls by a name of its own, whatever the feed's language is.
enum SportNames {
  private static let known: [(id: SportID, name: Phrase)] = [
    (1, .channelFootball), (3, .channelTennis), (8, .channelBasketball),
  ]

  /// Those of that name in English or in the board's language, and the one of that id.
  static func ids(of text: String, contained: Bool, _ words: Catalog) -> Set<SportID> {
    let wanted = FuzzyWord(text, isExact: true)
    var ids = Set(
      known.filter { _, name in
        [words(name), Catalog.english(name)].map { FoldedText($0).letters }.contains {
          contained ? wanted.places(in: $0) != nil : $0 == wanted.letters
        }
      }.map(\.id))
    // NB: any text is an id, and kept for ever.
    if !contained, Int(text) != nil, let id = SportID(text) { ids.insert(id) }
    return ids
  }
}
