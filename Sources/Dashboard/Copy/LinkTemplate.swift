package import Localization
import Platform
import TerminalCore

/// The address of a web page about a match or an outcome, in which names in braces stand for values.
package struct LinkTemplate: Hashable, Sendable {
  /// The names that a template can contain. Their values are percent-encoded in a link.
  enum Value: String, CaseIterable {
    case match, market, outcome, name, home, away, sport, tournament, country
  }

  /// The template as it was written.
  package let source: String
  private let template: TextTemplate

  /// Parses a template.
  ///
  /// - Throws: `LinkTemplateError` for a text that is not an address of a web page, and for a name that does not exist.
  package init(_ source: String) throws(LinkTemplateError) {
    let hasScheme = ["http://", "https://"].contains { source.lowercased().hasPrefix($0) && source.count > $0.count }
    guard hasScheme, source.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else {
      throw LinkTemplateError(sentence: LocalizedMessage(.configNoLink, source.cleaned))
    }
    self.source = source
    do throws(TextTemplate.UnknownName) {
      template = try TextTemplate(source, names: Value.allCases.map(\.rawValue))
    } catch {
      let names = LocalizedMessage.list(Value.allCases.map { "{\($0.rawValue)}" })
      throw LinkTemplateError(sentence: LocalizedMessage(.configLinkName, "{\(error.name)}", names))
    }
  }

  /// Returns the link; nil if one of its values is missing.
  func link(_ values: [Value: String]) -> String? {
    for case .value(let index) in template.parts where values[Value.allCases[index]] == nil { return nil }
    return template.text(Value.allCases.map { values[$0]?.percentEncoded ?? "" })
  }
}

package struct LinkTemplateError: LocalizedMessageError {
  package let sentence: LocalizedMessage
}
