import ArgumentParser
import Dispatch
import FeedClient
import FeedServer
import FeedSimulator
import Logging

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the server plays.
struct PlayedOptions: ParsableArguments {
  @Option(help: "Simulated book: how many matches, 1 to 20000.")
  var matches = 100

  @Option(help: "Simulated book: odds updates a second, 0.1 to 100000.")
  var rate = 10.0

  @Option(help: "Simulated book: the same seed gives the same odds.")
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("A recording to play instead of the simulated book.", valueName: "file"))
  var recording: String?

  @Option(help: "How fast the recording is played: 1 is as it was recorded.")
  var speed: Double?

  @Flag(help: "Play the recording again and again.")
  var loop = false

  func validateTogether() throws {
    _ = try simulatorOptions()
    if recording == nil {
      if speed != nil { throw ValidationError("--speed needs a recording: give --recording too") }
      if loop { throw ValidationError("--loop needs a recording: give --recording too") }
    }
    if let speed, !PlaybackSpeed.range.contains(speed) {
      throw ValidationError(
        "--speed '\(speed)' is out of range: give \(PlaybackSpeed.range.lowerBound) to \(PlaybackSpeed.range.upperBound)"
      )
    }
  }

  func feed(log: Logger) throws -> any PlayedFeed {
    let uptime = DispatchTime.now().uptimeNanoseconds
    guard let recording else { return BookFeed(options: try simulatorOptions(), uptime: uptime) }
    let descriptor = open(recording, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ServerFailure("cannot open the recording '\(recording)': \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    do {
      return RecordedFeed(
        recording: try Recording(descriptor: descriptor), speed: .times(speed ?? 1), loops: loop, uptime: uptime,
        onFailure: { log.error("the recording cannot be played any further", metadata: ["why": "\($0)"]) })
    } catch { throw ServerFailure("cannot play '\(recording)': \(error)") }
  }

  private func simulatorOptions() throws -> SimulatorOptions {
    do {
      return try SimulatorOptions(matches: matches, seed: seed, rate: rate, startTime: World.wallTime())
    } catch { throw ValidationError("--\(error)") }
  }
}
