/// A text as it is searched: without case, accents and marks, and with letters of full width as the usual ones.
struct FoldedText: Hashable, Sendable {
  /// NB: of a character beyond the first 65,536 something that 2,047 others share: names are not told apart by those.
  private(set) var letters: [UInt16] = []
  /// The scalar of the text that each comes from.
  private(set) var places: [Int] = []

  init(_ text: String) {
    for (place, scalar) in text.unicodeScalars.enumerated() { append(scalar, place) }
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ place: Int) {
    switch scalar.value {
    case 0x41...0x5A: push(scalar.value + 0x20, place)
    case ..<0x80: push(scalar.value, place)
    // Of full width.
    case 0xFF01...0xFF5E: append(Unicode.Scalar(UInt8(scalar.value - 0xFF01 + 0x21)), place)
    case 0xA0, 0x202F, 0x3000: push(0x20, place)
    case 0xFE00...0xFE0F: break
    default:
      for lower in scalar.properties.lowercaseMapping.unicodeScalars {
        if let pair = Self.pairs[lower] {
          for letter in pair.unicodeScalars { push(letter.value, place) }
        } else if lower.properties.generalCategory != .nonspacingMark {
          push((Self.bare[Character(lower)] ?? lower).value, place)
        }
      }
    }
  }

  private mutating func push(_ value: UInt32, _ place: Int) {
    letters.append(UInt16(exactly: value) ?? UInt16(0xD800 + value % 0x7FF))
    places.append(place)
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
  static func mask(_ letters: some Sequence<UInt16>) -> UInt64 { letters.reduce(0) { $0 | 1 << UInt64($1 & 63) } }
}

/// A match's names as they are searched, one after the other.
struct FoldedNames: Sendable {
  enum Part: Sendable {
    case name, tournament, country, part, sport

    /// What a match is found by.
    static let searched: [Part] = [.name, .tournament, .country, .part]
  }

  /// Of a name that is longer no more is searched.
  static let mostLetters = 256

  private let letters: [UInt16]
  private let ends: (UInt16, UInt16, UInt16, UInt16)
  private let masks: (UInt64, UInt64, UInt64, UInt64, UInt64)

  init(_ text: (Part) -> String) {
    var letters: [UInt16] = []
    func add(_ part: Part) -> (end: UInt16, mask: UInt64) {
      let folded = FoldedText(text(part)).letters.prefix(Self.mostLetters)
      letters += folded
      return (UInt16(letters.count), FoldedText.mask(folded))
    }
    let (name, tournament, country, part) = (add(.name), add(.tournament), add(.country), add(.part))
    let sport = add(.sport)
    ends = (name.end, tournament.end, country.end, part.end)
    masks = (name.mask, tournament.mask, country.mask, part.mask, sport.mask)
    self.letters = letters
  }

  /// Calls with the letters of a part, if it has all that the mask has.
  func with(_ part: Part, having mask: UInt64, _ body: (UnsafeBufferPointer<UInt16>) -> Bool) -> Bool {
    let (range, known) =
      switch part {
      case .name: (0..<Int(ends.0), masks.0)
      case .tournament: (Int(ends.0)..<Int(ends.1), masks.1)
      case .country: (Int(ends.1)..<Int(ends.2), masks.2)
      case .part: (Int(ends.2)..<Int(ends.3), masks.3)
      case .sport: (Int(ends.3)..<letters.count, masks.4)
      }
    guard mask & ~known == 0 else { return false }
    return letters.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }
}
