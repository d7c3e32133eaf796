/// Something to be said, before it is known in which language: a phrase and what fills its places.
package struct Sentence: Hashable, Sendable {
  /// What fills a place.
  package enum Value: Hashable, Sendable {
    /// As it is: a name, a path, what somebody else said.
    case text(String)
    /// A number, in the form of the language; the first count of a phrase chooses its plural form.
    case count(Int)
    /// A number with decimals, in the form of the language.
    case decimal(Double)
    indirect case sentence(Sentence)
  }

  let phrase: Phrase
  let values: [Value]

  /// A phrase with its places filled in order, `{0}` first.
  package init(_ phrase: Phrase, _ values: any Sayable...) {
    self.init(phrase, values: values)
  }

  package init(_ phrase: Phrase, values: [any Sayable]) {
    self.phrase = phrase
    self.values = values.map(\.value)
  }

  /// Words that are somebody else's, and the same in every language.
  package static func verbatim(_ text: String) -> Sentence { Sentence(.verbatim, text) }

  /// Words one after the other; no words of none.
  package static func list(_ items: [any Sayable]) -> Sentence {
    guard let first = items.first else { return .verbatim("") }
    return items.dropFirst().reduce(Sentence(.verbatim, first)) { Sentence(.listedWords, $0, $1) }
  }

  /// What the system or a library says, in English whatever we speak: part of a sentence of ours, marked as not ours.
  package static func foreign(_ text: String) -> Sentence { Sentence(.foreignWords, text) }
}

/// What can fill a place of a phrase.
package protocol Sayable {
  var value: Sentence.Value { get }
}

extension String: Sayable {
  package var value: Sentence.Value { .text(self) }
}

extension Int: Sayable {
  package var value: Sentence.Value { .count(self) }
}

extension Double: Sayable {
  package var value: Sentence.Value { .decimal(self) }
}

extension Sentence: Sayable {
  package var value: Value { .sentence(self) }
}

extension Phrase: Sayable {
  package var value: Sentence.Value { .sentence(Sentence(self)) }
}

extension Sentence: CustomStringConvertible {
  /// In English, for logs and for who uses the libraries.
  package var description: String { Catalog.english.text(self) }
}

/// An error that can be told in every language.
package protocol TellableError: Error, CustomStringConvertible {
  var sentence: Sentence { get }
}

extension TellableError {
  /// In English, for logs and for who uses the libraries.
  package var description: String { sentence.description }
}
