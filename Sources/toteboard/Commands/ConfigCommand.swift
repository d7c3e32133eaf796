import ArgumentParser
import Dashboard
import Localization
import TerminalCore

/// The command `toteboard config`: prints the configuration file's path or default content, or checks the file.
struct Config: ParsableCommand {
  enum Task: String, EnumerableFlag {
    case printDefault, check, path

    static func help(for value: Task) -> ArgumentHelp? {
      switch value {
      case .printDefault: .phrase(.optionPrintDefault)
      case .check: .phrase(.optionCheck)
      case .path: .phrase(.optionPath)
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "config", abstract: CLILanguage.words(.aboutConfig),
    discussion: CLILanguage.words(.aboutConfigMore))

  @Flag(exclusivity: .exclusive)
  var task = Task.path

  @Argument(help: .phrase(.optionCheckFile))
  var file: String?

  @OptionGroup var speech: LanguageOption

  mutating func validate() throws {
    if let file, task != .check { throw ValidationError(.usageCheckOnly, file.cleaned) }
  }

  mutating func run() throws {
    if task == .printDefault { return try Output.send(ConfigText.defaults(CLILanguage.words).utf8) }
    guard let file = ConfigFile(file, environment: environment()) else { throw CommandError(.failureNoHome) }
    if task == .path { return try Output.send(Array(file.path.utf8) + [0x0A]) }
    let text: String?
    do throws(ConfigError) { text = try file.text() } catch {
      throw ValidationError(CLILanguage.words.text(error.sentence(file.path)))
    }
    guard let text else { return try show(.configMissing, file) }
    let faults = ConfigReader(text).faults
    if faults.isEmpty { return try show(.configValid, file) }
    for fault in faults { try Output.note(fault.sentence(file.path)) }
    throw ExitCode(2)
  }

  private func show(_ phrase: MessageKey, _ file: ConfigFile) throws {
    try Output.send("\(CLILanguage.words(phrase, file.path))\n".utf8)
  }
}
