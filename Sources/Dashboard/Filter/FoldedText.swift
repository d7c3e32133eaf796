/// A text as it is searched: without case, accents and marks, and with letters of full width as the usual ones.
struct FoldedText: Hashable, Sendable {
  /// NB: of a character beyond the first 65,536 something that 2,047 others share: names are not told apart by those.
  private(set) var letters: [UInt16] = []
  /// The scalar of the text that each comes from.
  private(set) var places: [Int] = []

  init(_ text: String) {
    Self.fold(text) { letter, place in
      letters.append(letter)
      places.append(place)
    }
  }

  /// Hands over each letter with the scalar of the text that it comes from.
  @inline(__always)
  static func fold(_ text: String, _ take: (UInt16, Int) -> Void) {
    var place = 0
    for scalar in text.unicodeScalars {
      let value = scalar.value
      if value < 0x80 {
        take(UInt16(value) + (0x41...0x5A ~= value ? 0x20 : 0), place)
      } else if 0x3041...0xD7A3 ~= value {
        // Chinese, Japanese, Korean: neither case nor accents.
        take(UInt16(value), place)
      } else if let known = table(value) {
        take(known, place)
      } else {
        for letter in letters(of: scalar) { take(letter, place) }
      }
      place += 1
    }
  }

  /// What becomes of the letters that most names with accents have; 0 where that is not one letter.
  private static func table(_ value: UInt32) -> UInt16? {
    guard value < 0x250 else { return nil }
    let letter = latin[Int(value)]
    return letter == 0 ? nil : letter
  }

  private static let latin: [UInt16] = (0..<0x250).map { value in
    let letters = Unicode.Scalar(UInt32(value)).map(letters) ?? []
    return letters.count == 1 ? letters[0] : 0
  }

  private static func letters(of scalar: Unicode.Scalar) -> [UInt16] {
    switch scalar.value {
    // Of full width.
    case 0xFF01...0xFF5E: return letters(of: Unicode.Scalar(UInt8(scalar.value - 0xFF01 + 0x21)))
    case 0xA0, 0x202F, 0x3000: return [0x20]
    case 0xFE00...0xFE0F: return []
    default: break
    }
    return scalar.properties.lowercaseMapping.unicodeScalars.flatMap { lower -> [UInt16] in
      if let pair = pairs[lower] { return Array(pair.utf16) }
      if lower.properties.generalCategory == .nonspacingMark { return [] }
      let value = (bare[Character(lower)] ?? lower).value
      return [UInt16(exactly: value) ?? UInt16(0xD800 + value % 0x7FF)]
    }
  }

  /// Letters that are no letter with a mark.
  private static let pairs: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŧ": "t",
    "ŋ": "n", "ĸ": "k", "ə": "e", "’": "'", "‘": "'", "–": "-", "—": "-", "ς": "σ",
  ]

  /// Letters with one mark or two, by what they are without. A character is equal to its canonical form, so nobody has to
  /// list those that stand in one.
  private static let bare: [Character: Unicode.Scalar] = {
    let marks =
      "\u{300}\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}\u{30A}\u{30B}\u{30C}\u{327}\u{328}\u{309}"
      + "\u{323}\u{31B}\u{326}"
    var table: [Character: Unicode.Scalar] = [:]
    func add(_ letters: String, _ marks: [Unicode.Scalar]...) {
      for letter in letters.unicodeScalars {
        for first in marks[0] {
          for second in marks.count > 1 ? marks[1].map(Optional.init) : [nil] {
            var text = String.UnicodeScalarView([letter, first])
            if let second { text.append(second) }
            table[Character(String(text))] = letter
          }
        }
      }
    }
    add("abcdefghijklmnopqrstuvwxyz", Array(marks.unicodeScalars))
    // Vietnamese.
    add("aeou", ["\u{302}", "\u{306}", "\u{31B}"], ["\u{300}", "\u{301}", "\u{303}", "\u{309}", "\u{323}"])
    add("αεηιουω", ["\u{301}", "\u{308}"])
    add("е", ["\u{308}"])
    return table
  }()
}

extension FoldedText {
  var isEmpty: Bool { letters.isEmpty }

  static func == (left: FoldedText, right: FoldedText) -> Bool { left.letters == right.letters }
  func hash(into hasher: inout Hasher) { hasher.combine(letters) }

  /// A bit for each kind of letter that there is: a text that lacks one of a word's cannot hold the word.
  static func mask(_ letters: some Sequence<UInt16>) -> UInt64 { letters.reduce(0) { $0 | bit($1) } }

  static func bit(_ letter: UInt16) -> UInt64 { 1 << UInt64(letter & 63) }
}
