import Resources
import Testing

@testable import Localization

@Suite("The texts of each language")
struct CatalogTests {
  private static let translations = Language.allCases.filter { $0 != .english }

  @Test("A language has exactly the texts of the message keys, each once", arguments: Language.allCases)
  func keys(language: Language) {
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

  @Test("No text is empty, and each has the placeholders of the English text", arguments: Language.allCases)
  func placeholders(language: Language) {
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

  @Test("The plural form 'other' has the number", arguments: Language.allCases)
  func others(language: Language) {
    let texts = CatalogFile(of: language).texts
    #expect(texts.filter { $0.key.hasSuffix(".other") }.allSatisfy { $0.value.contains("{0}") })
  }

  @Test("A translation has plural forms for the same message keys as English", arguments: translations)
  func plurals(language: Language) {
    func plurals(_ language: Language) -> Set<Substring> {
      Set(CatalogFile(of: language).texts.keys.filter { $0.contains(".") }.map { $0.prefix { $0 != "." } })
    }
    #expect(plurals(language) == plurals(.english))
  }

  @Test("A message has the value of each placeholder of the English text", arguments: Language.allCases)
  func values(language: Language) {
    let english = CatalogFile(Resources.words(of: "en")).texts
    let words = Catalog(language)
    for phrase in MessageKey.allCases {
      guard let model = english["\(phrase)"] else { continue }
      let values = (0..<5).map { "<\($0)>" }
      let wanted = values.indices.filter { model.contains("{\($0)}") }.map { values[$0] }
      let text = words.text(LocalizedMessage(phrase, values: values))
      #expect(wanted.allSatisfy(text.contains) && !text.contains("{0}"), "\(phrase): \(text)")
    }
  }

  @Test("A text of the system is marked as a quotation unless the language is English")
  func foreign() {
    let sentence = LocalizedMessage(.feedUnreadable, LocalizedMessage.foreign("Is a directory"))
    #expect(Catalog(.english).text(sentence) == "cannot read the feed: Is a directory")
    #expect(Catalog(.french).text(sentence).hasSuffix(": «\u{202F}Is a directory\u{202F}»"))
    #expect(Catalog(.traditionalChinese).text(sentence) == "無法讀取資料源：「Is a directory」")
  }

  @Test("A list has the separators of the language")
  func list() {
    let list = LocalizedMessage.list(["a", "b", LocalizedMessage(.quotedWords, "c")])
    #expect(Catalog(.english).text(list) == "a, b, 'c'")
    #expect(Catalog(.traditionalChinese).text(list) == "a、b、「c」")
    #expect(Catalog(.english).text(.list([])).isEmpty && Catalog(.french).text(.list(["a"])) == "a")
  }

  @Test(
    "The language of a tag or a locale is found",
    arguments: [
      ("fr_CA.UTF-8", Language.french), ("fr", .french), ("en-GB", .english), ("zh_TW.UTF-8", .traditionalChinese),
      ("zh-Hant", .traditionalChinese), ("zh_HK", .traditionalChinese),
    ])
  func tag(_ tag: String, _ language: Language) {
    #expect(Language(tag: tag) == language)
  }

  @Test(
    "A tag or a locale of another language gives no language",
    arguments: ["zh_CN.UTF-8", "zh", "zh-Hans-HK", "C", "POSIX", "de_DE", "", "frisian"])
  func otherTag(tag: String) {
    #expect(Language(tag: tag) == nil)
  }

  @Test("The first locale variable that is set and not empty decides the language")
  func environment() {
    #expect(Language(environment: ["LC_ALL": "fr_FR", "LANG": "zh_TW"]) == .french)
    #expect(Language(environment: ["LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "fr_FR"]) == .traditionalChinese)
    #expect(Language(environment: ["LC_ALL": "C", "LANG": "fr_FR"]) == .english)
    #expect(Language(environment: [:]) == .english)
  }

  @Test("Numbers have the separators of the language")
  func numbers() {
    #expect(Catalog(.english).number(-1_234_567) == "-1,234,567")
    #expect(Catalog(.french).number(12_345) == "12\u{202F}345")
    #expect(Catalog(.traditionalChinese).number(999) == "999")
    #expect(Catalog(.french).decimal(2.5) == "2,5" && Catalog(.english).decimal(10) == "10.0")
  }
}
