import ArgumentParser
import Dashboard
import FeedClient
import FeedSimulator
import OddsFeed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which feed, for every command.
struct FeedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "JSON lines to read instead of the simulated feed: '-' for standard input, or a file.", valueName: "file"))
  var feed: String?

  @Option(help: "Simulated feed: how many matches, 1 to 20000.")
  var matches = 100

  @Option(help: "Simulated feed: odds updates a second, 0.1 to 100000.")
  var rate = 10.0

  @Option(help: "Simulated feed: the same seed gives the same odds.")
  var seed: UInt64 = 1

  @Option(help: "The channel: live, football, tennis, basketball, next or popular.")
  var channel = "live"

  mutating func validate() throws {
    if feed == "" { throw ValidationError("--feed '' names no file: give a path, or '-' for standard input") }
    _ = try simulatorOptions()
    _ = try channelPlace()
  }

  /// The channels of this feed. A file or pipe is one channel.
  var channels: [BoardChannel] {
    feed == nil
      ? BoardChannel.standard(matches: matches)
      : [BoardChannel(title: "Feed", topic: Topic(path: "/feed"))]
  }

  /// Where the chosen channel stands in `channels`.
  func channelPlace() throws -> Int {
    if feed != nil { return 0 }
    guard let place = channels.firstIndex(where: { $0.title.lowercased() == channel.lowercased() }) else {
      let known = channels.map { $0.title.lowercased() }.joined(separator: ", ")
      throw ValidationError("--channel '\(channel)' is unknown: give one of \(known)")
    }
    return place
  }

  /// What the chosen channel shows.
  func topic() throws -> Topic { channels[try channelPlace()].topic }

  /// What the header calls the feed.
  var name: String {
    switch feed {
    case nil: "simulated"
    case "-"?: "stdin"
    case let path?: String(path.split(separator: "/").last ?? "feed")
    }
  }

  /// The line to the feed. `interval` is the least time between two reads of a pipe.
  func transport(interval: Duration) throws -> any FeedTransport {
    switch feed {
    case nil: SimulatedTransport(options: try simulatorOptions())
    case "-"?: LineTransport(descriptor: try Self.standardInput(), interval: interval)
    case let path?: LineTransport(descriptor: try Self.openFile(path), interval: .zero)
    }
  }

  private func simulatorOptions() throws -> SimulatorOptions {
    do {
      return try SimulatorOptions(matches: matches, seed: seed, rate: rate, startTime: SystemClock.wall())
    } catch {
      throw ValidationError("--\(error)")
    }
  }

  private static func standardInput() throws -> Int32 {
    guard fcntl(0, F_GETFD) >= 0 else { throw Failure("--feed '-': standard input is closed: pipe a feed into it") }
    return 0
  }

  private static func openFile(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure("cannot open the feed '\(path)': \(String(cString: strerror(errno)))")
    }
    return descriptor
  }
}

/// A failure with its text for the user; exit code 1.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
