import Dashboard
import Localization
import TerminalCore

/// The command of alerts: a program and its arguments, in which `{match}` and other names stand for values of an alert.
///
/// A value becomes part of one argument. It is never read as a name itself, as an option or by a shell.
struct CommandTemplate: Hashable, Sendable {
  /// The arguments as they were written, beginning with the program.
  let source: [String]
  private let arguments: [TextTemplate]

  /// Parses a command.
  ///
  /// - Throws: `CommandTemplateError` if the command is empty, if a name does not exist, or if a value is in a place
  ///   where it would be read as a program.
  init(_ source: [String]) throws(CommandTemplateError) {
    guard let program = source.first, !program.isEmpty else { throw .init(.configCommandEmpty) }
    self.source = source
    var arguments: [TextTemplate] = []
    for text in source { arguments.append(try Self.template(text)) }
    self.arguments = arguments
    func hasValue(_ index: Int) -> Bool {
      arguments[index].parts.contains { if case .value = $0 { true } else { false } }
    }
    if hasValue(0) { throw .init(.configCommandProgram, program.cleaned) }
    for (index, argument) in source.enumerated().dropFirst() where hasValue(index) {
      if let reader = Interpreter.reader(of: argument, after: source[..<index]) {
        throw .init(.configCommandScript, argument.cleaned, reader.cleaned)
      }
    }
  }

  private static func template(_ text: String) throws(CommandTemplateError) -> TextTemplate {
    do throws(TextTemplate.UnknownName) {
      return try TextTemplate(text, names: AlertLogEntry.names)
    } catch {
      throw .init(
        .configCommandName, "{\(error.name)}", LocalizedMessage.list(AlertLogEntry.names.map { "{\($0)}" }), "{{")
    }
  }

  /// Returns the program and its arguments for an alert. A value that would make an argument an option gets a space
  /// before it, unless `--` has ended the options.
  func arguments(for entry: AlertLogEntry) -> [String] {
    let values = entry.values
    var hasEndedOptions = false
    return zip(arguments, source).map { template, source in
      let text = template.text(values)
      defer { if source == "--" { hasEndedOptions = true } }
      guard case .value? = template.parts.first, text.hasPrefix("-"), !hasEndedOptions else { return text }
      return " \(text)"
    }
  }

  /// Returns the values of an alert as variables of the environment: `TOTEBOARD_MATCH_ID=100`.
  static func variables(for entry: AlertLogEntry) -> [String] {
    zip(AlertLogEntry.names, entry.values).map { "\(variable($0))=\($1)" }
  }

  /// The prefix of the variables. Variables of the program itself, among them secrets, are not passed on.
  static let variablePrefix = "TOTEBOARD_"

  private static func variable(_ name: String) -> String {
    variablePrefix + name.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
  }
}

struct CommandTemplateError: LocalizedMessageError {
  let sentence: LocalizedMessage

  fileprivate init(_ key: MessageKey, _ values: any MessageArgument...) {
    sentence = LocalizedMessage(key, values: values)
  }
}
