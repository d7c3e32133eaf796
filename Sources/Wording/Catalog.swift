import Resources

/// All words of a language.
package struct Catalog: Sendable {
  /// A phrase's text, cut at its places.
  enum Form: Hashable, Sendable {
    case plain(String)
    case places([Part])
  }

  enum Part: Hashable, Sendable {
    case text(String)
    case place(Int)
  }

  package let language: Language
  /// By the phrase's raw value; one form for each of the language's plurals, or one for all.
  private let forms: [[Form]]

  package static let english = Catalog(.english)

  /// The words of a language. Its file is part of the program: where that lacks a phrase, we are wrong.
  package init(_ language: Language) {
    self.language = language
    let texts = CatalogFile(Resources.words(of: language.rawValue)).texts
    forms = Phrase.allCases.map { phrase in
      let key = "\(phrase)"
      if let text = texts[key] { return [Form(text)] }
      return language.plurals.map { plural in
        guard let text = texts["\(key).\(plural)"] else {
          preconditionFailure("Resources/\(language.rawValue).txt lacks '\(key)': add it")
        }
        return Form(text)
      }
    }
  }

  /// A phrase with its places filled in order.
  package func callAsFunction(_ phrase: Phrase, _ values: any Sayable...) -> String {
    values.isEmpty ? text(phrase, []) : text(phrase, values.map(\.value))
  }

  /// What is to be said, in this language.
  package func text(_ sentence: Sentence) -> String { text(sentence.phrase, sentence.values) }

  private func text(_ phrase: Phrase, _ values: [Sentence.Value]) -> String {
    switch form(of: phrase, values) {
    case .plain(let text): text
    case .places(let parts):
      parts.reduce(into: "") { text, part in
        switch part {
        case .text(let words): text += words
        case .place(let place): text += values.indices.contains(place) ? self.text(values[place]) : ""
        }
      }
    }
  }

  private func form(of phrase: Phrase, _ values: [Sentence.Value]) -> Form {
    let forms = forms[phrase.rawValue]
    guard forms.count > 1 else { return forms[0] }
    for case .count(let count) in values {
      return forms[language.plurals.firstIndex(of: language.plural(count)) ?? 0]
    }
    preconditionFailure("'\(phrase)' has plural forms, and is said without a count: give one")
  }

  private func text(_ value: Sentence.Value) -> String {
    switch value {
    case .text(let text): text
    case .count(let count): number(count)
    case .sentence(let sentence): text(sentence)
    }
  }

  /// A whole number with its groups of three digits.
  package func number(_ count: Int) -> String {
    if count.magnitude < 1000 { return "\(count)" }
    return (count < 0 ? "-" : "") + grouped("\(count.magnitude)")
  }

  /// Digits, with the separator between groups of three.
  package func grouped(_ digits: String) -> String {
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place).isMultiple(of: 3) { text.append(language.groupSeparator) }
      text.append(digit)
    }
    return text
  }
}

extension Catalog.Form {
  /// `{0}` is the first place; other braces are themselves.
  init(_ text: String) {
    var parts: [Catalog.Part] = []
    var words = ""
    var rest = text[...]
    while let brace = rest.firstIndex(of: "{") {
      words += rest[..<brace]
      let inside = rest[rest.index(after: brace)...].prefix { $0 != "}" }
      if let place = Int(inside), inside.endIndex < rest.endIndex {
        if !words.isEmpty { parts.append(.text(words)) }
        words = ""
        parts.append(.place(place))
        rest = rest[rest.index(after: inside.endIndex)...]
      } else {
        words.append("{")
        rest = rest[rest.index(after: brace)...]
      }
    }
    words += rest
    if parts.isEmpty {
      self = .plain(words)
    } else {
      self = .places(words.isEmpty ? parts : parts + [.text(words)])
    }
  }
}
