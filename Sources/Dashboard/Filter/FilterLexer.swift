/// A token of a filter with its range, in characters from the start.
struct FilterToken: Hashable {
  enum Kind: Hashable {
    case word
    /// A quoted text, which is never a keyword.
    case text
    case comparison(FilterComparison)
    case open, close
  }

  let kind: Kind
  /// The text of the token, without quotes.
  let text: String
  let range: Range<Int>

  func isJoint(_ joint: LogicalOperator) -> Bool { kind == .word && text.lowercased() == joint.rawValue }

  var field: FilterField? {
    guard kind == .word else { return nil }
    let name = text.lowercased()
    return FilterField(rawValue: name == "favorite" ? "favourite" : name)
  }

  var flag: FilterFlag? { kind == .word ? FilterFlag(rawValue: text.lowercased()) : nil }
}

/// Splits a filter into tokens. Any text is valid: a run without special characters is a word, and an unclosed
/// quotation extends to the end. Full-width characters are treated as their ASCII equivalents.
struct FilterLexer {
  private let characters: [Character]
  private var at = 0

  private init(_ text: String) { characters = text.map(\.ofUsualWidth) }

  static func tokens(_ text: String) -> [FilterToken] {
    var lexer = FilterLexer(text)
    var tokens: [FilterToken] = []
    while let token = lexer.next() { tokens.append(token) }
    return tokens
  }

  private mutating func next() -> FilterToken? {
    while at < characters.count, characters[at].isWhitespace { at += 1 }
    guard at < characters.count else { return nil }
    let start = at
    if let end = Self.quotes[characters[at]] {
      at += 1
      let text = run { $0 != end }
      at = min(at + 1, characters.count)
      return FilterToken(kind: .text, text: text, range: start..<at)
    }
    if let kind = mark() {
      return FilterToken(kind: kind, text: String(characters[start..<at]), range: start..<at)
    }
    at += 1
    _ = run { !$0.isWhitespace && Self.quotes[$0] == nil && $0 != "(" && $0 != ")" && !Self.isComparison($0) }
    // NB: '!' is part of a word unless '=' follows it.
    if at < characters.count, characters[at] == "=", characters[at - 1] == "!", at - 1 > start { at -= 1 }
    return FilterToken(kind: .word, text: String(characters[start..<at]), range: start..<at)
  }

  private mutating func run(while belongs: (Character) -> Bool) -> String {
    let start = at
    while at < characters.count, belongs(characters[at]) { at += 1 }
    return String(characters[start..<at])
  }

  private mutating func mark() -> FilterToken.Kind? {
    let pair = String(characters[at...].prefix(2))
    if let known = Self.pairs[pair] {
      at += 2
      return .comparison(known)
    }
    let kind: FilterToken.Kind? =
      switch characters[at] {
      case "(": .open
      case ")": .close
      case "<": .comparison(.less)
      case ">": .comparison(.greater)
      case "=": .comparison(.equal)
      case "~": .comparison(.contains)
      case "≤": .comparison(.atMost)
      case "≥": .comparison(.atLeast)
      case "≠": .comparison(.unequal)
      default: nil
      }
    if kind != nil { at += 1 }
    return kind
  }

  private static func isComparison(_ character: Character) -> Bool { "<>=~≤≥≠".contains(character) }

  private static let pairs: [String: FilterComparison] = [
    "<=": .atMost, ">=": .atLeast, "!=": .unequal, "<>": .unequal, "==": .equal,
  ]

  private static let quotes: [Character: Character] = ["\"": "\"", "“": "”", "«": "»", "「": "」"]
}

extension Character {
  /// The ASCII equivalent of a full-width character, or the character itself.
  fileprivate var ofUsualWidth: Character {
    guard let scalar = unicodeScalars.first, unicodeScalars.count == 1 else { return self }
    switch scalar.value {
    case 0xFF01...0xFF5E: return Character(Unicode.Scalar(UInt8(scalar.value - 0xFF01 + 0x21)))
    case 0x3000: return " "
    default: return self
    }
  }
}
