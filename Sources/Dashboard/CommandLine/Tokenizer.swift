/// A token of a filter, an alert rule or a command, with its range in characters from the start.
struct Token: Hashable {
  enum Kind: Hashable {
    case word
    /// A quoted text, which is never a keyword. `isClosed` is false if its closing mark is missing.
    case text(isClosed: Bool)
    /// A comparison, or nil if the signs are not a known one.
    case comparison(Comparison?)
    case open, close
  }

  let kind: Kind
  /// The text of the token, without quotes.
  let text: String
  let range: Range<Int>

  /// The word in lower case. Empty if the token is not a word.
  var keyword: String { kind == .word ? text.lowercased() : "" }
  var isQuoted: Bool { if case .text = kind { true } else { false } }
  var isComparison: Bool { if case .comparison = kind { true } else { false } }
  /// True if the token is a word that consists of digits.
  var isNumber: Bool { kind == .word && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }
}

/// Splits a text into tokens. Any text is valid: other characters form words, and a quotation may extend to the end.
struct Tokenizer {
  /// The special characters of a language.
  struct Syntax {
    /// The closing mark of each opening quotation mark.
    var quotes: [Character: Character] = [:]
    /// The character that precedes a mark within a quotation; nil if there is none.
    var escape: Character?
    var comparisons: Set<Character> = []
    var hasParentheses = false
    /// True if full-width characters are treated as their ASCII equivalents.
    var foldsWidth = false

    static let filter = Syntax(
      quotes: ["\"": "\"", "“": "”", "«": "»", "「": "」"], comparisons: Set("<>=~≤≥≠"), hasParentheses: true,
      foldsWidth: true)
    static let rule = Syntax(quotes: ["\"": "\""], escape: "\\", comparisons: Set("<>=≤≥"))
    /// Words between white space.
    static let command = Syntax()
  }

  private let characters: [Character]
  private let syntax: Syntax
  private var index = 0

  private init(_ text: String, _ syntax: Syntax) {
    characters = syntax.foldsWidth ? text.map(\.ofUsualWidth) : Array(text)
    self.syntax = syntax
  }

  static func tokens(_ text: String, _ syntax: Syntax) -> [Token] {
    var tokenizer = Tokenizer(text, syntax)
    var tokens: [Token] = []
    while let token = tokenizer.next() { tokens.append(token) }
    return tokens
  }

  private mutating func next() -> Token? {
    while index < characters.count, characters[index].isWhitespace { index += 1 }
    guard index < characters.count else { return nil }
    let start = index
    if let end = syntax.quotes[characters[index]] { return quotation(until: end) }
    if syntax.hasParentheses, characters[index] == "(" || characters[index] == ")" {
      index += 1
      return token(characters[start] == "(" ? .open : .close, from: start)
    }
    if isComparison {
      repeat { index += 1 } while index < characters.count && syntax.comparisons.contains(characters[index])
      return token(.comparison(Comparison(sign: String(characters[start..<index]))), from: start)
    }
    repeat { index += 1 } while index < characters.count && isWordCharacter
    return token(.word, from: start)
  }

  private func token(_ kind: Token.Kind, from start: Int) -> Token {
    Token(kind: kind, text: String(characters[start..<index]), range: start..<index)
  }

  private mutating func quotation(until end: Character) -> Token {
    let start = index
    var text = ""
    index += 1
    while index < characters.count, characters[index] != end {
      if characters[index] == syntax.escape, index + 1 < characters.count { index += 1 }
      text.append(characters[index])
      index += 1
    }
    let isClosed = index < characters.count
    if isClosed { index += 1 }
    return Token(kind: .text(isClosed: isClosed), text: text, range: start..<index)
  }

  /// True if a comparison begins here. NB: '!' is part of a word unless '=' follows it.
  private var isComparison: Bool {
    if syntax.comparisons.contains(characters[index]) { return true }
    return characters[index] == "!" && index + 1 < characters.count && characters[index + 1] == "="
      && syntax.comparisons.contains("=")
  }

  private var isWordCharacter: Bool {
    let character = characters[index]
    return !character.isWhitespace && syntax.quotes[character] == nil && !isComparison
      && !(syntax.hasParentheses && (character == "(" || character == ")"))
  }
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
