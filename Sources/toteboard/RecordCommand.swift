import ArgumentParser
import Dispatch
import FeedClient
import OddsFeed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `toteboard record`: what arrives, with the time at which it does.
struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write what arrives to a file until the feed ends or Ctrl-C.",
    discussion: """
      A line for each message: {"receivedAt":ms,"topic":"…","message":{…}}, in milliseconds since 1970. The message \
      stands there as it came; one that is no JSON, as a string. Lines that are a recording's already are copied as \
      they are. The file always ends with a whole line. Play it with --feed FILE.
      """)

  @Argument(help: "The file to write, a new one; '-' is standard output.")
  var file: String

  @Flag(help: "Add to the file where there is one.")
  var append = false

  @OptionGroup var options: FeedOptions

  mutating func validate() throws {
    if file == "" { throw ValidationError("'' names no file: give a path, or '-' for standard output") }
  }

  mutating func run() throws {
    let feed = try options.openWhole()
    let target = try RecordingTarget(file, appends: append)
    defer { target.end() }
    if let path = options.feed, target.isSame(as: path) {
      throw Failure("'\(file)' cannot be recorded into itself: give another name")
    }
    try target.endLine()
    // A file at its size limit is an error like a full disk, not an end without a word.
    signal(SIGXFSZ, SIG_IGN)
    let clock = DispatchAlarmClock()
    let begin = clock.now
    let stop: @Sendable () -> Void = { Task { await feed.transport.disconnect() } }
    let writer = RecordingWriter(
      descriptor: target.descriptor, name: target.name, clock: clock, onFailure: stop)
    let signals = EndSignals(stop)
    defer { signals.cancel() }
    let result = Result {
      try FeedFollower(feed: feed).frames { frame in
        try writer.add(frame, receivedAt: World.wallTime())
      }
    }
    let totals: RecordingWriter.Totals
    do { totals = try writer.finish() } catch { throw error.isClosedPipe ? ClosedPipe() as any Error : error }
    try result.get()
    let seconds = ((clock.now - begin) / .seconds(1) * 10).rounded() / 10
    let lines = "\(totals.messages) \(totals.messages == 1 ? "message" : "messages"), \(totals.bytes) bytes"
    try Output.send("Recorded \(lines) in \(seconds) s.\n".utf8, to: 2)
  }
}
