/// All messages in one language.
package struct Catalog: Sendable {
  package let language: Language
  /// The decimal separator, an ASCII character.
  package let decimalPoint: UInt8
  /// The separator between groups of three digits.
  private let groupSeparator: String
  /// The forms, by the index of the message key.
  private let forms: [Form]

  package static let english = Catalog(reading: .english)
  private static let french = Catalog(reading: .french)
  private static let traditionalChinese = Catalog(reading: .traditionalChinese)

  /// Creates the catalog of a language. The file of the language is read once.
  package init(_ language: Language) {
    switch language {
    case .english: self = .english
    case .french: self = .french
    case .traditionalChinese: self = .traditionalChinese
    }
  }

  /// Loads the messages of a language from its file, a part of the program. Traps if the file lacks a message.
  private init(reading language: Language) {
    let file = CatalogFile(of: language)
    self.init(
      language, groupSeparator: language.groupSeparator,
      forms: MessageKey.allCases.enumerated().map { index, phrase in
        precondition(phrase.index == index, "a MessageKey is not stored as the number of the cases before it")
        // NB: The raw value is a constant; describing a case looks its name up.
        let key = phrase.rawValue
        if let form = file.text(of: key, Form.init(utf8:)) { return form }
        return .plurals(
          language.plurals.map { plural in
            guard let form = file.text(of: "\(key).\(plural.rawValue)", Form.init(utf8:)) else {
              preconditionFailure("Resources/\(language.rawValue).txt lacks '\(key)': add it")
            }
            return form
          })
      })
  }

  private init(_ language: Language, groupSeparator: String, forms: [Form]) {
    self.language = language
    self.groupSeparator = groupSeparator
    self.forms = forms
    decimalPoint = language.decimalSeparator.asciiValue!
  }

  /// The same catalog in ASCII: accents are removed. Chinese has no ASCII form and is replaced by English.
  package var ascii: Catalog {
    language == .traditionalChinese
      ? .english.ascii
      : Catalog(
        language, groupSeparator: groupSeparator.inASCII, forms: forms.map { form in form.mapTexts { $0.inASCII } })
  }

  /// Returns a message with its placeholders filled in order.
  package func callAsFunction(_ phrase: MessageKey, _ values: any MessageArgument...) -> String {
    values.isEmpty ? text(phrase, []) : text(phrase, values.map(\.value))
  }

  package func text(_ sentence: LocalizedMessage) -> String { text(sentence.phrase, sentence.values) }

  /// Returns several messages joined by one with two placeholders. Empty if there are none.
  package func text(_ sentences: [LocalizedMessage], joinedBy phrase: MessageKey) -> String {
    guard let first = sentences.first else { return "" }
    return sentences.dropFirst().reduce(text(first)) { self(phrase, $0, $1) }
  }

  private func text(_ phrase: MessageKey, _ values: [LocalizedMessage.Value]) -> String {
    switch form(of: phrase, values) {
    case .plain(let text): return text
    case .template(let parts):
      var text = ""
      for part in parts {
        switch part {
        case .text(let words): text += words
        case .placeholder(let index): if values.indices.contains(index) { text += self.text(values[index]) }
        }
      }
      return text
    case .plurals: preconditionFailure("'\(phrase)' has plural forms in its plural forms")
    }
  }

  private func form(of phrase: MessageKey, _ values: [LocalizedMessage.Value]) -> Form {
    guard case .plurals(let forms) = forms[phrase.index] else { return forms[phrase.index] }
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

  /// Returns a whole number with separators between groups of three digits.
  package func number(_ count: Int) -> String {
    if count.magnitude < 1000 { return "\(count)" }
    return (count < 0 ? "-" : "") + grouped("\(count.magnitude)")
  }

  /// Returns a number with its decimals and the language's decimal separator.
  package func decimal(_ number: Double) -> String {
    "\(number)".replacing(".", with: String(UnicodeScalar(decimalPoint)))
  }

  /// Returns digits with separators between groups of three.
  package func grouped(_ digits: String) -> String {
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += groupSeparator }
      text.append(digit)
    }
    return text
  }
}

extension MessageKey {
  /// The number of cases before this one.
  ///
  /// NB: The layout of an enumeration without values, which `Catalog` checks. A lookup by name would take longer.
  var index: Int { Int(unsafeBitCast(self, to: UInt16.self)) }
}
