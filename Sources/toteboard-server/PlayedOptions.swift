import ArgumentParser
import Dispatch
import FeedServer
import FeedSimulator

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

  func validateTogether() throws {
    _ = try simulatorOptions()
  }

  func feed() throws -> any PlayedFeed {
    BookFeed(options: try simulatorOptions(), uptime: DispatchTime.now().uptimeNanoseconds)
  }

  private func simulatorOptions() throws -> SimulatorOptions {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let now = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    do { return try SimulatorOptions(matches: matches, seed: seed, rate: rate, startTime: now) } catch {
      throw ValidationError("--\(error)")
    }
  }
}
