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
    #expect(FoldedText(text).places.allSatisfy { 0..<count ~= $0 })
  }

  @Test("Each folded letter has the index of its scalar, also if a scalar becomes two letters or none")
  func places() {
    #expect(FoldedText("ße\u{301}x").places == [0, 0, 1, 3])
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
    #expect(FuzzyWord(word).places(in: FoldedText(text).letters) == places)
  }

  @Test(
    "A word is not found if its letters are too far apart or in another order",
    arguments: [
      ("ars", "Marítimo - Estoril"), ("sra", "Arsenal"), ("arsenall", "Arsenal"), ("z", "Arsenal"),
      ("sl", "Arsenal"), ("jx", "Ajax"), ("海北", "北京国安 - 上海海港"), ("a", ""),
    ])
  func unfit(word: String, text: String) {
    #expect(FuzzyWord(word).places(in: FoldedText(text).letters) == nil)
  }

  @Test("A quoted word is found only as contiguous text")
  func exact() {
    let text = FoldedText("Hapoel Tel-Aviv").letters
    #expect(FuzzyWord("tel-a", isExact: true).places(in: text) == [7, 8, 9, 10, 11])
    #expect(FuzzyWord("tela", isExact: true).places(in: text) == nil)
    #expect(FuzzyWord("", isExact: true).places(in: text) == [])
  }

  @Test(
    "A word matches only if its letters occur in order, and an exact match is also a fuzzy match", arguments: 0..<200)
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let text = (0..<Int.random(in: 0..<24, using: &random)).map { _ in "abc é-".randomElement(using: &random)! }
    let word = (0..<Int.random(in: 1..<5, using: &random)).map { _ in "abce".randomElement(using: &random)! }
    let (folded, wanted) = (FoldedText(String(text)).letters, FuzzyWord(String(word)))
    let places = wanted.places(in: folded)
    #expect(folded.withUnsafeBufferPointer(wanted.matches) == (places != nil))
    if let places {
      #expect(places.map { folded[$0] } == wanted.letters)
      #expect(zip(places, places.dropFirst()).allSatisfy(<))
    }
    if FuzzyWord(String(word), isExact: true).places(in: folded) != nil { #expect(places != nil) }
    let mask = FoldedText.mask(folded)
    if wanted.mask & ~mask != 0 { #expect(places == nil) }
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
