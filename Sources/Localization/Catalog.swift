/// All words of a language.
package struct Catalog: Sendable {
  package let language: Language
  /// What stands before the decimals, an ASCII character.
  package let decimalPoint: UInt8
  /// What stands between groups of three digits.
  private let groupSeparator: String
  /// By the phrase's raw value.
  private let forms: [Form]

  package static let english = Catalog(.english)

  /// The words of a language. Its file is part of the program: where that lacks a phrase, we are wrong.
  package init(_ language: Language) {
    let texts = CatalogFile(of: language).texts
    self.init(
      language, groupSeparator: language.groupSeparator,
      forms: MessageKey.allCases.map { phrase in
        let key = "\(phrase)"
        if let text = texts[key] { return Form(text) }
        return .plurals(
          language.plurals.map { plural in
            guard let text = texts["\(key).\(plural)"] else {
              preconditionFailure("Resources/\(language.rawValue).txt lacks '\(key)': add it")
            }
            return Form(text)
          })
      })
  }

  private init(_ language: Language, groupSeparator: String, forms: [Form]) {
    self.language = language
    self.groupSeparator = groupSeparator
    self.forms = forms
    decimalPoint = language.decimalSeparator.asciiValue!
  }

  /// What a terminal of ASCII characters can show of these words: they lose their accents. Chinese has nothing to lose,
  /// and gives way to English.
  package var ascii: Catalog {
    language == .traditionalChinese
      ? .english.ascii
      : Catalog(
        language, groupSeparator: groupSeparator.inASCII, forms: forms.map { form in form.mapTexts { $0.inASCII } })
  }

  /// A phrase with its places filled in order.
  package func callAsFunction(_ phrase: MessageKey, _ values: any MessageArgument...) -> String {
    values.isEmpty ? text(phrase, []) : text(phrase, values.map(\.value))
  }

  /// What is to be said, in this language.
  package func text(_ sentence: LocalizedMessage) -> String { text(sentence.phrase, sentence.values) }

  /// Several things in one: a phrase with two places joins them.
  package func text(_ sentences: [LocalizedMessage], joinedBy phrase: MessageKey) -> String {
    guard let first = sentences.first else { return "" }
    return sentences.dropFirst().reduce(text(first)) { self(phrase, $0, $1) }
  }

  private func text(_ phrase: MessageKey, _ values: [LocalizedMessage.Value]) -> String {
    switch form(of: phrase, values) {
    case .plain(let text): return text
    case .places(let parts):
      var text = ""
      for part in parts {
        switch part {
        case .text(let words): text += words
        case .place(let place): if values.indices.contains(place) { text += self.text(values[place]) }
        }
      }
      return text
    case .plurals: preconditionFailure("'\(phrase)' has plural forms in its plural forms")
    }
  }

  private func form(of phrase: MessageKey, _ values: [LocalizedMessage.Value]) -> Form {
    guard case .plurals(let forms) = forms[phrase.rawValue] else { return forms[phrase.rawValue] }
    for case .count(let count) in values {
      return forms[language.plurals.firstIndex(of: language.plural(count)) ?? 0]
    }
    preconditionFailure("'\(phrase)' has plural forms, and is said without a count: give one")
  }

  private func text(_ value: LocalizedMessage.Value) -> String {
    switch value {
    case .text(let text): text
    case .count(let count): number(count)
    case .decimal(let number): decimal(number)
    case .sentence(let sentence): text(sentence)
    }
  }

  /// A whole number with its groups of three digits.
  package func number(_ count: Int) -> String {
    if count.magnitude < 1000 { return "\(count)" }
    return (count < 0 ? "-" : "") + grouped("\(count.magnitude)")
  }

  /// A number with the decimals that it has.
  package func decimal(_ number: Double) -> String {
    "\(number)".replacing(".", with: String(UnicodeScalar(decimalPoint)))
  }

  /// Digits, with the separator between groups of three.
  package func grouped(_ digits: String) -> String {
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place).isMultiple(of: 3) { text += groupSeparator }
      text.append(digit)
    }
    return text
  }
}
