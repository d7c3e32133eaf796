import ArgumentParser
import CLibrary
import Dispatch
import EveryMatrix
import FeedRecording
import FeedServer
import FeedSimulator
import Platform
import ProgramArguments

/// The options of the feed that the server plays.
struct PlayedOptions: ParsableArguments {
  @Option(help: "Simulated feed: number of matches, 1 to 20000. (default: 100)")
  var matches: TypedValue<Int>?

  @Option(help: "Simulated feed: odds updates per second, 0.1 to 100000. (default: 10.0)")
  var rate: TypedValue<Double>?

  @Option(help: "Simulated feed: random seed; the same seed gives the same odds. (default: 1)")
  var seed: TypedValue<UInt64>?

  @Option(help: ArgumentHelp("Recording to play instead of the simulated feed.", valueName: "file"))
  var recording: String?

  @Option(help: "Playback speed of the recording, 0.01 to 1000. (default: 1)")
  var speed: TypedValue<Double>?

  @Flag(help: "Play the recording in a loop. Without it, the server refuses clients after the end.")
  var loop = false

  private var givenForSimulation: [String] {
    ValidationError.texts([("--matches", matches?.text), ("--rate", rate?.text), ("--seed", seed?.text)])
  }

  /// The options that were given, as messages show them.
  var given: [String] {
    givenForSimulation
      + ValidationError.texts([("--recording", recording), ("--speed", speed?.text), ("--loop", loop ? "" : nil)])
  }

  func validateTogether() throws {
    try matches?.check("--matches", SimulatorOptions.matchRange)
    try rate?.check("--rate", SimulatorOptions.rateRange, remedy: "use 0.1 to 100000")
    try seed?.check("--seed", 0...UInt64.max)
    try speed?.check("--speed", PlaybackSpeed.range)
    try ValidationError.checkEmpty([("--recording", recording)])
    if let recording {
      if let option = givenForSimulation.first {
        throw ValidationError("\(option) only applies to the simulated feed, not to '\(recording)': remove it")
      }
    } else {
      if let speed { throw ValidationError("--speed '\(speed.text)' requires a recording: add --recording") }
      if loop { throw ValidationError("--loop requires a recording: add --recording") }
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
        onFailure: { failed.yield(ServerError("cannot continue playing '\(recording)': \($0)")) })
      return (feed, failures)
    } catch { throw ServerError("cannot play '\(recording)': \(error)") }
  }

  private func simulatorOptions() throws -> SimulatorOptions {
    try SimulatorOptions(
      matches: matches?.value ?? 100, seed: seed?.value ?? 1, rate: rate?.value ?? 10,
      startTime: ClientClock.wallTime())
  }
}
