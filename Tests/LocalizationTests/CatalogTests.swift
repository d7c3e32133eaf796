import Resources
import Testing

@testable import Localization

@Suite struct CatalogTests {
  @Test(arguments: Language.allCases)
  func everyPhraseStandsInEveryLanguageOnceAndNothingElseDoes(_ language: Language) {
    let file = CatalogFile(of: language)
    #expect(file.faults.isEmpty)
    var expected: Set<String> = []
    for phrase in MessageKey.allCases {
      let forms = language.plurals.map { "\(phrase).\($0)" }
      let isPlural = forms.contains { file.texts[$0] != nil }
      if isPlural { expected.formUnion(forms) } else { expected.insert("\(phrase)") }
    }
    #expect(Set(file.texts.keys).subtracting(expected) == [])
    #expect(expected.subtracting(file.texts.keys) == [])
  }

  @Test(arguments: Language.allCases)
  func everyFormHasThePlacesOfTheEnglishOne(_ language: Language) {
    let english = CatalogFile(of: .english).texts
    let texts = CatalogFile(of: language).texts
    for (key, text) in texts {
      let name = String(key.prefix { $0 != "." })
      let model = english[name] ?? english["\(name).other"] ?? ""
      // The form "one" may omit the number.
      let left = placeholders(text).subtracting(key.hasSuffix(".one") ? [0] : [])
      let right = placeholders(model).subtracting(key.hasSuffix(".one") ? [0] : [])
      #expect(left == right, "\(language.rawValue): \(key)")
      #expect(!text.isEmpty, "\(language.rawValue): \(key)")
    }
  }

  private func placeholders(_ text: String) -> Set<Int> {
    guard case .template(let parts) = Catalog.Form(text) else { return [] }
    return Set(parts.compactMap { if case .placeholder(let index) = $0 { index } else { nil } })
  }

  @Test(arguments: Language.allCases)
  func whatHasPluralFormsHasThemInEachLanguage(_ language: Language) {
    func plurals(_ language: Language) -> Set<Substring> {
      Set(CatalogFile(of: language).texts.keys.filter { $0.contains(".") }.map { $0.prefix { $0 != "." } })
    }
    #expect(plurals(language) == plurals(.english))
    // The form "other" must have the number.
    let texts = CatalogFile(of: language).texts
    #expect(texts.filter { $0.key.hasSuffix(".other") }.allSatisfy { $0.value.contains("{0}") })
  }

  @Test(arguments: Language.allCases)
  func aPhraseSaysAllItsValues(_ language: Language) {
    let english = CatalogFile(Resources.words(of: "en")).texts
    let words = Catalog(language)
    for phrase in MessageKey.allCases where english["\(phrase)"] != nil {
      let values = (0..<4).map { "<\($0)>" }
      let wanted = values.filter { Catalog.english.text(LocalizedMessage(phrase, values: values)).contains($0) }
      let text = words.text(LocalizedMessage(phrase, values: values))
      #expect(wanted.allSatisfy(text.contains) && !text.contains("{0}"), "\(phrase): \(text)")
    }
  }

  @Test func whatTheSystemSaysIsMarkedAsNotOurs() {
    let sentence = LocalizedMessage(.feedUnreadable, LocalizedMessage.foreign("Is a directory"))
    #expect(Catalog(.english).text(sentence) == "cannot read the feed: Is a directory")
    #expect(Catalog(.french).text(sentence).hasSuffix(": «\u{202F}Is a directory\u{202F}»"))
    #expect(Catalog(.traditionalChinese).text(sentence) == "無法讀取資料源：「Is a directory」")
  }

  @Test func aListIsInTheFormOfTheLanguage() {
    let list = LocalizedMessage.list(["a", "b", LocalizedMessage(.quotedWords, "c")])
    #expect(Catalog(.english).text(list) == "a, b, 'c'")
    #expect(Catalog(.traditionalChinese).text(list) == "a、b、「c」")
    #expect(Catalog(.english).text(.list([])).isEmpty && Catalog(.french).text(.list(["a"])) == "a")
  }

  @Test(arguments: [
    ("fr_CA.UTF-8", Language.french), ("fr", .french), ("en-GB", .english), ("zh_TW.UTF-8", .traditionalChinese),
    ("zh-Hant", .traditionalChinese), ("zh_HK", .traditionalChinese),
  ])
  func aTagOrLocaleNamesALanguage(_ tag: String, _ language: Language) {
    #expect(Language(tag: tag) == language)
  }

  @Test(arguments: ["zh_CN.UTF-8", "zh", "zh-Hans-HK", "C", "POSIX", "de_DE", "", "frisian"])
  func whatIsNoneOfOursNamesNone(_ tag: String) {
    #expect(Language(tag: tag) == nil)
  }

  @Test func theFirstLocaleVariableThatIsSetDecides() {
    #expect(Language(environment: ["LC_ALL": "fr_FR", "LANG": "zh_TW"]) == .french)
    #expect(Language(environment: ["LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "fr_FR"]) == .traditionalChinese)
    #expect(Language(environment: ["LC_ALL": "C", "LANG": "fr_FR"]) == .english)
    #expect(Language(environment: [:]) == .english)
  }

  @Test func numbersHaveTheFormOfTheLanguage() {
    #expect(Catalog(.english).number(-1_234_567) == "-1,234,567")
    #expect(Catalog(.french).number(12_345) == "12\u{202F}345")
    #expect(Catalog(.traditionalChinese).number(999) == "999")
    #expect(Catalog(.french).decimal(2.5) == "2,5" && Catalog(.english).decimal(10) == "10.0")
  }
}
