import ArgumentParser
import Localization
import ProgramArguments
import TerminalCore

/// The language of the program's messages.
enum CLILanguage {
  /// The messages of the language. Chosen once, before the arguments are parsed, because parse errors use it.
  static let words = Catalog(language)

  private static let language = language(arguments: CommandLine.arguments, environment: environment())

  /// The supported languages, for messages.
  static var choices: LocalizedMessage { .list(Language.allCases.map(\.rawValue)) }

  /// Returns the supported language of the last argument that has one, of the configuration, or of the environment.
  static func language(arguments: [String], environment: [String: String]) -> Language {
    let arguments = ArgumentList(Array(arguments.dropFirst()))
    let chosen = arguments.values(of: "--language").compactMap { Language(tag: $0) }.last
    let file = ConfigFile(arguments.values(of: "--config").last, environment: environment)
    return chosen ?? file?.language ?? Language(environment: environment)
  }
}

/// The language option of every command. `CLILanguage` reads its value; this type only checks it.
struct LanguageOption: ParsableArguments {
  @Option(help: .phrase(.optionLanguage, valueName: "tag"))
  var language: String?

  mutating func validate() throws {
    guard let language, Language(tag: language) == nil else { return }
    throw ValidationError(.usageUnknownLanguage, language.cleaned, CLILanguage.choices)
  }
}
