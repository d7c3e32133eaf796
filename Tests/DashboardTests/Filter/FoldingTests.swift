import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The search in names: text folding and fuzzy words.
struct FoldingTests {
  @Test(
    "Folding removes case, accents, marks and width",
    arguments: [
      ("Atlético Madrid", "atletico madrid"), ("BEŞİKTAŞ", "besiktas"), ("Fenerbahçe", "fenerbahce"),
      ("Śląsk Wrocław", "slask wroclaw"), ("Győri ETO", "gyori eto"), ("Brøndby", "brondby"), ("Straße", "strasse"),
      ("Đà Nẵng", "da nang"), ("e\u{301}\u{323}", "e"), ("ＡＣ米蘭　２", "ac米蘭 2"), ("Нижний Ё", "нижний е"),
      ("Άρης", "αρησ"), ("a\u{202F}b", "a b"), ("☂\u{FE0F}", "☂"), ("", ""),
    ])
  func folding(text: String, folded: String) {
    #expect(FoldedText(text).letters == Array(folded.utf16), "\(text)")
    let count = text.unicodeScalars.count
    #expect(FoldedText(text).scalarIndices.allSatisfy { 0..<count ~= $0 })
  }

  @Test("Each folded letter has the index of its scalar, also if a scalar becomes two letters or none")
  func places() {
    #expect(FoldedText("ße\u{301}x").scalarIndices == [0, 0, 1, 3])
  }

  @Test(
    "A word is found as contiguous letters, at the starts of words, or with few letters in between",
    arguments: [
      ("ars", "Arsenal - Chelsea", [0, 1, 2]), ("chel", "Arsenal - Chelsea", [10, 11, 12, 13]),
      ("mnu", "Manchester United", [0, 2, 11]), ("manutd", "Manchester United", [0, 1, 2, 11, 14, 16]),
      ("psg", "Paris Saint-Germain", [0, 6, 12]), ("rmd", "Real Madrid", [0, 5, 7]), ("ars", "Paris", [1, 2, 4]),
      ("atl", "Club Atlético", [5, 6, 7]), ("国安", "北京国安 - 上海海港", [2, 3]), ("北海", "北京国安 - 上海海港", [0, 8]),
      ("x", "Ajax", [3]), ("ajax", "Ajax - Ajax", [0, 1, 2, 3]),
    ] as [(String, String, [Int])])
  func fuzzy(word: String, text: String, places: [Int]) {
    #expect(FuzzyWord(word).matchedIndices(in: FoldedText(text).letters) == places)
  }

  @Test(
    "A word is not found if its letters are too far apart or in another order",
    arguments: [
      ("ars", "Marítimo - Estoril"), ("sra", "Arsenal"), ("arsenall", "Arsenal"), ("z", "Arsenal"),
      ("sl", "Arsenal"), ("jx", "Ajax"), ("海北", "北京国安 - 上海海港"), ("a", ""),
    ])
  func unfit(word: String, text: String) {
    #expect(FuzzyWord(word).matchedIndices(in: FoldedText(text).letters) == nil)
  }

  @Test("A quoted word is found only as contiguous text")
  func exact() {
    let text = FoldedText("Hapoel Tel-Aviv").letters
    #expect(FuzzyWord("tel-a", isExact: true).matchedIndices(in: text) == [7, 8, 9, 10, 11])
    #expect(FuzzyWord("tela", isExact: true).matchedIndices(in: text) == nil)
    #expect(FuzzyWord("", isExact: true).matchedIndices(in: text) == [])
  }

  @Test("A word fits if its cheapest placement in the text is cheap enough, and its places are such a placement")
  func law() {
    var fitting = 0
    var tooFar = 0
    for seed in Laws.seeds(3000) {
      var random = SeededRandom(seed: seed)
      func letters(of alphabet: String, count: ClosedRange<Int>) -> String {
        String((0..<Int.random(in: count, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
      }
      let text = letters(of: "abAé1 -国", count: 0...21)
      let typed = letters(of: "abe国", count: 1...5)
      let (folded, word) = (FoldedText(text).letters, FuzzyWord(typed))
      let slow = SlowFuzzyWord(letters: word.letters, text: folded)
      let placements = slow.placements
      let places = word.matchedIndices(in: folded)
      #expect((places != nil) == slow.fits, "'\(typed)' in '\(text)'")
      #expect(folded.withUnsafeBufferPointer(word.matches) == slow.fits, "'\(typed)' in '\(text)'")
      if let places {
        #expect(placements.contains(places), "'\(typed)' in '\(text)'")
        #expect(slow.cost(of: places) == placements.map(slow.cost).min(), "'\(typed)' in '\(text)'")
        fitting += 1
      } else if !placements.isEmpty {
        tooFar += 1
      }
      if FuzzyWord(typed, isExact: true).matchedIndices(in: folded) != nil { #expect(places != nil) }
      if word.mask & ~FoldedText.mask(folded) != 0 { #expect(places == nil) }
    }
    #expect(fitting > 300 && tooFar > 50)
  }

  @Test("Names are folded when a match is added or renamed, not when its prices change")
  func names() {
    let old = MatchRow(.football(), now: .zero, newest: nil)
    var row = old
    row.apply(.football(odds: ["9", "3", "4"]), now: .zero, newest: nil, odds: .decimal)
    #expect(row.names === old.names)
    row.apply(.football(100, "Ajax - Metz"), now: .zero, newest: nil, odds: .decimal)
    #expect(row.names !== old.names)
    #expect(row.names.with(.name, having: 0, FuzzyWord("metz").matches))
  }
}
