import ArgumentParser
import Dispatch
import EveryMatrix
import FeedRecording
import FeedServer
import FeedSimulator
import Platform
import ProgramArguments

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The feed that the server plays.
struct PlayedOptions: ParsableArguments {
  @Option(help: "Simulated book: how many matches, 1 to 20000.")
  var matches = TypedValue(100)

  @Option(help: "Simulated book: odds updates a second, 0.1 to 100000.")
  var rate = TypedValue(10.0)

  @Option(help: "Simulated book: the same seed gives the same odds.")
  var seed = TypedValue<UInt64>(1)

  @Option(help: ArgumentHelp("A recording to play instead of the simulated book.", valueName: "file"))
  var recording: String?

  @Option(help: "How fast the recording is played: 1 is as it was recorded.")
  var speed: TypedValue<Double>?

  @Flag(help: "Play the recording again and again.")
  var loop = false

  func validateTogether() throws {
    try matches.check("--matches", SimulatorOptions.matchRange)
    try rate.check("--rate", SimulatorOptions.rateRange, remedy: "give 0.1 to 100000")
    try seed.check("--seed", 0...UInt64.max)
    try speed?.check("--speed", PlaybackSpeed.range)
    try ValidationError.checkEmpty([("--recording", recording)])
    if recording == nil {
      if speed != nil { throw ValidationError("--speed needs a recording: give --recording too") }
      if loop { throw ValidationError("--loop needs a recording: give --recording too") }
    }
  }

  /// Returns the feed and a stream of the errors that end its playback.
  func feed() throws -> (feed: any PlayedFeed, failures: AsyncStream<ServerFailure>) {
    let (failures, failed) = AsyncStream.makeStream(of: ServerFailure.self)
    let uptime = DispatchTime.now().uptimeNanoseconds
    guard let recording else { return (BookFeed(options: try simulatorOptions(), uptime: uptime), failures) }
    let descriptor = open(recording, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ServerFailure("cannot open the recording '\(recording)': \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    do {
      let feed = RecordedFeed(
        recording: try Recording(descriptor: descriptor, format: EveryMatrixFormat()), speed: .times(speed?.value ?? 1),
        loops: loop, uptime: uptime,
        onFailure: { failed.yield(ServerFailure("cannot play '\(recording)' any further: \($0)")) })
      return (feed, failures)
    } catch { throw ServerFailure("cannot play '\(recording)': \(error)") }
  }

  private func simulatorOptions() throws -> SimulatorOptions {
    try SimulatorOptions(
      matches: matches.checked(in: SimulatorOptions.matchRange), seed: seed.checked(in: 0...UInt64.max),
      rate: rate.checked(in: SimulatorOptions.rateRange), startTime: ClientClock.wallTime())
  }
}
