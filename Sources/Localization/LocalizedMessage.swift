/// A message with its arguments, independent of the language in which it is shown.
package struct LocalizedMessage: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    /// Text that is not translated: a name, a path, a text from another party.
    case text(String)
    /// A number, formatted for the language. The first count of a message selects its plural form.
    case count(Int)
    /// A number with decimals, formatted for the language.
    case decimal(Double)
    indirect case sentence(LocalizedMessage)
  }

  let phrase: MessageKey
  let values: [Value]

  /// Creates a message with its placeholders filled in order, `{0}` first.
  package init(_ phrase: MessageKey, _ values: any MessageArgument...) { self.init(phrase, values: values) }

  package init(_ phrase: MessageKey, values: [any MessageArgument]) {
    self.phrase = phrase
    self.values = values.map(\.value)
  }

  /// The name of the message, which is the same in every language. A problem with a reason, or with the peer's words,
  /// has the problem's name.
  package var code: String {
    if phrase == .problemReason || phrase == .problemSaid, case .sentence(let problem)? = values.first {
      return problem.code
    }
    return "\(phrase)"
  }

  /// Returns a message with a text that is the same in every language.
  package static func verbatim(_ text: String) -> LocalizedMessage { LocalizedMessage(.verbatim, text) }

  /// Returns a message with the items as a list in the language of the reader. Empty if there are none.
  package static func list(_ items: [any MessageArgument]) -> LocalizedMessage {
    guard let first = items.first else { return .verbatim("") }
    return items.dropFirst().reduce(LocalizedMessage(.verbatim, first)) { LocalizedMessage(.listedWords, $0, $1) }
  }

  /// Returns a message with an English text of the system or of a library, marked as foreign within a sentence.
  package static func foreign(_ text: String) -> LocalizedMessage { LocalizedMessage(.quotedServerText, text) }
}

/// A type whose values can be arguments of a message.
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
  /// The English text, for logs and for users of the libraries.
  package var description: String { Catalog.english.text(self) }
}

/// An error with a description in every language.
package protocol LocalizedMessageError: Error, CustomStringConvertible {
  var sentence: LocalizedMessage { get }
}

extension LocalizedMessageError {
  /// The English text, for logs and for users of the libraries.
  package var description: String { sentence.description }
}
