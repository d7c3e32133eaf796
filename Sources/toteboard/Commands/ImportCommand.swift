import ArgumentParser
import Dashboard
import Dispatch
import Localization
import OddsFeed
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
  @OptionGroup var speech: SpeechOption

  mutating func validate() throws {
    if file == "" { throw ValidationError(.usageInputEmpty) }
    if file.contains("://") { throw ValidationError(.usageAddressIsNoFile, file) }
    try ValidationError.checkEmpty([("--as", feedName)])
  }

  mutating func run() throws {
    try OpenFiles.check()
    var options = FeedOptions()
    options.configuration.feed = file
    let feed = try options.openFeed()
    guard feed.recording != nil else { throw CommandError(.failureOf, file, LocalizedMessage(.importNoTimes)) }
    let history = try HistoryOptions.file()
    // NB: Closing the file writes, too. Another thread writes while the recording is read; see `HistoryImporter`.
    let changes = try withFileSizeErrors { try add(feed, to: history, options) }
    try Output.note(LocalizedMessage(.noteImported, changes, history.path))
  }

  /// Adds the changes of a recording to a history. Returns their number.
  private func add(_ feed: FeedOptions.Feed, to history: HistoryFile, _ options: FeedOptions) throws -> Int {
    let importer: HistoryImporter
    do throws(HistoryError) {
      importer = try HistoryImporter(history, feed: feedName ?? "import \(options.sessionName(of: feed))")
    } catch { throw CommandError(error.sentence) }
    read(feed, into: importer)
    do throws(HistoryError) { return try importer.finish() } catch { throw CommandError(error.sentence) }
  }

  /// Plays all topics of a recording at once. Blocks the thread until its end.
  private func read(_ feed: FeedOptions.Feed, into importer: HistoryImporter) {
    let done = DispatchSemaphore(value: 0)
    Task.detached { [options = bounds.options] in
      let provider = Provider(transport: feed.transport, options: options)
      var shares: [ChannelSubscription] = []
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      for (number, channel) in feed.channels.enumerated() {
        let share = await provider.subscribe(to: channel.topic)
        let follow = importer.follower(ofChannel: number)
        await share.store.follow { state, event in
          follow(&state, event)
          // NB: a recording stays open at its end, because it can be rewound.
          if event.status.connection == .ended { end.finish() }
        }
        shares.append(share)
      }
      let reading = Task.detached { await provider.run() }
      for await _ in ends {}
      await feed.close()
      await reading.value
      for share in shares { await share.cancel() }
      done.signal()
    }
    done.wait()
  }
}
