import Localization

/// A word of a rule, a text in quotes, or a comparison.
struct AlertToken {
  /// In characters from the text's start.
  let position: Int
  let text: String
  var isQuoted = false

  /// As a word of the language; none where it is quoted.
  var word: String { isQuoted ? "" : text.lowercased() }

  /// Made of digits, without quotes.
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

  /// A backslash stands before a quotation mark or a backslash that is part of the text.
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
