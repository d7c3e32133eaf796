import OddsModel

/// A text in the form used for searches: without case, accents and marks, and with full-width characters as ASCII.
struct FoldedText: Sendable {
  /// The folded letters. NB: all characters beyond U+FFFF share 2,047 values, so different ones can compare equal.
  private(set) var letters: [UInt16] = []
  /// For each letter, the index of the Unicode scalar of the text that it comes from.
  private(set) var scalarIndices: [Int] = []

  init(_ text: String) {
    Self.fold(text) { letter, index in
      letters.append(letter)
      scalarIndices.append(index)
    }
  }

  /// Calls `visit` with each folded letter and the index of the scalar that it comes from.
  @inline(__always)
  static func fold(_ text: String, _ visit: (UInt16, Int) -> Void) {
    var index = 0
    for scalar in text.unicodeScalars {
      let value = scalar.value
      if value < 0x80 {
        visit(UInt16(value) + (0x41...0x5A ~= value ? 0x20 : 0), index)
      } else if 0x3041...0xD7A3 ~= value {
        // Chinese, Japanese and Korean characters have neither case nor accents.
        visit(UInt16(value), index)
      } else if let known = table(value) {
        visit(known, index)
      } else {
        for letter in letters(of: scalar) { visit(letter, index) }
      }
      index += 1
    }
  }

  /// Returns the folded form of a Latin scalar from a table, or nil if it is not in the table or not a single letter.
  private static func table(_ value: UInt32) -> UInt16? { value < 0x250 ? latin[Int(value)] : nil }

  private static let latin: [UInt16?] = (0..<0x250).map { value in
    let letters = Unicode.Scalar(UInt32(value)).map(letters) ?? []
    return letters.count == 1 ? letters[0] : nil
  }

  private static func letters(of scalar: Unicode.Scalar) -> [UInt16] {
    switch scalar.value {
    // Full-width forms.
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

  /// Letters and punctuation without a canonical decomposition, with their replacements.
  private static let pairs: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŧ": "t",
    "ŋ": "n", "ĸ": "k", "ə": "e", "’": "'", "‘": "'", "–": "-", "—": "-", "ς": "σ",
  ]

  /// Letters with one or two marks, mapped to the bare letter. `Character` compares by canonical equivalence, so
  /// composed and decomposed forms need only one entry.
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
    // Vietnamese letters with two marks.
    add("aeou", ["\u{302}", "\u{306}", "\u{31B}"], ["\u{300}", "\u{301}", "\u{303}", "\u{309}", "\u{323}"])
    add("αεηιουω", ["\u{301}", "\u{308}"])
    add("е", ["\u{308}"])
    return table
  }()
}

extension FoldedText {
  /// Returns a bit set of the letters. A text that lacks a bit of a word's mask cannot contain the word.
  static func mask(_ letters: some Sequence<UInt16>) -> UInt64 { letters.reduce(0) { $0 | bit($1) } }

  static func bit(_ letter: UInt16) -> UInt64 { 1 << UInt64(letter & 63) }
}

/// The folded names of a match, concatenated. Names are folded once, when the match arrives or is renamed, so that
/// typing a filter does not fold them again.
final class SearchIndex: Sendable {
  enum Part: Sendable {
    case name, tournament, country, part, sport

    /// The parts that a plain search word is searched in.
    static let searched: [Part] = [.name, .tournament, .country, .part]
  }

  /// The maximum number of letters that are searched in each name.
  static let maxLetters = 256

  private let letters: [UInt16]
  private let ends: (UInt16, UInt16, UInt16, UInt16)
  private let masks: (UInt64, UInt64, UInt64, UInt64, UInt64)
  /// The mask of the names of both sides.
  let sidesMask: UInt64

  init(_ labels: Match.Names) {
    var letters: [UInt16] = []
    letters.reserveCapacity(96)
    func add(_ text: String) -> (end: UInt16, mask: UInt64) {
      let most = letters.count + Self.maxLetters
      var mask: UInt64 = 0
      FoldedText.fold(text) { letter, _ in
        guard letters.count < most else { return }
        letters.append(letter)
        mask |= FoldedText.bit(letter)
      }
      return (UInt16(letters.count), mask)
    }
    let (name, tournament, country) = (add(labels[.name]), add(labels[.tournament]), add(labels[.country]))
    let (part, sport) = (add(labels[.part]), add(labels[.sport]))
    ends = (name.end, tournament.end, country.end, part.end)
    masks = (name.mask, tournament.mask, country.mask, part.mask, sport.mask)
    self.letters = letters
    var sidesMask: UInt64 = 0
    for side in [labels.home, labels.away] {
      FoldedText.fold(side) { letter, _ in sidesMask |= FoldedText.bit(letter) }
    }
    self.sidesMask = sidesMask
  }

  /// Calls `body` with the letters of a part and returns its result. Returns false if the part lacks a bit of the mask.
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

extension Match.Names {
  subscript(_ searched: SearchIndex.Part) -> String {
    switch searched {
    case .name: name
    case .tournament: tournament
    case .country: category
    case .part: part
    case .sport: sport
    }
  }
}
