import JSONText

/// The id of a token, of which each outcome has one: a decimal number of up to 80 digits.
///
/// The digits are packed 16 to a word, so that ids compare and hash without a string.
package struct TokenID: Hashable, Sendable {
  private static let digitsPerWord = 16
  static let maxDigits = 80

  private var words: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
  private let count: UInt8

  /// Creates an id from its digits. Returns nil if there are none or too many, or if a byte is no digit.
  package init?(_ digits: UnsafeBufferPointer<UInt8>) {
    guard 1...Self.maxDigits ~= digits.count else { return nil }
    count = UInt8(digits.count)
    var at = 0
    for word in 0..<5 {
      var value: UInt64 = 0
      for _ in 0..<min(Self.digitsPerWord, digits.count - at) {
        let digit = digits[at] &- UInt8(ascii: "0")
        if digit > 9 { return nil }
        value = value &* 10 &+ UInt64(digit)
        at += 1
      }
      switch word {
      case 0: words.0 = value
      case 1: words.1 = value
      case 2: words.2 = value
      case 3: words.3 = value
      default: words.4 = value
      }
      if at == digits.count { return }
    }
  }

  /// Creates an id from its text. Returns nil if the text has another form.
  package init?(_ text: String) {
    var text = text
    guard let id = text.withUTF8({ Self($0) }) else { return nil }
    self = id
  }

  package static func == (left: TokenID, right: TokenID) -> Bool {
    left.words == right.words && left.count == right.count
  }

  package func hash(into hasher: inout Hasher) {
    // The digits are those of a cryptographic hash, so two words suffice.
    hasher.combine(words.0 ^ words.1)
  }
}

extension TokenID: CustomStringConvertible {
  /// The digits.
  package var description: String {
    var text = ""
    var rest = Int(count)
    for word in [words.0, words.1, words.2, words.3, words.4] where rest > 0 {
      let digits = String(word)
      text += String(repeating: "0", count: min(rest, Self.digitsPerWord) - digits.count) + digits
      rest -= Self.digitsPerWord
    }
    return text
  }
}

extension TokenID: Comparable {
  /// Ids are ordered like their texts.
  package static func < (left: TokenID, right: TokenID) -> Bool { left.description < right.description }
}
