import AccountModel
import CLibrary
import CProgramVersion
import EveryMatrix
import FeedNetwork
import FeedRecording
import FeedSimulator
import FoundationCore
import OddsFeed
import OddsModel
import Platform
import Polymarket

/// A feed that was opened for one run of a client.
struct OpenFeed: Sendable {
  let transport: any FeedTransport
  /// The names of the feed's topics; nil for a recording, whose content is fixed.
  let topics: TopicNames?
  /// The topics of a recording, in order of appearance; empty for another feed.
  var recorded: [Topic] = []
  /// True if the end of a compressed recording is missing.
  var endsEarly = false
  /// Closes the connections and ends their threads.
  var close: @Sendable () async -> Void = {}
}

extension FeedSource {
  /// Opens the feed for one run. Does not connect yet.
  typealias Opening = @Sendable () throws(OddsClientError) -> OpenFeed

  /// Checks all values and reads the files that they name, except files of root certificates for Polymarket and
  /// Betfair, which are read for each run. A recording is read once for all runs.
  ///
  /// - Parameter clock: The clock of the sessions with the feed. A recording has its own.
  /// - Returns: The function that opens the feed for a run.
  func prepared(clock: ClientClock) throws(OddsClientError) -> Opening {
    switch kind {
    case .everyMatrix(let source):
      let endpoints = try source.endpoints()
      let topics = TopicNames.everyMatrix(operatorID: source.operatorID, language: source.language)
      return { () throws(OddsClientError) in
        let connections = try OddsClientError.wrapping { () throws(FeedError) in
          try FeedConnections(endpoints, agent: Self.agent)
        }
        let session = connections.session(
          realms: endpoints.map { source.realm ?? $0.address.host }, clock: clock)
        return OpenFeed(transport: session, topics: topics) { await connections.shutDown() }
      }
    case .polymarket(let text, let caFile):
      let address = try OddsClientError.wrapping { () throws(FeedError) in try PolymarketAddress(text) }
      return { () throws(OddsClientError) in
        let connections = try OddsClientError.wrapping { () throws(FeedError) in
          try PolymarketConnections(
            address, agent: Self.agent, caFile: caFile,
            proxies: ProxyRules(environment: ProcessInfo.processInfo.environment))
        }
        let session = connections.session(clock: clock)
        return OpenFeed(transport: session, topics: .polymarket) { await connections.shutDown() }
      }
    case .betfair(let source):
      let (address, account) = try source.checked()
      return { () throws(OddsClientError) in
        let connections = try OddsClientError.wrapping { () throws(FeedError) in
          try BetfairConnections(
            address, account, agent: Self.agent, caFile: source.caFile,
            proxies: ProxyRules(environment: ProcessInfo.processInfo.environment))
        }
        let session = connections.session(conflateMs: source.conflateMs, clock: clock)
        return OpenFeed(transport: session, topics: .betfair) { await connections.shutDown() }
      }
    case .simulated(let matches, let rate, let seed):
      _ = try Self.options(matches, rate, seed, startTime: clock.wall())
      return { () throws(OddsClientError) in
        let server = SimulatedConnector(options: try Self.options(matches, rate, seed, startTime: clock.wall()))
        return OpenFeed(
          transport: FeedSession(connector: server, realm: "simulated", clock: clock),
          topics: .everyMatrix(name: "the simulated feed"))
      }
    case .recording(let path, let speed):
      if let speed, !PlaybackSpeed.range.contains(speed) {
        throw OddsClientError(.optionOutOfRange, "the speed '\(speed)' is out of range", remedy: "use 0.01 to 1000")
      }
      let (recording, endsEarly) = try Self.recording(path)
      return {
        OpenFeed(
          transport: RecordingTransport(recording: recording, speed: speed.map { .times($0) } ?? .max), topics: nil,
          recorded: recording.topics, endsEarly: endsEarly)
      }
    }
  }

  private static func options(
    _ matches: Int, _ rate: Double, _ seed: UInt64, startTime: Int64
  ) throws(OddsClientError) -> SimulatorOptions {
    do {
      return try SimulatorOptions(matches: matches, seed: seed, rate: rate, startTime: startTime)
    } catch {
      throw OddsClientError(.optionOutOfRange, "\(error.sentence)", remedy: "use a value in the range")
    }
  }

  private static var agent: String { "OddsClient/\(TOTEBOARD_VERSION)" }

  private static func recording(_ path: String) throws(OddsClientError) -> (Recording, endsEarly: Bool) {
    let descriptor = CLibrary.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw OddsClientError(
        .recordingUnreadable, "the recording '\(path)' cannot be opened: \(String(cString: strerror(errno)))",
        remedy: "give the path of a file that exists and can be read")
    }
    defer { close(descriptor) }
    do throws(RecordingError) {
      let plain = try BZip2File.decompressed(descriptor)
      defer { if let plain { close(plain.descriptor) } }
      let file = plain?.descriptor ?? descriptor
      let recording = try Recording(descriptor: file, format: DetectedFormat.ofAnyProvider.format(of: file))
      return (recording, plain?.endsEarly ?? false)
    } catch {
      throw OddsClientError(
        .recordingInvalid, "'\(path)' is not a recording: \(error)", remedy: "make one with 'toteboard record'")
    }
  }
}

extension EveryMatrixSource {
  func endpoints() throws(OddsClientError) -> [FeedEndpoint] {
    for (name, value) in [("operator", operatorID), ("language", language)] where !Topic.isPathPart(value) {
      throw OddsClientError(
        .valueInvalid, "the \(name) '\(value)' cannot be part of a topic", remedy: "use letters, digits, - and _")
    }
    return try OddsClientError.wrapping { () throws(FeedError) in
      try FeedEndpoint.endpoints(
        of: FeedAddressList(url), origin: origin, token: token.map { Secret($0) }, caFile: caFile,
        proxies: ProxyRules(environment: ProcessInfo.processInfo.environment))
    }
  }
}
