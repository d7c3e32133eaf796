import OddsModel

/// The folded names of a match, concatenated. Names are folded once, when the match arrives or is renamed, so that
/// typing a filter does not fold them again.
final class SearchIndex: Sendable {
  enum Part: Sendable {
    case name, tournament, country, part, sport

    /// The parts that a plain search word is searched in.
    static let searched: [Part] = [.name, .tournament, .country, .part]
  }

  /// The maximum number of letters that are searched in each name.
  static let mostLetters = 256

  private let letters: [UInt16]
  private let ends: (UInt16, UInt16, UInt16, UInt16)
  private let masks: (UInt64, UInt64, UInt64, UInt64, UInt64)

  init(_ labels: Match.Names) {
    var letters: [UInt16] = []
    letters.reserveCapacity(96)
    func add(_ text: String) -> (end: UInt16, mask: UInt64) {
      let most = letters.count + Self.mostLetters
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
