import Localization

/// A token of a rule: a word, a quoted text or a comparison.
struct AlertToken {
  /// The position in characters from the start of the text.
  let position: Int
  let text: String
  var isQuoted = false

  /// The token as a keyword in lower case. Empty if it is quoted.
  var word: String { isQuoted ? "" : text.lowercased() }

  /// True if the token consists of digits, without quotes.
  var isNumber: Bool {
    !isQuoted && !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  var isComparison: Bool { !isQuoted && text.first?.isComparison == true }

  static func tokens(of text: String) throws(FilterError) -> [AlertToken] {
    let characters = Array(text)
    var tokens: [AlertToken] = []
    var at = 0
    while at < characters.count {
      let start = at
      switch characters[at] {
      case let blank where blank.isWhitespace: at += 1
      case "\"": tokens.append(try quoted(characters, &at))
      case let sign where sign.isComparison:
        while at < characters.count, characters[at].isComparison { at += 1 }
        let sign = String(characters[start..<at]).replacing("≥", with: ">=").replacing("≤", with: "<=")
        tokens.append(AlertToken(position: start, text: sign))
      default:
        while at < characters.count, characters[at].isOfWord { at += 1 }
        tokens.append(AlertToken(position: start, text: String(characters[start..<at])))
      }
    }
    return tokens
  }

  /// Parses a quoted text. A backslash escapes a quotation mark or a backslash.
  private static func quoted(_ characters: [Character], _ at: inout Int) throws(FilterError) -> AlertToken {
    let start = at
    var text = ""
    at += 1
    while at < characters.count, characters[at] != "\"" {
      if characters[at] == "\\", at + 1 < characters.count { at += 1 }
      text.append(characters[at])
      at += 1
    }
    guard at < characters.count else { throw FilterError(at: start, LocalizedMessage(.alertUnclosed)) }
    at += 1
    return AlertToken(position: start, text: text, isQuoted: true)
  }
}

extension Character {
  fileprivate var isComparison: Bool { "<>=≥≤".contains(self) }
  fileprivate var isOfWord: Bool { !isWhitespace && !isComparison && self != "\"" }
}
