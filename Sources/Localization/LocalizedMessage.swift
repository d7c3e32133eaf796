/// Something to be said, before it is known in which language: a phrase and what fills its places.
package struct LocalizedMessage: Hashable, Sendable {
  /// What fills a place.
  package enum Value: Hashable, Sendable {
    /// As it is: a name, a path, what somebody else said.
    case text(String)
    /// A number, in the form of the language; the first count of a phrase chooses its plural form.
    case count(Int)
    /// A number with decimals, in the form of the language.
    case decimal(Double)
    indirect case sentence(LocalizedMessage)
  }

  let phrase: MessageKey
  let values: [Value]

  /// A phrase with its places filled in order, `{0}` first.
  package init(_ phrase: MessageKey, _ values: any MessageArgument...) {
    self.init(phrase, values: values)
  }

  package init(_ phrase: MessageKey, values: [any MessageArgument]) {
    self.phrase = phrase
    self.values = values.map(\.value)
  }

  /// Words that are somebody else's, and the same in every language.
  package static func verbatim(_ text: String) -> LocalizedMessage { LocalizedMessage(.verbatim, text) }

  /// Words one after the other; no words of none.
  package static func list(_ items: [any MessageArgument]) -> LocalizedMessage {
    guard let first = items.first else { return .verbatim("") }
    return items.dropFirst().reduce(LocalizedMessage(.verbatim, first)) { LocalizedMessage(.listedWords, $0, $1) }
  }

  /// What the system or a library says, in English whatever we speak: part of a sentence of ours, marked as not ours.
  package static func foreign(_ text: String) -> LocalizedMessage { LocalizedMessage(.foreignWords, text) }
}

/// What can fill a place of a phrase.
package protocol MessageArgument {
  var value: LocalizedMessage.Value { get }
}

extension String: MessageArgument {
  package var value: LocalizedMessage.Value { .text(self) }
}

extension Int: MessageArgument {
  package var value: LocalizedMessage.Value { .count(self) }
}

extension Double: MessageArgument {
  package var value: LocalizedMessage.Value { .decimal(self) }
}

extension LocalizedMessage: MessageArgument {
  package var value: Value { .sentence(self) }
}

extension MessageKey: MessageArgument {
  package var value: LocalizedMessage.Value { .sentence(LocalizedMessage(self)) }
}

extension LocalizedMessage: CustomStringConvertible {
  /// In English, for logs and for who uses the libraries.
  package var description: String { Catalog.english.text(self) }
}

/// An error that can be told in every language.
package protocol LocalizedMessageError: Error, CustomStringConvertible {
  var sentence: LocalizedMessage { get }
}

extension LocalizedMessageError {
  /// In English, for logs and for who uses the libraries.
  package var description: String { sentence.description }
}
