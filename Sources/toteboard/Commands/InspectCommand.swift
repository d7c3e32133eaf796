import ArgumentParser
import FeedRecording
import Localization
import OddsClient
import Platform
import ProgramArguments

/// The command `toteboard inspect`: reports the content of recordings and errors in them.
struct Inspect: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case table, json }

  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: CLILanguage.words(.aboutInspect),
    discussion: CLILanguage.words(.aboutInspectMore))

  @Argument(help: .phrase(.optionInspectFiles, valueName: "file"))
  var files: [String]

  @Option(help: .phrase(.optionInspectFormat))
  var format = Format.table

  @Option(help: .phrase(.optionFindings))
  var findings = TypedValue(20)

  @OptionGroup var bounds: StoreLimitOptions
  @OptionGroup var speech: LanguageOption

  mutating func validate() throws {
    if let address = files.first(where: { FeedOptions.isAddress($0) }) {
      throw ValidationError(.usageAddressIsNoFile, address)
    }
    if files.contains("") { throw ValidationError(.usageInputEmpty) }
    try findings.check("--findings", 0...Inspection.maxFindings)
  }

  mutating func run() throws {
    try OpenFiles.check()
    let findings = try findings.checked(in: 0...Inspection.maxFindings)
    let inspection = Locked(Inspection(format: DetectedFormat.ofAnyProvider, options: bounds.options))
    for file in files {
      var options = FeedOptions()
      options.configuration.feed = file
      let feed = try options.openWhole()
      do {
        try FeedFollower(feed: feed).frames { frame in
          inspection.withLock { $0.add(frame) }
        }
      } catch let failure as CommandError { throw CommandError(.failureOf, file, failure.sentence) }
    }
    let report = inspection.withLock { inspection in
      inspection.finish()
      return format == .json ? inspection.json(findings: findings) : Array(inspection.table(findings: findings).utf8)
    }
    try Output.send(report)
  }
}
