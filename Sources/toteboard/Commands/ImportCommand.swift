import ArgumentParser
import Dashboard
import FeedRecording
import Localization
import OddsHistory
import OddsModel
import Platform

/// The command `toteboard import`: adds the changes of a recording to the history.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: CLILanguage.words(.aboutImport),
    discussion: CLILanguage.words(.aboutImportMore))

  @Argument(help: .phrase(.optionImportFile))
  var file: String

  @Option(name: .customLong("as"), help: .phrase(.optionImportAs, valueName: "feed"))
  var feedName: String?

  @OptionGroup var bounds: StoreLimitOptions
  @OptionGroup var speech: LanguageOption

  mutating func validate() throws {
    if file == "" { throw ValidationError(.usageInputEmpty) }
    if FeedOptions.isAddress(file) { throw ValidationError(.usageAddressIsNoFile, file) }
    try ValidationError.checkEmpty([("--as", feedName)])
  }

  mutating func run() throws {
    try OpenFiles.check()
    var options = FeedOptions()
    options.configuration.feed = file
    let feed = try options.openFeed()
    guard let recording = feed.recording else {
      throw CommandError(.failureOf, file, LocalizedMessage(.importNoTimes))
    }
    let history = try HistoryOptions.file()
    let user = try HistoryOptions.ofUser()
    let limits = user.limits
    let name =
      feedName.map { user.configuration.historyName(of: $0) } ?? "import \(options.sessionName(of: feed))"
    let oldTime = ClientClock.wallTime() - Int64(limits.days) * 86_400_000
    // NB: Closing the file writes, too. Another thread writes while the recording is read; see `HistoryImporter`.
    let result = try withFileSizeErrors { try add(feed, recording, as: name, to: history, oldTime: oldTime) }
    try Output.note(LocalizedMessage(.noteImported, result.changes, history.path))
    if result.oldChanges > 0 {
      try Output.note(LocalizedMessage(.noteImportedOld, result.oldChanges, "\(limits.days)"))
    }
    if result.size > limits.bytes {
      try Output.note(LocalizedMessage(.noteImportedLarge, "\(ByteSize(limits.bytes))"))
    }
  }

  /// Adds the changes of a recording to a history. `name` is that of the feed in the history.
  private func add(
    _ feed: FeedOptions.Feed, _ recording: RecordingTransport, as name: String, to history: HistoryFile, oldTime: Int64
  ) throws -> HistoryImporter.Result {
    let importer = try HistoryImporter(history, feed: name, minPause: Recording.longestGap, oldTime: oldTime)
    let reading = RecordingImport(
      transport: recording.ordered(hasPositions: false), channels: feed.channels, importer: importer,
      options: bounds.options)
    let failure = Blocking.wait { await reading.run() }
    let result = try importer.finish()
    if let failure { throw failure }
    return result
  }
}
