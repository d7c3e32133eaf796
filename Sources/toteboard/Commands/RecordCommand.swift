import ArgumentParser
import CLibrary
import Dispatch
import FeedRecording
import Localization
import OddsClient
import OddsFeed
import Platform
import TerminalCore

/// The command `toteboard record`: writes all frames with the time of their arrival.
struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: CLILanguage.words(.aboutRecord),
    discussion: CLILanguage.words(.aboutRecordMore))

  @Argument(help: .phrase(.optionRecordFile))
  var file: String

  @Flag(help: .phrase(.optionAppend))
  var append = false

  @OptionGroup var options: FeedOptions

  mutating func validate() throws { if file == "" { throw ValidationError(.usageFileEmpty) } }

  mutating func run() throws {
    try options.configure()
    try options.checkLogin(of: .record)
    // A file is recorded whole.
    if options.channel != nil, !options.isNetworked, let feed = options.configuration.feed {
      throw ValidationError(.usageNotOnFile, "--channel", feed.cleaned)
    }
    let feed = try options.openWhole()
    let target = try RecordingTarget(file, appends: append)
    defer { target.end() }
    if let path = options.configuration.feed, target.isSame(as: path) {
      throw CommandError(.failureRecordsItself, file)
    }
    try target.endLine()
    // Without SIGXFSZ, a file at its size limit causes an error message, like a full disk.
    signal(SIGXFSZ, SIG_IGN)
    let clock = DispatchAlarmClock()
    let clientClock = ClientClock.live
    let begin = clock.now
    let stop: @Sendable () -> Void = { Task { await feed.transport.disconnect() } }
    let writer = RecordingWriter(
      descriptor: target.descriptor, name: target.name, format: DetectedFormat.ofAnyProvider, clock: clock,
      onFailure: stop)
    let signals = TerminationSignals(stop)
    defer { signals.cancel() }
    let result = Result {
      try FeedFollower(feed: feed).frames { frame in
        try writer.add(frame, receivedAt: frame.receiptTime(wall: clientClock.wall(), uptime: clientClock.uptime()))
      }
    }
    let totals: RecordingWriter.Totals
    do { totals = try writer.finish() } catch { throw error.isClosedPipe ? ClosedPipe() as any Error : error }
    try result.get()
    let seconds = ((clock.now - begin) / .seconds(1)).roundedToTenths
    try Output.note(LocalizedMessage(.noteRecorded, totals.messages, totals.bytes, seconds))
    try signals.rethrow()
  }
}
