/// A text in which names in braces stand for values: `{match}`. Two braces stand for one.
package struct TextTemplate: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case text(String)
    /// The index of a value, which is that of its name.
    case value(Int)
  }

  /// An error for a name that does not exist.
  package struct UnknownName: Error {
    package let name: String
  }

  package let parts: [Part]

  /// Parses a template. `names` are the names that it may contain. Other braces stand for themselves.
  package init(_ text: String, names: [String]) throws(UnknownName) {
    var parts: [Part] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.first {
      if rest.hasPrefix("{{") || rest.hasPrefix("}}") {
        literal.append(character)
        rest = rest.dropFirst(2)
        continue
      }
      let name = rest.dropFirst().prefix { $0.isASCII && $0.isLetter }
      guard character == "{", !name.isEmpty, rest.dropFirst(name.count + 1).first == "}" else {
        literal.append(character)
        rest = rest.dropFirst()
        continue
      }
      guard let index = names.firstIndex(of: String(name)) else { throw UnknownName(name: String(name)) }
      if !literal.isEmpty { parts.append(.text(literal)) }
      literal = ""
      parts.append(.value(index))
      rest = rest.dropFirst(name.count + 2)
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
    self.parts = parts
  }

  /// Returns the text with values in place of their names.
  package func text(_ values: [String]) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .value(let index): values[index]
      }
    }.joined()
  }
}
