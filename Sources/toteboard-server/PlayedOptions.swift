import ArgumentParser
import CLibrary
import Dispatch
import EveryMatrix
import FeedRecording
import FeedServer
import FeedSimulator
import Platform
import ProgramArguments

struct PlayedOptions: ParsableArguments {
  @Option(help: "Simulated book: how many matches, 1 to 20000. (default: 100)")
  var matches: TypedValue<Int>?

  @Option(help: "Simulated book: odds updates a second, 0.1 to 100000. (default: 10.0)")
  var rate: TypedValue<Double>?

  @Option(help: "Simulated book: the same seed gives the same odds. (default: 1)")
  var seed: TypedValue<UInt64>?

  @Option(help: ArgumentHelp("A recording to play instead of the simulated book.", valueName: "file"))
  var recording: String?

  @Option(help: "How fast the recording is played: 1 is as it was recorded.")
  var speed: TypedValue<Double>?

  @Flag(help: "Play the recording again and again.")
  var loop = false

  func validateTogether() throws {
    try matches?.check("--matches", SimulatorOptions.matchRange)
    try rate?.check("--rate", SimulatorOptions.rateRange, remedy: "give 0.1 to 100000")
    try seed?.check("--seed", 0...UInt64.max)
    try speed?.check("--speed", PlaybackSpeed.range)
    try ValidationError.checkEmpty([("--recording", recording)])
    if let recording {
      let simulated = [("--matches", matches != nil), ("--rate", rate != nil), ("--seed", seed != nil)]
      if let (option, _) = simulated.first(where: \.1) {
        throw ValidationError("\(option) is for the simulated book, and '\(recording)' is a recording: leave it out")
      }
    } else {
      if speed != nil { throw ValidationError("--speed needs a recording: give --recording too") }
      if loop { throw ValidationError("--loop needs a recording: give --recording too") }
    }
  }

  /// Returns the feed and a stream of the errors that end its playback.
  func feed() throws -> (feed: any PlayedFeed, failures: AsyncStream<ServerError>) {
    let (failures, failed) = AsyncStream.makeStream(of: ServerError.self)
    let uptime = DispatchTime.now().uptimeNanoseconds
    guard let recording else { return (BookFeed(options: try simulatorOptions(), uptime: uptime), failures) }
    let descriptor = open(recording, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ServerError("cannot open the recording '\(recording)': \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    do {
      let feed = RecordedFeed(
        recording: try Recording(descriptor: descriptor, format: EveryMatrixFormat()), speed: .times(speed?.value ?? 1),
        loops: loop, uptime: uptime,
        onFailure: { failed.yield(ServerError("cannot play '\(recording)' any further: \($0)")) })
      return (feed, failures)
    } catch { throw ServerError("cannot play '\(recording)': \(error)") }
  }

  private func simulatorOptions() throws -> SimulatorOptions {
    try SimulatorOptions(
      matches: matches?.value ?? 100, seed: seed?.value ?? 1, rate: rate?.value ?? 10,
      startTime: ClientClock.wallTime())
  }
}
